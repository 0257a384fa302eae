"""The parameters of a forest: what they may be, and what the core makes of them."""

from __future__ import annotations

import math
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.forests.forest_rows import ForestRows
from heldout.learners.parameters import N_JOBS, Parameter, check_parameters
from heldout.native.forests import Bagging, ForestOptions
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase

MAX_FEATURES = Parameter(
    "max_features", choices=("sqrt", "log2", None), number="number", lowest=0, is_above=True
)


def n_drawn_columns(max_features: float | str | None, n_columns: int) -> int:
    """The number of columns that are drawn for each node, at least one.

    max_features: "sqrt", "log2", None for all, a number of columns, or a share of them as a float,
                  which is rounded up
    """
    if max_features is None:
        return n_columns
    if max_features == "sqrt":
        return max(1, math.isqrt(n_columns))
    if max_features == "log2":
        return max(1, n_columns.bit_length() - 1)
    share, is_count = float(max_features), isinstance(max_features, Integral)
    if share > (n_columns if is_count else 1.0):
        raise RequestError(
            f"max_features={max_features!r} is more than there is",
            where=f"X has {plural(n_columns, 'column')}",
            fix=f"set max_features to an integer of at most {n_columns}, or to a share of at most 1.0; None"
            " takes all columns",
        )
    if is_count:
        return int(max_features)
    # A product such as 0.1 * 30 lies a little above its whole number.
    return max(1, math.ceil(share * n_columns - 1e-9))


# What both forests have; each adds its criteria and ways with missing values.
FOREST_PARAMETERS = (
    Parameter("n_trees", number="integer", lowest=1),
    MAX_FEATURES,
    Parameter("bootstrap", choices=(True, False)),
    Parameter("sample_fraction", number="number", lowest=0, is_above=True, highest=1),
    Parameter("categorical", choices=("auto",), types=(list, tuple, np.ndarray)),
    Parameter("categorical_splits", choices=("subset", "multiway", "one_vs_rest")),
    Parameter("max_depth", choices=(None,), number="integer", lowest=0),
    Parameter("min_leaf", number="number", lowest=0, is_above=True),
    Parameter("min_gain", choices=(None,), number="number"),
    Parameter("oob_score", choices=(True, False)),
    Parameter("warm_start", choices=(True, False)),
    Parameter("random_state", choices=(None,), number="integer", types=(np.random.RandomState,)),
    N_JOBS,
)


def check_forest_parameters(learner: ForestBase) -> None:
    """Refuse the first parameter that is not one of its allowed values."""
    if learner.missing == "fractional":
        raise RequestError(
            "a forest does not split rows with missing values among branches",
            where=f"{type(learner).__name__}(missing='fractional')",
            fix='set missing="node_mode", or grow a tree: in the deep trees of a forest parts of rows would'
            " multiply at every level",
        )
    check_parameters(learner, learner._parameters)


def forest_options(learner: ForestBase, training: ForestRows, seed: int, n_threads: int) -> ForestOptions:
    """How the trees of a forest grow from these rows."""
    return ForestOptions(
        criterion=learner.criterion,
        bagging=bagging_of(learner, training.rows, seed),
        max_features=n_drawn_columns(learner.max_features, len(training.schema.columns)),
        categorical_splits=learner.categorical_splits,
        max_depth=-1 if learner.max_depth is None else int(learner.max_depth),
        min_leaf=float(learner.min_leaf),
        min_gain=-np.inf if learner.min_gain is None else float(learner.min_gain),
        n_threads=n_threads,
    )


def rules_mark(learner: ForestBase, options: ForestOptions) -> str:
    """What the trees were grown by, as text: trees of other rules do not go into the same forest."""
    rules = {
        "criterion": options.criterion,
        "max_features": options.max_features,
        "bootstrap": options.bagging.is_bootstrap,
        "draws": options.bagging.n_draws,
        "categorical_splits": options.categorical_splits,
        "missing": learner.missing,
        "max_depth": None if options.max_depth < 0 else options.max_depth,
        "min_leaf": options.min_leaf,
        "min_gain": None if options.min_gain == -np.inf else options.min_gain,
        "seed": options.bagging.seed,
    }
    return ", ".join(f"{name}={value}" for name, value in rules.items())


# A bag has no more draws than this for each row, however much the rows weigh: beyond it a heavier bag tells
# next to nothing, and would only take longer to draw.
MOST_DRAWS_PER_ROW = 16


def bagging_of(learner: ForestBase, rows: TrainingRows, seed: int) -> Bagging:
    """Which rows the trees of a forest see.

    With replacement, the share `sample_fraction` of the total weight is drawn, a row in proportion to its
    weight; without, that share of the rows, all alike, and each counts with its weight. Groups are drawn as a
    whole, all alike, and their rows count with their weights.

    rows: those that have a weight
    """
    share, n_rows = float(learner.sample_fraction), rows.n_rows
    if rows.groups is not None:
        groups = rows.groups.astype(np.uint32)
        n_groups = n_drawn_from(groups, n_rows)
        n_draws = max(round(share * n_groups), 1)
        return Bagging(seed, bool(learner.bootstrap), n_draws, groups)
    if not learner.bootstrap:
        return Bagging(seed, False, min(max(round(share * n_rows), 1), n_rows))
    total = float(n_rows if rows.weights is None else rows.weights.sum())
    return Bagging(seed, True, max(round(min(share * total, MOST_DRAWS_PER_ROW * n_rows)), 1))


def consequence_of_light_rows(learner: ForestBase, has_groups: bool) -> str:
    """What comes of weights far below 1, for the warning."""
    if learner.bootstrap and not has_groups:
        return "a bag draws only as many rows as they weigh together"
    return "min_leaf may forbid every split"


def n_drawn_from(groups: NDArray[np.uint32] | None, n_rows: int) -> int:
    """Of how many a bag is drawn: of the groups, or of the rows."""
    return n_rows if groups is None else int(groups.max()) + 1


def has_rows_out_of_bag(bagging: Bagging, n_rows: int) -> bool:
    """Whether a bag can leave any row out."""
    n_whole = n_drawn_from(bagging.groups, n_rows)
    return n_whole > 1 and (bagging.is_bootstrap or bagging.n_draws < n_whole)


def size_exponent(numbers: NDArray[np.float64]) -> int:
    """The exponent of the largest number, whatever its sign; 0 where all are 0, or there is none.

    Dividing by a power of 2 changes no digit, so what is a ratio of squares stays the same to the bit.
    """
    return int(np.frexp(np.abs(numbers).max(initial=0.0))[1])
