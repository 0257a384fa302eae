"""Which trees are grown together: those that differ in limits and prunings only."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.learners.inputs.training_rows import TrainingRows
from heldout.learners.pruning.judged_rows import JudgedRows, given_rows
from heldout.learners.pruning.prune_settings import Pruning, pruning_of, seed_of
from heldout.learners.pruning.set_aside import validation_mask
from heldout.learners.pruning.validation_pair import validation_pair
from heldout.learners.trees.growth import Growth, Limits
from heldout.learners.trees.tree_family import PrunedTree, TreeFamily

# What decides how X and y enter, and what decides how a tree grows from them.
ENTERING = ("categorical", "class_weight")
COSTS = ("feature_costs", "cost_rule", "cost_exponent")
GROWING = (
    "criterion",
    "average_gain",
    "numeric_cuts",
    "categorical_splits",
    "missing",
    "max_leaves",
    "smoothing",
    *COSTS,
)


def pruned_trees(learners: Sequence[Any], rows: TrainingRows, validation: Any) -> list[PrunedTree]:
    """The tree of each learner, all of them from the same rows.

    learners:   trees that differ in parameters, and not in those of `ENTERING`
    rows:       what they learn from
    validation: the X and y to prune by reduced error on; None sets a part of the rows aside
    """
    rows = rows.with_weight()
    seeds = [seed_of(learner.random_state) for learner in learners]
    prunings = [pruning_of(learner, seed) for learner, seed in zip(learners, seeds, strict=True)]
    families: dict[Hashable, list[int]] = {}
    for place, learner in enumerate(learners):
        key = growing_key(learner), _aside_key(learner, seeds[place], validation)
        families.setdefault(key, []).append(place)
    trees: dict[int, PrunedTree] = {}
    for places in families.values():
        members = [learners[place] for place in places]
        family = _family(members, [prunings[place] for place in places], rows, seeds[places[0]], validation)
        for place in places:
            trees[place] = family.pruned(limits_of(learners[place]), prunings[place])
    return [trees[place] for place in range(len(learners))]


def check_validation(learners: Sequence[Any], validation: Any) -> None:
    """Rows to validate on are refused where nothing is pruned by them."""
    if validation is not None and not any(learner.prune == "reduced_error" for learner in learners):
        raise RequestError(
            "validation is given, and nothing is pruned by it",
            where=f"{type(learners[0]).__name__}(prune={learners[0].prune!r})",
            fix='leave validation out, or set prune="reduced_error"',
        )


def limits_of(learner: Any) -> Limits:
    """Where the learner's tree stops to grow."""
    return Limits(
        -1 if learner.max_depth is None else int(learner.max_depth),
        -np.inf if learner.min_gain is None else float(learner.min_gain),
        float(learner.min_leaf),
    )


def entering_key(learner: Any) -> Hashable:
    """Equal for learners whose X and y enter alike."""
    return tuple([hashable(getattr(learner, name, None)) for name in ENTERING])


def growing_key(learner: Any) -> Hashable:
    """Equal for learners whose trees grow alike, up to their limits."""
    names = GROWING if learner.feature_costs is not None else GROWING[: -len(COSTS)]
    return tuple([hashable(getattr(learner, name, None)) for name in names])


def _aside_key(learner: Any, seed: int, validation: Any) -> Hashable:
    """Equal for learners that set the same rows aside before they grow."""
    if learner.prune != "reduced_error" or validation is not None:
        return None
    return float(learner.validation_fraction), seed


def hashable(value: Any) -> Hashable:
    """A parameter as part of a key: equal for equal values."""
    if isinstance(value, np.ndarray):
        return (
            value.shape,
            value.dtype.str,
            value.tobytes() if value.dtype != object else repr(value.tolist()),
        )
    return repr(value)


def _family(
    members: Sequence[Any], prunings: Sequence[Pruning], rows: TrainingRows, seed: int, validation: Any
) -> TreeFamily:
    leader = members[0]
    judge: Callable[[Growth], JudgedRows]
    if leader.prune == "reduced_error" and validation is None:
        is_held = validation_mask(rows, float(leader.validation_fraction), seed)
        rows, held = rows.divided(is_held)

        def judge(growth: Growth) -> JudgedRows:
            return growth.judged(held)
    else:

        def judge(growth: Growth) -> JudgedRows:
            X, y = validation_pair(validation)
            return given_rows(leader, X, y, growth.schema, getattr(leader, "classes_", None))

    planned = [(limits_of(member), pruning) for member, pruning in zip(members, prunings, strict=True)]
    options = leader._options(rows.inputs.schema)
    growth = Growth(rows, options, [limits for limits, _ in planned], leader.missing)
    return TreeFamily(growth, rows, leader.missing, judge, planned)
