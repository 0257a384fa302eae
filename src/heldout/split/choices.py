"""What may be asked of a split: whole numbers, shares, yes or no; all else is refused."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from heldout.errors import KindError, RequestError


def check_whole(name: str, value: Any, lowest: int) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 and True are none.

    >>> check_whole("k", 5, lowest=2)
    5
    >>> check_whole("k", 1, lowest=2)
    Traceback (most recent call last):
    heldout.errors.RequestError: k must be a whole number of at least 2
      where: k=1
      fix:   use 2 or more
    """
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if is_whole and int(value) >= lowest:
        return int(value)
    raise (RequestError if is_whole else KindError)(
        f"{name} must be a whole number of at least {lowest}",
        where=f"{name}={value!r:.60}",
        fix=f"use {lowest} or more",
    )


def check_share(name: str, value: Any) -> float:
    """A share of rows as a float above 0 and below 1.

    >>> check_share("held", 0.2)
    0.2
    >>> check_share("held", 20)
    Traceback (most recent call last):
    heldout.errors.RequestError: held must be a share above 0 and below 1
      where: held=20
      fix:   say 0.2 for 20%
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and 0 < float(value) < 1:
        return float(value)
    is_percent = is_number and math.isfinite(float(value)) and 1 < float(value) < 100
    raise (RequestError if is_number else KindError)(
        f"{name} must be a share above 0 and below 1",
        where=f"{name}={value!r:.60}",
        fix=f"say {float(value) / 100:g} for {float(value):g}%" if is_percent else "use 0.2 for a fifth",
    )


def check_flag(name: str, value: Any) -> bool:
    """True or False.

    >>> check_flag("stratified", True)
    True
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise KindError(f"{name} must be True or False", where=f"{name}={value!r:.60}", fix=f"use {name}=True")
