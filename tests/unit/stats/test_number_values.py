"""Numbers as they come in: what NumPy would turn into a number without a word is refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

from heldout.errors import InputTypeError
from heldout.metrics import brier, confusion, log_loss, mse, one_vs_rest_auc, roc
from heldout.stats.checked_values import plain_numbers

NO_NUMBERS = {
    "words": ["0.1", "0.2"],
    "complex": np.array([1j, 0.5]),
    "dates": np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
    "date objects": [date(2020, 1, 1), date(2021, 1, 1)],
    "too large": [10**400, 1],
    "ragged": [[1.0], [1.0, 2.0]],
    "words among numbers": np.array([0.5, "0.2"], dtype=object),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_number_is_refused_everywhere(name: str) -> None:
    """Scores, weights, probabilities and values of another kind end in an InputTypeError, not in a cast."""
    values: Any = NO_NUMBERS[name]
    for judge in (
        lambda: roc([0, 1], values),
        lambda: confusion([0, 1], [0, 1], weights=values),
        lambda: log_loss([0, 1], values),
        lambda: brier([0, 1], values),
        lambda: mse([0.0, 1.0], values),
        lambda: mse(values, [0.0, 1.0]),
        lambda: one_vs_rest_auc([0, 1], values),
    ):
        with pytest.raises(InputTypeError, match="must hold numbers"):
            judge()


def test_gaps_become_nan_and_numbers_stay() -> None:
    """None and the NA of pandas are NaN; booleans, whole numbers and their shape stay."""
    assert np.isnan(plain_numbers(pd.Series([1, None], dtype="Int64"), "scores", "")[1])
    assert plain_numbers([[True, 2], [3, None]], "scores", "")[0].tolist() == [1.0, 2.0]
    assert plain_numbers([], "scores", "").shape == (0,)
