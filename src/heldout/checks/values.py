"""What a user may ask for: a choice, a count, a share, a seed; all else is refused in three parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from heldout.errors import InputTypeError, RequestError
from heldout.text.words import join_names, nearest_name


def check_whole(name: str, value: Any, lowest: int) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 and True are none."""
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if is_whole and int(value) >= lowest:
        return int(value)
    raise (RequestError if is_whole else InputTypeError)(
        f"{name} must be a whole number of at least {lowest}",
        where=f"{name}={value!r:.60}",
        fix=f"use {lowest} or more",
    )


def check_flag(name: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InputTypeError(
        f"{name} must be True or False", where=f"{name}={value!r:.60}", fix=f"use {name}=True"
    )


def check_choice(
    name: str, value: Any, choices: Sequence[str], synonyms: Mapping[str, str] | None = None
) -> None:
    """Refuse a word that is none of the choices, and name the one that was probably meant.

    synonyms: words that others use, each with the choice that means the same
    """
    if isinstance(value, str) and value in choices:
        return
    allowed = join_names([*map(repr, choices)], "or", most=None)
    word = value.casefold() if isinstance(value, str) else ""
    near = (synonyms or {}).get(word) or nearest_name(word, choices)
    error = RequestError if isinstance(value, str) else InputTypeError
    raise error(
        f"{name} must be {allowed}",
        where=f"{name}={value!r:.60}",
        fix=f"did you mean {near!r}?" if near else f"set {name} to one of these",
    )


def check_confidence(confidence: Any) -> float:
    """A confidence as a float strictly between 0 and 1."""
    if isinstance(confidence, Real) and not isinstance(confidence, bool) and 0 < float(confidence) < 1:
        return float(confidence)
    error = RequestError if isinstance(confidence, Real) else InputTypeError
    is_percent = error is RequestError and 1 < float(confidence) < 100
    example = f"say {float(confidence) / 100:g} for {float(confidence):g}%" if is_percent else "use 0.95"
    raise error(
        "confidence must be a number above 0 and below 1", where=f"confidence={confidence!r:.60}", fix=example
    )


def check_count(name: str, value: Any, lowest: int = 0) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 is one, True is none."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    is_whole = isinstance(value, Integral)  # which may be too large for a float
    if is_number and (is_whole or math.isfinite(float(value))) and value == int(value) >= lowest:
        return int(value)
    raise (RequestError if is_number else InputTypeError)(
        f"{name} must be a whole number of at least {lowest:,}",
        where=f"{name}={value!r:.60}",
        fix="count rows" if lowest == 0 else f"use {lowest:,} or more",
    )


def check_seed(seed: Any) -> int:
    """A seed as an int of at least 0."""
    if isinstance(seed, Integral) and not isinstance(seed, bool) and int(seed) >= 0:
        return int(seed)
    raise InputTypeError(
        "seed must be a whole number of at least 0",
        where=f"seed={seed!r:.60}",
        fix="use 0, or any other whole number; the same seed gives the same answer",
    )


def check_share(name: str, value: Any, is_open: bool = False) -> float:
    """A share as a float from 0 to 1.

    is_open: whether 0 and 1 themselves are refused
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
    """A finite number of at least 0, as a float."""
    number = _number(name, value)
    if 0 <= number < math.inf:
        return number
    raise RequestError(
        f"{name} must be a finite number of at least 0", where=f"{name}={value!r:.60}", fix=fix
    )


def _number(name: str, value: Any) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise InputTypeError(
        f"{name} must be a number", where=f"{name}={value!r:.60}", fix=f"give {name} as a number"
    )
