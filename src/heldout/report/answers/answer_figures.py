"""The pictures of the answers, in the order in which a reader asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.report.answers.class_figures import areas_figure, confusion_figure, reliability_figure
from heldout.report.answers.curve_figures import precision_figure, roc_figure
from heldout.report.answers.residual_figures import distribution_figure, predicted_figure, residuals_figure
from heldout.report.figure import Figure


def answer_figures(answers: Mapping[str, Any]) -> list[Figure]:
    """Figures with their words and tables, as far as the answers allow.

    answers: as `answers_summary` gives them; none of nothing

    >>> answer_figures({})
    []
    >>> answer_figures({"problem": "They cannot be shown."})[0].takeaway
    'They cannot be shown.'
    """
    if "problem" in answers:
        return [Figure("Predictions", str(answers["problem"]))]
    makers = {
        "roc": roc_figure,
        "precision_recall": precision_figure,
        "confusion": confusion_figure,
        "class_areas": areas_figure,
        "reliability": reliability_figure,
    }
    figures = [make(answers) for name, make in makers.items() if answers.get(name)]
    if answers.get("residuals"):
        is_drawn = not answers["residuals"]["is_constant"]
        residual = [predicted_figure, *([residuals_figure] if is_drawn else []), distribution_figure]
        figures += [make(answers) for make in residual]
    return figures
