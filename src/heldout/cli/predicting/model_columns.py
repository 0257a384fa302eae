"""What a model wants of a file: columns by name, each with the kind that it had in training."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from sklearn.base import BaseEstimator

from heldout.errors import DataError, RequestError
from heldout.inputs.input_schema import InputColumn
from heldout.inputs.mixed_arrays import meaning
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.trees.tree_base import TreeBase
from heldout.models.column_values import is_made_of_dates
from heldout.models.pipeline_steps import first_inside, last_inside
from heldout.table.column import LEVEL_KINDS
from heldout.text.words import first_few, nearest_name, plural, shorten, suggestion

_MOST_NAMED = 5


@dataclass(frozen=True)
class WantedColumn:
    """A column of the model."""

    name: str
    kind: str  # as which it is read
    # The words that it had in training, of a category or boolean; None where any are taken
    levels: frozenset[str] | None = field(default=None, repr=False)
    # Whether any prediction depends on it; a tree may never split on a column that it was shown
    is_read: bool = field(default=True, repr=False)

    def knows(self, level: str) -> bool:
        """Whether a training row had this level, of a boolean also in another word."""
        if self.levels is None or level in self.levels:
            return True
        meant = meaning(level) if self.kind == "boolean" else None
        return meant is not None and meant in {meaning(column) for column in self.levels}


@dataclass(frozen=True)
class ModelColumns:
    """The columns of a model in its order, and in which form it takes them."""

    columns: tuple[WantedColumn, ...]
    # "table", "array" for a model that was fitted on one, or "documents" for one column of texts
    form: str = "table"
    is_blind: bool = False  # whether it predicts without looking at them, as baselines do

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


def model_columns(model: BaseEstimator) -> ModelColumns:
    """What a loaded model wants."""
    learner, first = last_inside(model), first_inside(model)
    if not hasattr(learner, "predict"):
        raise RequestError(
            f"this model file holds a {type(learner).__name__}, which prepares rows and predicts nothing",
            where="predict",
            fix="save a learner, or a Pipeline that ends in one",
        )
    is_blind = isinstance(first, BaselineClassifier | BaselineRegressor)
    form = "table" if hasattr(first, "feature_names_in_") else "array"
    if getattr(first, "takes_documents_", False):
        form = "documents"
    read = _read_positions(first)
    wanted = [
        replace(_wanted(column), is_read=read is None or position in read)
        for position, column in enumerate(first.inputs_.columns)
    ]
    return ModelColumns(tuple(wanted), form, is_blind)


def _read_positions(first: BaseEstimator) -> set[int] | None:
    """The positions of the columns that a tree or rules read; None for all others."""
    if isinstance(first, TreeBase):
        features = first.tree_.grown.feature
        return set(features[features >= 0].tolist())
    if isinstance(first, RuleClassifier):
        return {condition.position for rule in first.rules_ for condition in rule.conditions}
    return None


def _wanted(column: InputColumn) -> WantedColumn:
    if column.level_values is not None:
        return WantedColumn(column.name, "date" if is_made_of_dates(column) else "number")
    has_levels = column.kind in LEVEL_KINDS and column.levels
    levels = frozenset(column.levels) if has_levels else None
    return WantedColumn(column.name, column.kind, levels)


def positions_of(
    wanted: ModelColumns, names: Sequence[str], absent: Collection[str] = ()
) -> dict[str, int | None]:
    """Where each column of the model is in the file; None where it is absent, or never read."""
    for name in absent:
        if name not in wanted.names:
            raise RequestError(
                f"the model has no column {name!r}", where="--absent", fix=suggestion(name, wanted.names)
            )
        if name in names:
            raise RequestError(
                f"the file has the column {name!r}, which --absent says it lacks",
                where="--absent",
                fix="leave the option out, or rename that column of the file if it holds something else",
            )
    positions: dict[str, int | None] = {}
    unread = (
        set(wanted.names)
        if wanted.is_blind
        else {column.name for column in wanted.columns if not column.is_read}
    )
    for name in wanted.names:
        # What no prediction depends on is not read, so nothing in it can be refused.
        matches = [position for position, other in enumerate(names) if other == name and name not in unread]
        if len(matches) > 1:
            raise DataError(
                f"{len(matches)} columns of the file are named '{name}', which the model reads",
                where=f"columns {', '.join(str(position + 1) for position in matches[:_MOST_NAMED])}",
                fix="rename all but the one that is meant",
            )
        positions[name] = matches[0] if matches else None
    missing = [
        name for name, position in positions.items() if position is None and name not in {*absent, *unread}
    ]
    if missing:
        raise _missing(missing, wanted, names)
    return positions


def _missing(missing: Sequence[str], wanted: ModelColumns, names: Sequence[str]) -> DataError:
    named = first_few([f"'{shorten(name, 40)}'" for name in missing], _MOST_NAMED)
    free = [name for name in names if name and name not in wanted.names]
    near = nearest_name(missing[0], free, cutoff=0.6)
    meant = f"did you mean {near!r}? " if near is not None else ""
    return DataError(
        f"the file lacks {plural(len(missing), 'column')} of the model: {named}",
        where=f"the model reads {plural(sum(column.is_read for column in wanted.columns), 'column')},"
        f" the file has {plural(len(names), 'column')}",
        fix=f"{meant}name the columns as in training; --absent {shlex.quote(missing[0])} takes one as unknown"
        " in every row",
    )
