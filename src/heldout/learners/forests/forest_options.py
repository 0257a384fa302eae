"""The parameters of a forest: what they may be, and what the core makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.learners.forests.bag_size import bagging_of
from heldout.learners.forests.feature_count import MAX_FEATURES, n_drawn_columns
from heldout.learners.forests.forest_ground import ForestGround
from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.threads import N_JOBS
from heldout.native.forests import ForestOptions

# What both forests have; each adds its criteria and ways with unknown values.
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


def check_forest_parameters(learner: Any) -> None:
    """Refuse the first parameter that is not one of its allowed values."""
    if learner.missing == "fractional":
        raise RequestError(
            "a forest does not split rows with unknown values among branches",
            where=f"{type(learner).__name__}(missing='fractional')",
            fix='set missing="node_mode", or grow a tree: in the deep trees of a forest parts of rows would'
            " multiply at every level",
        )
    check_parameters(learner, learner._parameters)


def forest_options(learner: Any, ground: ForestGround, seed: int, n_threads: int) -> ForestOptions:
    """How the trees of a forest grow from these rows."""
    return ForestOptions(
        criterion=learner.criterion,
        bagging=bagging_of(learner, ground.rows, seed),
        max_features=n_drawn_columns(learner.max_features, len(ground.schema.columns)),
        categorical_splits=learner.categorical_splits,
        max_depth=-1 if learner.max_depth is None else int(learner.max_depth),
        min_leaf=float(learner.min_leaf),
        min_gain=-np.inf if learner.min_gain is None else float(learner.min_gain),
        n_threads=n_threads,
    )


def rules_mark(learner: Any, options: ForestOptions) -> str:
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
