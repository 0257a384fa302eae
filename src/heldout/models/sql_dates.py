"""Days as SQL compares them: as ISO text to the microsecond, whose order is that of time.

The text of a DATE, of a TIMESTAMP and of an ISO string begins alike in SQLite, DuckDB and PostgreSQL, and
what is cut off after the day, the minute or the second sorts before every later moment.
"""

from __future__ import annotations

import datetime
import math
from fractions import Fraction

from heldout.errors import RequestError

MICROSECONDS_A_DAY = 86_400_000_000
_EPOCH = datetime.datetime(1970, 1, 1)


def last_moment(day: float, name: str) -> str:
    """The last microsecond that is not after this day number, as text of 26 letters.

    >>> last_moment(18320.5, "joined")
    '2020-02-28 12:00:00.000000'
    """
    moment = math.floor(Fraction(day) * MICROSECONDS_A_DAY)
    while float(moment + 1) / MICROSECONDS_A_DAY <= day:
        moment += 1
    while float(moment) / MICROSECONDS_A_DAY > day:
        moment -= 1
    return _text(moment, name)


def nearest_moment(day: float, name: str) -> str:
    """The microsecond that this day number stands for."""
    return _text(round(Fraction(day) * MICROSECONDS_A_DAY), name)


def _text(moment: int, name: str) -> str:
    try:
        return (_EPOCH + datetime.timedelta(microseconds=moment)).isoformat(" ", "microseconds")
    except OverflowError as error:
        raise RequestError(
            "a date lies outside the years 1 to 9999, whose text sorts by time",
            where=f"column '{name}', {moment / MICROSECONDS_A_DAY:g} days from 1970-01-01",
            fix='export to "python" or "json"',
        ) from error
