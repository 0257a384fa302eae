"""What of a tree's parameters decides how it is pruned; the rest does not make two prunings different."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.checks.warn import warn_user
from heldout.errors import RequestError
from heldout.types import RandomState

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

# The pruning that asks for each parameter.
PRUNING_WITH = {
    "prune_alpha": "cost_complexity",
    "prune_confidence": "pessimistic",
    "raise_subtrees": "pessimistic",
    "prune_significance": "chi_square",
    "prune_order": "reduced_error",
    "prune_ties": "reduced_error",
    "validation_fraction": "reduced_error",
}


@dataclass(frozen=True)
class Pruning:
    """A pruning and the parameters that it asks for; the others keep their defaults here.

    name:           as `prune`
    alpha:          of "cost_complexity"; None finds it in folds
    seed:           of the folds
    confidence:     of "pessimistic"
    raise_subtrees: of "pessimistic"
    significance:   of "chi_square"
    order, ties:    of "reduced_error"
    """

    name: str | None
    alpha: float | None = None
    seed: int = 0
    confidence: float = 0.25
    raise_subtrees: bool = True
    significance: float = 0.05
    order: str = "best_first"
    ties: bool = True


def pruning_of(learner: TreeBase, seed: int) -> Pruning:
    """The pruning that the parameters of a tree ask for."""
    name = learner.prune
    if name == "cost_complexity":
        if isinstance(learner.prune_alpha, str):
            return Pruning(name, seed=seed)
        return Pruning(name, alpha=float(learner.prune_alpha))
    if name == "pessimistic":
        return Pruning(
            name, confidence=float(learner.prune_confidence), raise_subtrees=bool(learner.raise_subtrees)
        )
    if name == "chi_square":
        return Pruning(name, significance=float(learner.prune_significance))
    if name == "reduced_error":
        return Pruning(name, order=learner.prune_order, ties=bool(learner.prune_ties))
    return Pruning(name)


def refuse_unused(settings: Sequence[Mapping[str, Any]], prunings: Sequence[str | None]) -> None:
    """Refuse settings of a sweep that name a parameter which none of them prunes by.

    prunings: the `prune` of each setting
    """
    for name, pruning in PRUNING_WITH.items():
        if pruning not in prunings and any(name in setting for setting in settings):
            others = ", ".join(map(repr, dict.fromkeys(prunings)))
            raise RequestError(
                f"{name} is in the space, and no setting prunes by it",
                where=f"{name} belongs to prune={pruning!r}; the settings have {others}",
                fix=f'add "prune": ["{pruning}"], or leave {name} out',
            )


def warn_of_unused(learner: TreeBase) -> None:
    """Say which parameters were changed that the learner's pruning does not ask for."""
    defaults = type(learner)().get_params(deep=False)
    for name, pruning in PRUNING_WITH.items():
        if pruning == learner.prune or name not in defaults:
            continue
        value = getattr(learner, name)
        if value != defaults[name]:
            warn_user(
                f"{name}={value!r} has no effect: it belongs to prune={pruning!r}, and prune is"
                f" {learner.prune!r}",
            )


def seed_of(random_state: RandomState) -> int:
    """The seed of what is set aside: None is 0, so that the same data give the same tree."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return 0 if random_state is None else int(random_state) % 2**64
