"""What a run did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heldout.stats.result import plain
from heldout.study.runners.runner import CellFailure
from heldout.study.runs.progress import duration
from heldout.table.describe import plural


@dataclass(frozen=True)
class RunSummary:
    """What a run did.

    plan:     the digest of the plan
    n_cells:  how many cells the plan has
    n_found:  how many the ledger had already
    n_run:    how many this run has added
    failures: the cells that gave no result, with the reason
    names:    of the contenders of the failures
    seconds:  how long it took

    >>> print(RunSummary("ab12", n_cells=30, n_found=10, n_run=20, seconds=4.2))
    20 of 30 fits in 4.2 s, 10 were there already
    """

    plan: str
    n_cells: int
    n_found: int
    n_run: int
    failures: tuple[CellFailure, ...] = ()
    names: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether every cell of the plan has a result."""
        return self.n_found + self.n_run == self.n_cells

    def __str__(self) -> str:
        words = f"{self.n_run} of {plural(self.n_cells, 'fit')} in {duration(self.seconds)}"
        if self.n_found:
            words += f", {self.n_found} were there already"
        lines = [f"  {name}, {failure}" for name, failure in zip(self.names, self.failures, strict=True)]
        if lines:
            words += f", {len(lines)} failed; running the plan again tries them again:"
        return "\n".join([words, *lines])

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON can hold it."""
        record: dict[str, Any] = plain(self)
        return record
