"""How a contender is fitted: preparation, learner, settings and seeds, made ready once for all cells."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from heldout.arrays import Rows
from heldout.features.class_balance import resample_rows
from heldout.features.prepare_for import prepare_for
from heldout.learners.readable_learner import PLAIN
from heldout.plan.random_states import with_random_states
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split

if TYPE_CHECKING:
    from heldout.plan.contender import Contender

Setting = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class TrainingPart:
    """Inputs and answers of some rows.

    X:       a Table, or what a preparation made of one
    y:       one target per row
    weights: the sample weight of each row; None where every row counts once
    groups:  the group of each row; None where every row stands alone
    codes:   the index of each target among the sorted classes of the task; None for numbers
    """

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    codes: NDArray[np.int64] | None = None

    def take(self, rows: NDArray[np.intp]) -> TrainingPart:
        """The part at these rows."""
        return TrainingPart(
            self.X.take(rows),
            self.y[rows],
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
            None if self.codes is None else self.codes[rows],
        )

    def resampled(self, how: str | None, seed: int) -> TrainingPart:
        """The part with classes of equal size, or itself where nothing was asked for."""
        return self if how is None else self.take(resample_rows(self.y, how, seed))

    def coded(self) -> TrainingPart:
        """The part with codes for answers: to a learner that only counts them, they are the same."""
        return self if self.codes is None else replace(self, y=self.codes)


@dataclass(frozen=True, eq=False)
class Recipe:
    """A contender before any setting; nothing in it is ever fitted, only copies are.

    name:        of the contender
    preparation: with every seed set; None where nothing is to be done
    learner:     with every seed set
    settings:    in order
    learning:    of each setting what the learner is told, with every seed set
    preparing:   of each setting what the preparation is told
    resample:    None, "down" or "up": classes of equal size in whatever is fitted on
    seed:        for every random_state that is None, and for resampling
    """

    name: str
    preparation: Any
    learner: Any
    settings: tuple[dict[str, Any], ...]
    learning: tuple[dict[str, Any], ...]
    preparing: tuple[dict[str, Any], ...]
    resample: str | None
    seed: int

    def prepared(
        self, setting: Setting, part: TrainingPart, judged: TrainingPart | None = None
    ) -> tuple[Any, TrainingPart, TrainingPart | None]:
        """The fitted preparation, the training part behind it, and rows to judge by behind it.

        setting: parameters of the preparation
        part:    what it is fitted on
        judged:  rows that it only transforms; None where there are none
        """
        if self.preparation is None:
            return None, part, judged
        fitted = copy_of_seeded(self.preparation, setting, self.seed)
        made = fitted.fit_transform(part.X, part.y)
        later = None if judged is None else replace(judged, X=fitted.transform(judged.X))
        return fitted, replace(part, X=made), later

    def unfitted(self, setting: Setting) -> Any:
        """A copy of the learner with this setting of its own."""
        return copy_of_seeded(self.learner, setting, self.seed)

    def resampled(self, part: TrainingPart) -> TrainingPart:
        """What is fitted on of a training part."""
        return part.resampled(self.resample, self.seed)


def recipe_for(contender: Contender, X: Any, seed: int, settings: Any = None) -> Recipe:
    """The recipe of a contender for inputs of these kinds.

    X:        a Table; only the kinds of its columns are looked at
    seed:     for every random_state that is None
    settings: left out, those of the contender
    """
    listed = tuple(contender.settings() if settings is None else settings)
    parts = [contender.divided(setting) for setting in listed]
    preparing = tuple(rest for _, rest in parts)
    preparation = preparation_of(contender, X)
    if does_nothing(preparation) and not any(preparing):
        preparation = None
    learner = with_random_states(contender.learner, seed)
    return Recipe(
        name=contender.name,
        preparation=None if preparation is None else with_random_states(preparation, seed),
        learner=learner,
        settings=listed,
        learning=tuple(seeded_setting(learner, ours, seed) for ours, _ in parts),
        preparing=preparing,
        resample=contender.resample,
        seed=seed,
    )


def preparation_of(contender: Contender, X: Any) -> Any:
    """A preparation that is not fitted yet; None where none is wanted.

    X: a Table; only the kinds of its columns are looked at
    """
    prepare = contender.prepare
    return prepare_for(contender.learner, X) if isinstance(prepare, str) else prepare


def does_nothing(preparation: Any) -> bool:
    """Whether a preparation hands every row through as it is."""
    if preparation is None or (isinstance(preparation, str) and preparation == "passthrough"):
        return True
    is_pipeline = type(preparation) is Pipeline
    return is_pipeline and all(does_nothing(step) for _, step in preparation.steps)


def group_alike(settings: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The places of equal settings of a preparation, which is fitted once for each of these lists."""
    groups: dict[Any, list[int]] = {}
    for index, setting in enumerate(settings):
        # Values may be anything. The same object is surely equal; others are at worst prepared for twice.
        key = tuple((name, id(value)) for name, value in setting.items())
        groups.setdefault(key, []).append(index)
    return list(groups.values())


def derived_seed(purpose: str, seed: int, digest: str) -> int:
    """A seed that follows from the plan's and from what it is for, and from nothing else."""
    found = hashlib.sha256(f"heldout {purpose} 1\n{seed}\n{digest}".encode()).digest()
    return int.from_bytes(found[:4], "little") >> 1


def set_copy(estimator: Any, setting: Mapping[str, Any]) -> Any:
    """A copy that is not fitted, with these parameters; values that are estimators are copied too."""
    copied = {name: clone(value, safe=False) for name, value in setting.items()}
    return clone(estimator).set_params(**copied)


def seeded_copy(estimator: Any, setting: Mapping[str, Any], seed: int) -> Any:
    """The same with every random_state set that is None.

    seed: that of the contender
    """
    return with_random_states(set_copy(estimator, setting), seed)


def copy_of_seeded(estimator: Any, setting: Mapping[str, Any], seed: int) -> Any:
    """The same of an estimator that has all its seeds: looked for only where the setting may open one."""
    is_plain = all(
        isinstance(value, PLAIN) or (value is None and not name.endswith("random_state"))
        for name, value in setting.items()
    )
    return set_copy(estimator, setting) if is_plain else seeded_copy(estimator, setting, seed)


def seeded_setting(estimator: Any, setting: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The setting as it stands behind `seeded_copy`: where it says random_state=None there is a number."""
    open_names = [name for name, value in setting.items() if value is None and name.endswith("random_state")]
    if not open_names:
        return dict(setting)
    known = seeded_copy(estimator, setting, seed).get_params(deep=True)
    return dict(setting) | {name: known[name] for name in open_names}


@dataclass(frozen=True, eq=False)
class InnerFold:
    """Rows to fit each setting on, and rows to judge it by; both are positions in the whole work."""

    train: Rows
    judged: Rows


def folds_within(tuning: Split, facts: RowFacts, rows: Rows, seed: int, digest: str) -> tuple[InnerFold, ...]:
    """The folds of a tuning inside some rows.

    Where there are fewer groups or rows of a class than folds, there are as many folds as there can be.

    tuning: the split
    facts:  of all rows
    rows:   those that may be used
    seed:   of the plan
    digest: of the rows
    """
    found = tuning.folds(facts.take(rows), seed=derived_seed("inner folds", seed, digest), shrink=True)
    return tuple(InnerFold(rows[fold.train], rows[fold.test]) for fold in found)


def validation_fold(fold: Fold) -> InnerFold:
    """The one inner fold of a rotating validation: fit on the training rows, judge by the validation rows."""
    assert fold.validation is not None
    return InnerFold(fold.train, fold.validation)
