"""Numbers as they come in: lists, arrays, series and columns; words, dates and complex numbers are none."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import KindError, RequestError


def plain_numbers(values: Any, name: str, fix: str) -> NDArray[np.float64]:
    """The values as float64 in whatever shape they have; a gap becomes NaN.

    NumPy alone would read "0.5" as a number, count the days of a date, and drop the imaginary part.

    name: what errors call them
    fix:  what errors advise

    >>> plain_numbers([1, None, 0.5], "scores", fix="")
    array([1. , nan, 0.5])
    >>> plain_numbers(["0.1", "0.2"], "scores", fix="give numbers")
    Traceback (most recent call last):
    heldout.errors.KindError: scores must hold numbers
      where: scores holds '0.1'
      fix:   give numbers
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = _unmarked(array, name, fix)
        if array.dtype.kind in "biuf":
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, KindError):
            raise
        raise KindError(
            f"{name} must hold numbers", where=f"{name} is a {type(values).__name__}: {error}"[:200], fix=fix
        ) from error
    raise _no_number(array.ravel()[:1].tolist(), array.dtype, name, fix)


def _unmarked(array: NDArray[Any], name: str, fix: str) -> NDArray[np.float64]:
    """Objects as numbers, None and the NA of pandas as NaN."""
    listed = array.ravel().tolist()
    wrong = next((value for value in listed if isinstance(value, str | bytes | complex)), None)
    if wrong is not None:
        raise _no_number([wrong], array.dtype, name, fix)
    numbers = [np.nan if value is None or type(value).__name__ == "NAType" else value for value in listed]
    return np.array(numbers, dtype=np.float64).reshape(array.shape)


def _no_number(first: list[Any], dtype: np.dtype[Any], name: str, fix: str) -> KindError:
    where = f"{name} holds {first[0]!r:.40}" if first else f"{name} is empty, of the type {dtype}"
    return KindError(f"{name} must hold numbers", where=where, fix=fix)


def check_choice(
    name: str, value: Any, choices: Sequence[str], synonyms: Mapping[str, str] | None = None
) -> None:
    """Refuse a word that is none of the choices, and name the one that was probably meant.

    synonyms: words that others use, each with the choice that means the same

    >>> check_choice("method", "wilson", ["normal", "wilson"])
    >>> check_choice("method", "wald", ["normal", "wilson"], {"wald": "normal"})
    Traceback (most recent call last):
    heldout.errors.RequestError: method must be 'normal' or 'wilson'
      where: method='wald'
      fix:   did you mean 'normal'?
    """
    if isinstance(value, str) and value in choices:
        return
    allowed = " or ".join([", ".join(map(repr, choices[:-1])), repr(choices[-1])][len(choices) == 1 :])
    word = value.casefold() if isinstance(value, str) else ""
    meant = (synonyms or {}).get(word)
    near = [meant] if meant else difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    error = RequestError if isinstance(value, str) else KindError
    raise error(
        f"{name} must be {allowed}",
        where=f"{name}={value!r:.60}",
        fix=f"did you mean {near[0]!r}?" if near else f"set {name} to one of these",
    )


def check_confidence(confidence: Any) -> float:
    """A confidence as a float strictly between 0 and 1.

    >>> check_confidence(0.95)
    0.95
    >>> check_confidence(95)
    Traceback (most recent call last):
    heldout.errors.RequestError: confidence must be a number above 0 and below 1
      where: confidence=95
      fix:   say 0.95 for 95%
    """
    if isinstance(confidence, Real) and not isinstance(confidence, bool) and 0 < float(confidence) < 1:
        return float(confidence)
    error = RequestError if isinstance(confidence, Real) else KindError
    is_percent = error is RequestError and 1 < float(confidence) < 100
    example = f"say {float(confidence) / 100:g} for {float(confidence):g}%" if is_percent else "use 0.95"
    raise error(
        "confidence must be a number above 0 and below 1", where=f"confidence={confidence!r:.60}", fix=example
    )


def allowed_misses(confidence: float, alpha: float | None) -> float:
    """The share of intervals that may miss: 1 − confidence, or alpha where that is given.

    alpha: for shares too small for a confidence to hold: 1 − 1e-20 is 1

    >>> allowed_misses(0.5, None), allowed_misses(0.95, 1e-20)
    (0.5, 1e-20)
    """
    if alpha is None:
        return 1 - check_confidence(confidence)
    if isinstance(alpha, Real) and not isinstance(alpha, bool) and 0 < float(alpha) < 1:
        return float(alpha)
    raise RequestError(
        "alpha must be a number above 0 and below 1", where=f"alpha={alpha!r:.60}", fix="use 0.05 for 95%"
    )


def normal_z(confidence: float, alpha: float | None = None) -> float:
    """How many standard errors the ends of a normal interval lie away.

    >>> round(normal_z(0.95), 6), round(normal_z(0.95, alpha=1e-20), 4)
    (1.959964, 9.336)
    """
    from statistics import NormalDist  # takes 10 ms; its inverse keeps all digits of the lower tail

    return -NormalDist().inv_cdf(allowed_misses(confidence, alpha) / 2)


def check_count(name: str, value: Any, lowest: int = 0) -> int:
    """A whole number of at least `lowest`, as an int; 3.0 is one, True is none.

    >>> check_count("tp", 3.0)
    3
    >>> check_count("tp", -1)
    Traceback (most recent call last):
    heldout.errors.RequestError: tp must be a whole number of at least 0
      where: tp=-1
      fix:   count rows
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    is_whole = isinstance(value, Integral)  # which may be too large for a float
    if is_number and (is_whole or math.isfinite(float(value))) and value == int(value) >= lowest:
        return int(value)
    raise (RequestError if is_number else KindError)(
        f"{name} must be a whole number of at least {lowest:,}",
        where=f"{name}={value!r:.60}",
        fix="count rows" if lowest == 0 else f"use {lowest:,} or more",
    )


def check_seed(seed: Any) -> int:
    """A seed as an int of at least 0.

    >>> check_seed(7)
    7
    """
    if isinstance(seed, Integral) and not isinstance(seed, bool) and int(seed) >= 0:
        return int(seed)
    raise KindError(
        "seed must be a whole number of at least 0",
        where=f"seed={seed!r:.60}",
        fix="use 0, or any other whole number; the same seed gives the same answer",
    )
