"""Random states that follow from the seed of the plan, so that a cell is the same wherever it is run."""

from __future__ import annotations

import hashlib
from typing import Any

from sklearn.base import clone

from heldout.plan.contender import Contender


def contender_seed(contender: Contender, seed: int) -> int:
    """The seed of a contender's random choices: the same in all of its cells, another for each contender.

    seed: of the plan
    """
    return _drawn(f"{seed} {contender.digest}")


def with_random_states(estimator: Any, seed: int) -> Any:
    """A copy in which every random_state that is None, at any depth, is a whole number.

    seed: that of the contender
    """
    copied = clone(estimator)
    parameters = copied.get_params(deep=True)
    missing = [
        name
        for name in sorted(parameters)
        if name.rpartition("__")[2] == "random_state" and parameters[name] is None
    ]
    if missing:
        copied.set_params(**{name: _drawn(f"{seed} {name}") for name in missing})
    return copied


def _drawn(words: str) -> int:
    """A whole number from 0 to 2³¹ − 1, which every learner takes as a seed."""
    return int.from_bytes(hashlib.sha256(f"heldout seed 1\n{words}".encode()).digest()[:4], "big") >> 1
