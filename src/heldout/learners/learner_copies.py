"""Copies of a learner for many settings, made for the price of their constructors.

scikit-learn's `clone` asks the constructor for its parameters three times a copy; in a sweep over small data
that takes longer than the learning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone

PLAIN = (str, bytes, bool, int, float)
_NAMES: dict[type, tuple[str, ...]] = {}


class KnownParameters(BaseEstimator):  # type: ignore[misc]
    """A learner whose class is asked once for the names of its parameters."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        if cls not in _NAMES:
            _NAMES[cls] = tuple(super()._get_param_names())
        return list(_NAMES[cls])


def learner_copies(learner: Any, settings: Iterable[Mapping[str, Any]]) -> list[Any]:
    """An unfitted copy of the learner for each setting, which differs from it in these parameters only.

    settings: names of parameters with values; the names are known to be right

    >>> from heldout import TreeClassifier
    >>> [copy.max_depth for copy in learner_copies(TreeClassifier(), [{"max_depth": 1}, {}])]
    [1, None]
    """
    known = clone(learner).get_params(deep=False)
    own = {name for name, value in known.items() if value is not None and not isinstance(value, PLAIN)}
    return [
        # A random state or a dict is not shared: each copy draws and keeps for itself.
        type(learner)(**(known | {name: clone(known[name], safe=False) for name in own} | dict(setting)))
        for setting in settings
    ]
