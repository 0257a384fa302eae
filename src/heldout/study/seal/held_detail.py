"""What `detail="full"` shows of the held rows: every answer beside the truth, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError

if TYPE_CHECKING:
    from heldout.metrics.confusion import Confusion
    from heldout.metrics.precision_recall import PrecisionRecall
    from heldout.metrics.roc import Roc
    from heldout.table.table import Table


@dataclass(frozen=True, eq=False)
class HeldDetail:
    """The held rows, one by one.

    kind:     "classification" or "regression"
    classes:  the names of the classes, in their order
    positive: of two classes the one to spot
    arrays:   `rows` (positions among the rows of the task), `truth` and `answers` (places of classes, or
              values), and `probabilities` (rows × classes) where the model gives them

    >>> arrays = {"rows": np.array([3, 8]), "truth": np.array([0, 1]), "answers": np.array([0, 0])}
    >>> detail = HeldDetail("classification", ("no", "yes"), "yes", arrays)
    >>> detail.confusion().accuracy, detail.predictions()["answer"].labels()
    (0.5, ['no', 'no'])
    """

    kind: str
    classes: tuple[Any, ...]
    positive: Any
    arrays: Mapping[str, NDArray[Any]]

    def _named(self, name: str) -> NDArray[Any]:
        found = self.arrays[name]
        return np.array(self.classes)[found] if self.kind == "classification" else found

    def confusion(self) -> Confusion:
        """The counts of truth against answers."""
        from heldout.metrics.confusion import confusion

        self._require_classes("a confusion")
        labels = list(self.classes)
        return confusion(self._named("truth"), self._named("answers"), labels, None, self.positive)

    def roc(self) -> Roc:
        """The ROC curve of the class to spot."""
        from heldout.metrics.roc import roc

        return roc(self._named("truth"), self._scores("a ROC curve"), positive=self.positive)

    def precision_recall(self) -> PrecisionRecall:
        """The precision-recall curve of the class to spot."""
        from heldout.metrics.precision_recall import precision_recall

        scores = self._scores("a precision-recall curve")
        return precision_recall(self._named("truth"), scores, positive=self.positive)

    def predictions(self) -> Table:
        """A row for each held row: its position, the truth, the answer."""
        from heldout.table.column import Column, category_column
        from heldout.table.table import Table

        columns = [Column("row", "number", self.arrays["rows"].astype(np.float64))]
        for name, of in (("truth", "truth"), ("answer", "answers")):
            values = self._named(of)
            if self.kind == "classification":
                columns.append(category_column(name, [str(value) for value in values.tolist()]))
            else:
                columns.append(Column(name, "number", values.astype(np.float64)))
        return Table(columns)

    def _scores(self, what: str) -> NDArray[np.float64]:
        self._require_classes(what)
        if self.positive is None or "probabilities" not in self.arrays:
            raise RequestError(
                f"{what} needs two classes and probabilities",
                where=f"{len(self.classes)} classes, probabilities: {'probabilities' in self.arrays}",
                fix="use confusion() or predictions()",
            )
        found: NDArray[np.float64] = self.arrays["probabilities"][:, self.classes.index(self.positive)]
        return found

    def _require_classes(self, what: str) -> None:
        if self.kind != "classification":
            raise RequestError(
                f"{what} is that of classes", where="the task is a regression", fix="use predictions()"
            )
