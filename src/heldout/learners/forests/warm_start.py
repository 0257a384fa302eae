"""Whether trees may be added to a forest: the same rows, the same rules, and more trees than before."""

from __future__ import annotations

from typing import Any

from heldout.errors import DataError, RequestError
from heldout.learners.forests.forest_ground import ForestGround


def check_warm_start(learner: Any, ground: ForestGround, rules: str) -> None:
    """Refuse to add trees that would not have grown in the same forest.

    learner: the forest that was fitted before
    rules:   what the further trees grow by
    """
    n_before, where = learner.forest_.n_trees, f"{type(learner).__name__}(warm_start=True)"
    if learner.n_trees < n_before:
        raise RequestError(
            f"n_trees={learner.n_trees} is less than the {n_before} trees that stand",
            where=where,
            fix=f"set n_trees to at least {n_before}, or warm_start=False to begin anew",
        )
    if ground.mark != learner.data_mark_:
        raise DataError(
            "the rows are not those of the trees that stand",
            where=f"{where}: {ground.difference(learner)}",
            fix="hand over the same X, y, groups and sample_weight, or set warm_start=False to begin anew",
        )
    if rules != learner.rules_mark_:
        pairs = zip(rules.split(", "), learner.rules_mark_.split(", "), strict=False)
        changed = [f"{now}, and {before} before" for now, before in pairs if now != before]
        raise RequestError(
            "the parameters have changed, and trees of other rules do not go into the same forest",
            where=f"{where}: {'; '.join(changed)}",
            fix="change n_trees only, or set warm_start=False to begin anew",
        )
