"""What a user may request, and how all else is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from heldout.checks.values import (
    check_amount,
    check_choice,
    check_confidence,
    check_count,
    check_flag,
    check_seed,
    check_share,
    check_whole,
)
from heldout.errors import InputTypeError, RequestError


def test_values_come_back_as_plain_ones() -> None:
    """What NumPy holds is a value of Python afterwards."""
    assert type(check_whole("k", np.int64(5), lowest=2)) is int
    assert type(check_flag("stratified", np.True_)) is bool
    assert type(check_confidence(np.float64(0.9))) is float
    assert (check_count("tp", 3.0), check_count("tp", 10**400)) == (3, 10**400)
    assert (check_seed(7), check_share("held", 1), check_amount("bits", 12)) == (7, 1.0, 12.0)
    check_choice("method", "wilson", ["normal", "wilson"])


@pytest.mark.parametrize(
    ("request_value", "error", "what"),
    [
        (lambda: check_whole("k", 1, lowest=2), RequestError, "k must be a whole number of at least 2"),
        (lambda: check_whole("k", 3.0, lowest=2), InputTypeError, "k must be a whole number of at least 2"),
        (lambda: check_whole("k", True, lowest=0), InputTypeError, "k must be a whole number of at least 0"),
        (lambda: check_flag("log", 1), InputTypeError, "log must be True or False"),
        (lambda: check_count("tp", -1), RequestError, "tp must be a whole number of at least 0"),
        (lambda: check_count("tp", 2.5), RequestError, "tp must be a whole number of at least 0"),
        (lambda: check_count("tp", math.inf), RequestError, "tp must be a whole number of at least 0"),
        (lambda: check_count("tp", "3"), InputTypeError, "tp must be a whole number of at least 0"),
        (lambda: check_seed(-1), InputTypeError, "seed must be a whole number of at least 0"),
        (lambda: check_share("held", "half"), InputTypeError, "held must be a number"),
        (lambda: check_share("held", 1.0, is_open=True), RequestError, "held must be a number above 0"),
        (lambda: check_amount("bits", math.inf), RequestError, "bits must be a finite number of at least 0"),
        (lambda: check_confidence(math.nan), RequestError, "confidence must be a number above 0 and below 1"),
        (lambda: check_confidence("95%"), InputTypeError, "confidence must be a number above 0 and below 1"),
    ],
)
def test_refusals(request_value: Callable[[], object], error: type[Exception], what: str) -> None:
    """A wrong type is an InputTypeError, a wrong value of the right type a RequestError."""
    with pytest.raises(error, match=what):
        request_value()


@pytest.mark.parametrize(
    ("request_value", "fix"),
    [
        (lambda: check_share("held", 80), "say 0.8 for 80%"),
        (lambda: check_confidence(95), "say 0.95 for 95%"),
        (lambda: check_choice("method", "wald", ["normal"], {"wald": "normal"}), "did you mean 'normal'?"),
        (lambda: check_choice("method", "norml", ["normal", "wilson"]), "did you mean 'normal'?"),
        (lambda: check_choice("method", 3, ["normal", "wilson"]), "set method to one of these"),
    ],
)
def test_ways_out(request_value: Callable[[], object], fix: str) -> None:
    """A share in percents and a word that is near are understood, and the right one is named."""
    with pytest.raises((RequestError, InputTypeError)) as caught:
        request_value()
    assert caught.value.fix == fix
