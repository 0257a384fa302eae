"""The figures of the models that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heldout.report.figure import Figure
from heldout.report.models.number_figures import (
    coefficient_figure,
    importance_figure,
    rule_figure,
    share_figure,
)
from heldout.report.models.tree_figure import tree_figure

_DRAWN: dict[str, Callable[[Mapping[str, Any]], Figure]] = {
    "tree": tree_figure,
    "rules": rule_figure,
    "coefficients": coefficient_figure,
    "importances": importance_figure,
    "class": share_figure,
}


def model_figures(models: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], list[Figure]]]:
    """Each model with its figures; a model that has nothing to draw has none.

    models: as `summarize` gives them

    >>> [(model["form"], len(figures)) for model, figures in model_figures([{"form": "rows"}])]
    [('rows', 0)]
    """
    return [(model, [_DRAWN[model["form"]](model)] if model["form"] in _DRAWN else []) for model in models]
