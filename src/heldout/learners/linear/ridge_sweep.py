"""The sweep of ridge: every penalty from one decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.numeric_inputs import numeric_rows
from heldout.learners.separate_sweep import SeparateSweep


class RidgeSweep(SeparateSweep):
    """Settings of ridge, each fitted; X is read once for all of them."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The answers of all settings: one row for each setting, one column for each row of X."""
        first = self._models[0]
        matrix = numeric_rows(first, X, first.inputs_, accepts_sparse=True)
        # One product for all would round differently than `model(i).predict` does.
        return np.stack([model._answers(matrix) for model in self._models])
