"""What every split can do: make folds of rows, and be a cross-validator of scikit-learn."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.arrays import Rows
from heldout.checks.values import check_flag, check_seed, check_whole
from heldout.errors import RequestError
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts, facts_of_arrays, row_facts
from heldout.text.words import plural
from heldout.types import PerRow, TableLike

if TYPE_CHECKING:
    from heldout.table.task import Task

LARGEST_FOLDS = 1_000_000_000  # bytes that the folds of one split may take


class Split(ABC):
    """A way to choose the rows that are learned from and the rows that are judged.

    Which rows those are depends on the seed and on y, groups and time; the inputs X are never looked at.
    Groups are never split apart, and time only looks forward, without being asked.

    A seed of its own, where a split has one, counts before the one that `folds` is given.
    """

    seed: int | None = None
    test_share: float | None = None

    @property
    @abstractmethod
    def n_folds(self) -> int:
        """How many folds a repeat has."""

    @property
    def n_repeats(self) -> int:
        """How many repeats were asked for; where they would all be alike there is one."""
        return int(getattr(self, "repeats", 1))

    @abstractmethod
    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        """The folds, one after the other."""

    @abstractmethod
    def _n_splits(self, facts: RowFacts) -> int:
        """How many folds there are in all repeats, where they can be made."""

    @abstractmethod
    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        """What is not as one might expect, in sentences."""

    def notes(self, facts: RowFacts | Task, shrink: bool = False) -> tuple[str, ...]:
        """What is not as one might expect of the folds of these rows, in sentences.

        Parameters
        ----------
        facts
            of the rows, or the task that they belong to
        shrink
            as for `folds`
        """
        return self._notes(row_facts(facts), shrink)

    def folds(self, facts: RowFacts | Task, seed: int = 0, shrink: bool = False) -> tuple[Fold, ...]:
        """All folds of all repeats.

        Parameters
        ----------
        facts
            of the rows, or the task that they belong to
        seed
            of the random order, where the split has none of its own
        shrink
            with fewer rows, groups or times than folds make as many folds as can be, at least two
        """
        facts = row_facts(facts)
        if 8 * facts.n_rows * self._n_splits(facts) > LARGEST_FOLDS:
            raise RequestError(
                "so many folds do not fit into memory",
                where=f"{plural(self._n_splits(facts), 'fold')} of {plural(facts.n_rows, 'row')}",
                fix="use KFold(10), or take them one by one from split(…)",
            )
        own = check_seed(seed) if self.seed is None else self.seed
        return tuple(self._each_fold(facts, own, shrink))

    def split(
        self, X: TableLike | Task | None, y: PerRow = None, groups: PerRow = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Pairs of rows to learn from and rows to judge by, as scikit-learn asks for them.

        Parameters
        ----------
        X
            anything with rows, of which only the number counts; or a Task, with its groups and time
        y
            targets; whole numbers, words and booleans are classes, other numbers are regression
        groups
            a label per row
        """
        facts = facts_of_arrays(X, y, groups)
        for fold in self._each_fold(facts, self.seed or 0, False):
            chosen = fold.train if fold.validation is None else np.union1d(fold.train, fold.validation)
            yield chosen, fold.test

    def get_n_splits(self, X: TableLike | Task | None = None, y: PerRow = None, groups: PerRow = None) -> int:
        """How many pairs `split` gives; without X as many as were asked for."""
        if X is None:
            return self.n_folds * self.n_repeats
        return self._n_splits(facts_of_arrays(X, y, groups))

    def get_metadata_routing(self) -> Any:
        """Tells scikit-learn, where routing is switched on, that groups are wanted."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=type(self).__name__)
        request.split.add_request(param="groups", alias=True)
        return request

    def to_dict(self) -> dict[str, Any]:
        """The name of the split and its settings; `split_from_dict` turns it back."""
        assert dataclasses.is_dataclass(self)
        settings = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"split": type(self).__name__, **settings}


def check_settings(split: Split, lowest_k: int = 2) -> None:
    """Check the settings that splits have in common, and keep each as a plain value of Python."""
    checks: dict[str, Callable[[object], object]] = {
        "k": lambda value: check_whole("k", value, lowest=lowest_k),
        "repeats": lambda value: check_whole("repeats", value, lowest=1),
        "stratified": lambda value: check_flag("stratified", value),
        "seed": lambda value: None if value is None else check_seed(value),
    }
    for name, check in checks.items():
        if name in split.__dict__:
            object.__setattr__(split, name, check(getattr(split, name)))
