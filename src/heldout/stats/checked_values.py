"""Numbers as they come in: lists, arrays, series and columns; words, dates and complex numbers are none."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.checks.values import check_confidence
from heldout.errors import InputTypeError, RequestError


def plain_numbers(values: Any, name: str, fix: str) -> NDArray[np.float64]:
    """The values as float64 in whatever shape they have; a gap becomes NaN.

    NumPy alone would read "0.5" as a number, count the days of a date, and drop the imaginary part.

    name: what errors call them
    fix:  what errors advise
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = _unmarked(array, name, fix)
        if array.dtype.kind in "biuf":
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputTypeError):
            raise
        raise InputTypeError(
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


def _no_number(first: list[Any], dtype: np.dtype[Any], name: str, fix: str) -> InputTypeError:
    where = f"{name} holds {first[0]!r:.40}" if first else f"{name} is empty, of the type {dtype}"
    return InputTypeError(f"{name} must hold numbers", where=where, fix=fix)


def allowed_misses(confidence: float, alpha: float | None) -> float:
    """The share of intervals that may miss: 1 − confidence, or alpha where that is given.

    alpha: for shares too small for a confidence to hold: 1 − 1e-20 is 1
    """
    if alpha is None:
        return 1 - check_confidence(confidence)
    if isinstance(alpha, Real) and not isinstance(alpha, bool) and 0 < float(alpha) < 1:
        return float(alpha)
    raise RequestError(
        "alpha must be a number above 0 and below 1", where=f"alpha={alpha!r:.60}", fix="use 0.05 for 95%"
    )


def normal_z(confidence: float, alpha: float | None = None) -> float:
    """How many standard errors the ends of a normal interval lie away."""
    from statistics import NormalDist  # takes 10 ms; its inverse keeps all digits of the lower tail

    return -NormalDist().inv_cdf(allowed_misses(confidence, alpha) / 2)
