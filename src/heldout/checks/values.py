"""What a user may request: a choice, a count, a share, a seed; all else is refused in three parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import TypeGuard

import numpy as np

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.text.words import join_names, nearest_name


def check_whole(name: str, value: object, lowest: int) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 and True are none."""
    if _is_whole(value) and int(value) >= lowest:
        return int(value)
    what = f"must be a whole number of at least {lowest}"
    raise _refusal(name, value, what, f"use {lowest} or more", _is_whole(value))


def check_flag(name: str, value: object) -> bool:
    """True or False."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise _refusal(name, value, "must be True or False", f"use {name}=True", is_right_type=False)


def check_choice(
    name: str, value: object, choices: Sequence[str], synonyms: Mapping[str, str] | None = None
) -> None:
    """Refuse a word that is none of the choices, and name the one that was probably meant.

    synonyms: words that others use, each with the choice that means the same
    """
    if isinstance(value, str) and value in choices:
        return
    word = value.casefold() if isinstance(value, str) else ""
    near = (synonyms or {}).get(word) or nearest_name(word, choices)
    fix = f"did you mean {near!r}?" if near else f"set {name} to one of these"
    allowed = join_names([*map(repr, choices)], "or", most=None)
    raise _refusal(name, value, f"must be {allowed}", fix, isinstance(value, str))


def check_confidence(confidence: object) -> float:
    """A confidence as a float strictly between 0 and 1."""
    number = float(confidence) if _is_number(confidence) else math.nan
    if 0 < number < 1:
        return number
    fix = f"say {number / 100:g} for {number:g}%" if 1 < number < 100 else "use 0.95"
    what = "must be a number above 0 and below 1"
    raise _refusal("confidence", confidence, what, fix, isinstance(confidence, Real))


def check_count(name: str, value: object, lowest: int = 0) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 is one, True is none."""
    # A whole number may be too large for a float, and so is not asked whether it is finite.
    if _is_whole(value) and int(value) >= lowest:
        return int(value)
    if _is_number(value) and not _is_whole(value) and float(value).is_integer() and float(value) >= lowest:
        return int(float(value))
    what = f"must be a whole number of at least {lowest:,}"
    fix = "count rows" if lowest == 0 else f"use {lowest:,} or more"
    raise _refusal(name, value, what, fix, _is_number(value))


def check_seed(seed: object) -> int:
    """A seed as an int of at least 0."""
    if _is_whole(seed) and int(seed) >= 0:
        return int(seed)
    fix = "use 0, or any other whole number; the same seed gives the same result"
    raise _refusal("seed", seed, "must be a whole number of at least 0", fix, is_right_type=False)


def check_share(name: str, value: object, is_open: bool = False) -> float:
    """A share as a float from 0 to 1.

    is_open: whether 0 and 1 themselves are refused
    """
    number = _number(name, value)
    if 0 < number < 1 or (number in (0, 1) and not is_open):
        return number
    what = f"must be a number {'above 0 and below 1' if is_open else 'from 0 to 1'}"
    fix = f"say {number / 100:g} for {number:g}%" if 1 < number < 100 else "give a share, such as 0.8"
    raise _refusal(name, value, what, fix)


def check_amount(name: str, value: object, fix: str = "use 0 or more") -> float:
    """A finite number of at least 0, as a float."""
    number = _number(name, value)
    if 0 <= number < math.inf:
        return number
    raise _refusal(name, value, "must be a finite number of at least 0", fix)


def _number(name: str, value: object) -> float:
    if _is_number(value):
        return float(value)
    raise _refusal(name, value, "must be a number", f"give {name} as a number", is_right_type=False)


def _is_number(value: object) -> TypeGuard[Real]:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: object) -> TypeGuard[Integral]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _refusal(name: str, value: object, what: str, fix: str, is_right_type: bool = True) -> HeldoutError:
    error = RequestError if is_right_type else InputTypeError
    return error(f"{name} {what}", where=f"{name}={value!r:.60}", fix=fix)
