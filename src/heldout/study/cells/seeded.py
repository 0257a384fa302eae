"""Copies of learners, with seeds where they were given none: the same in every cell."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from sklearn.base import clone

from heldout.learners.learner_copies import PLAIN
from heldout.plan.random_states import with_random_states


def derived_seed(purpose: str, seed: int, digest: str) -> int:
    """A seed that follows from the plan's and from what it is for, and from nothing else.

    >>> derived_seed("contender", 7, "ab") == derived_seed("contender", 7, "ab")
    True
    >>> derived_seed("contender", 7, "ab") == derived_seed("inner folds", 7, "ab")
    False
    """
    found = hashlib.sha256(f"heldout {purpose} 1\n{seed}\n{digest}".encode()).digest()
    return int.from_bytes(found[:4], "little") >> 1


def set_copy(estimator: Any, setting: Mapping[str, Any]) -> Any:
    """A copy that is not fitted, with these parameters; values that are estimators are copied too.

    >>> from heldout import TreeClassifier
    >>> set_copy(TreeClassifier(), {"max_depth": 3}).max_depth
    3
    """
    copied = {name: clone(value, safe=False) for name, value in setting.items()}
    return clone(estimator).set_params(**copied)


def seeded_copy(estimator: Any, setting: Mapping[str, Any], seed: int) -> Any:
    """The same with every random_state set that is None.

    seed: that of the contender

    >>> from heldout import ForestClassifier
    >>> seeded_copy(ForestClassifier(random_state=1), {"random_state": None}, 7).random_state is None
    False
    """
    return with_random_states(set_copy(estimator, setting), seed)


def copy_of_seeded(estimator: Any, setting: Mapping[str, Any], seed: int) -> Any:
    """The same of an estimator that has all its seeds: looked for only where the setting may open one.

    >>> from heldout import ForestClassifier
    >>> seeded = with_random_states(ForestClassifier(), 7)
    >>> copy_of_seeded(seeded, {"n_trees": 5}, 7).random_state == seeded.random_state
    True
    """
    is_plain = all(
        isinstance(value, PLAIN) or (value is None and not name.endswith("random_state"))
        for name, value in setting.items()
    )
    return set_copy(estimator, setting) if is_plain else seeded_copy(estimator, setting, seed)


def seeded_setting(estimator: Any, setting: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The setting as it stands behind `seeded_copy`: where it says random_state=None there is a number.

    >>> from heldout import TreeClassifier
    >>> seeded_setting(TreeClassifier(), {"max_depth": 3}, 7)
    {'max_depth': 3}
    """
    open_names = [name for name, value in setting.items() if value is None and name.endswith("random_state")]
    if not open_names:
        return dict(setting)
    known = seeded_copy(estimator, setting, seed).get_params(deep=True)
    return dict(setting) | {name: known[name] for name in open_names}
