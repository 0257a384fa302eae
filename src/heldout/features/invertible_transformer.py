"""Transformers of numbers whose step can be undone."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from heldout.features.forms.entry import entry_after_fit
from heldout.features.number_transformer import NumberTransformer, entry_matrix
from heldout.learners.inputs.input_schema import InputSchema


class InvertibleTransformer(NumberTransformer):
    """Has `inverse_transform`, which gives back what came, up to rounding."""

    @abstractmethod
    def _revert(self, matrix: Any, names: list[str]) -> Any:
        """These rows as they were before the step, as a new matrix of the same columns."""

    def inverse_transform(self, X: Any) -> Any:
        """The rows as they were before this step, in the form in which X comes; dates are dates again.

        X: what `transform` gave
        """
        self._check_is_fitted()
        entry = entry_after_fit(self, X, self._schema_out())
        reverted = self._revert(entry_matrix(entry, self.columns_), self._acted_names)
        return self._placed(X, entry, reverted, self._acted_kinds)

    def _schema_out(self) -> InputSchema:
        """The columns that leave: those that are acted on are numbers."""
        if self.inputs_.kinds == {"number"}:
            return self.inputs_
        acted = set(self.columns_.tolist())
        known = [
            replace(column, kind="number") if place in acted else column
            for place, column in enumerate(self.inputs_.columns)
        ]
        return InputSchema(tuple(known))
