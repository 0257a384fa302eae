"""The preparation of a contender, before it is fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sklearn.pipeline import Pipeline

from heldout.features.prepare_for import prepare_for

if TYPE_CHECKING:
    from heldout.plan.contender import Contender


def preparation_of(contender: Contender, X: Any) -> Any:
    """A preparation that is not fitted yet; None where none is wanted.

    X: a Table; only the kinds of its columns are looked at

    >>> import heldout as ho
    >>> X = ho.Task(ho.datasets.load("penguins"), target="species").X
    >>> preparation_of(ho.Contender("near", ho.NeighborsClassifier()), X)
    Pipeline(steps=[('fill', FillMissing()), ('scale', Scale()),
                    ('encode', OneHot())])
    """
    prepare = contender.prepare
    return prepare_for(contender.learner, X) if isinstance(prepare, str) else prepare


def does_nothing(preparation: Any) -> bool:
    """Whether a preparation hands every row through as it is.

    >>> does_nothing(Pipeline([("nothing", "passthrough")]))
    True
    """
    if preparation is None or (isinstance(preparation, str) and preparation == "passthrough"):
        return True
    is_pipeline = type(preparation) is Pipeline
    return is_pipeline and all(does_nothing(step) for _, step in preparation.steps)


def places_alike(settings: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The places of equal settings of a preparation, which is fitted once for each of these lists.

    >>> places_alike([{"n": 2}, {"n": 4}, {"n": 2}])
    [[0, 2], [1]]
    """
    groups: dict[Any, list[int]] = {}
    for place, setting in enumerate(settings):
        # Values may be anything. The same object is surely equal; others are at worst prepared for twice.
        key = tuple((name, id(value)) for name, value in setting.items())
        groups.setdefault(key, []).append(place)
    return list(groups.values())
