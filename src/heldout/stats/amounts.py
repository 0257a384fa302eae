"""Shares, amounts and bits that a user hands over; what is none is refused."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from heldout.errors import KindError, RequestError


def check_share(name: str, value: Any, is_open: bool = False) -> float:
    """A share as a float from 0 to 1.

    is_open: whether 0 and 1 themselves are refused

    >>> check_share("baseline", 0.5)
    0.5
    >>> check_share("share_a", 80)
    Traceback (most recent call last):
    heldout.errors.RequestError: share_a must be a number from 0 to 1
      where: share_a=80
      fix:   say 0.8 for 80%
    """
    number = _number(name, value)
    if 0 < number < 1 or (number in (0, 1) and not is_open):
        return number
    wanted = "above 0 and below 1" if is_open else "from 0 to 1"
    raise RequestError(
        f"{name} must be a number {wanted}",
        where=f"{name}={value!r:.60}",
        fix=f"say {number / 100:g} for {number:g}%" if 1 < number < 100 else "give a share, such as 0.8",
    )


def check_amount(name: str, value: Any, fix: str = "use 0 or more") -> float:
    """A finite number of at least 0, as a float.

    >>> check_amount("bits", 12)
    12.0
    """
    number = _number(name, value)
    if 0 <= number < math.inf:
        return number
    raise RequestError(
        f"{name} must be a finite number of at least 0", where=f"{name}={value!r:.60}", fix=fix
    )


def _number(name: str, value: Any) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise KindError(f"{name} must be a number", where=f"{name}={value!r:.60}", fix=f"give {name} as a number")
