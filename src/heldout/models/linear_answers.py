"""What every export needs of a linear model: its columns, and the weighted sums that answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.inputs.mixed_arrays import FALSE_WORDS, TRUE_WORDS, meaning
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.models.tree_answers import Label, plain_labels


@dataclass(frozen=True, eq=False)
class LinearAnswers:
    """Weighted sums of the columns, and the classes as plain values.

    learner:    the name of the learner's class
    schema:     the columns
    labels:     the classes; None for a regression
    weights:    function × column: of a regression and of two classes one function, else one for each class
    intercepts: one for each function; a sum begins with it, and adds the columns in their order
    """

    learner: str
    schema: InputSchema
    labels: tuple[Label, ...] | None
    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]


def linear_answers(model: Any, caller: str) -> LinearAnswers:
    """What a fitted LinearRegressor, RidgeRegressor or Perceptron answers.

    caller: what was called, for the error
    """
    if hasattr(model, "updates_"):
        raise RequestError(
            "a voted perceptron has no single row of weights that could be exported",
            where=f"{caller}: {model.n_mistakes_:,} rows of weights vote",
            fix='fit variant="averaged", whose weights are the mean of them, or keep it with ho.save',
        )
    return LinearAnswers(
        learner=type(model).__name__,
        schema=model.inputs_,
        labels=plain_labels(model.classes_, caller) if hasattr(model, "classes_") else None,
        weights=np.atleast_2d(model.coef_),
        intercepts=np.atleast_1d(model.intercept_),
    )


def boolean_words(column: InputColumn) -> tuple[dict[str, float], dict[str, float]]:
    """0 or 1 for each level of a boolean as it stands, and for words in small letters by what they mean."""
    exact = boolean_numbers(column.levels)
    if all(meaning(level) is None for level in column.levels):
        return exact, {}
    return exact, dict.fromkeys(FALSE_WORDS, 0.0) | dict.fromkeys(TRUE_WORDS, 1.0)
