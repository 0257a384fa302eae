"""What a forest on the open rows would miss: importances by shuffling, while the rows are at hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import HeldoutError
from heldout.learners.forests.forest_base import ForestBase
from heldout.study.cells.fit_arguments import fit_arguments
from heldout.study.cells.training_part import TrainingPart

if TYPE_CHECKING:
    from heldout.learners.forests.permutation_importances import PermutationImportances
    from heldout.plan.contender import Contender
    from heldout.study.cells.fit_contender import FittedContender
    from heldout.study.cells.work import Work

# Rows × columns × trees: some ten seconds of shuffling.
MOST_SHUFFLED = 500_000_000
TOO_MANY = "Shuffling every column would have taken too long on so many rows and columns."


def forest_importances(
    work: Work, contender: Contender, fitted: FittedContender
) -> tuple[PermutationImportances | None, str]:
    """The importances out of the bag of a contender that was fitted on all open rows, or why there are none.

    Nothing where the learner is no forest.
    """
    forest: Any = fitted.learner
    if not isinstance(forest, ForestBase):
        return None, ""
    part = work.recipe_of(contender).resampled(work.part(np.arange(work.n_rows)))
    if len(part.y) * forest.n_features_in_ * forest.forest_.n_trees > MOST_SHUFFLED:
        return None, TOO_MANY
    prepared = TrainingPart(fitted.prepared(part.X), part.y, part.weights, part.groups)
    try:
        found = forest.permutation_importances(prepared.X, prepared.y, **fit_arguments(forest, prepared))
    except HeldoutError as error:
        # Bags without rows outside, or a preparation that answers otherwise at fit: splits tell it then.
        return None, f"There are no importances by shuffling: {error.what}."
    return _by_variance(found, prepared) if not hasattr(forest, "classes_") else found, ""


def _by_variance(found: PermutationImportances, part: TrainingPart) -> PermutationImportances:
    """Growths of the mean squared error as shares of the target's variance: they have no unit."""
    weights = None if part.weights is None else part.weights / part.weights.max()
    mean = np.average(part.y, weights=weights)
    variance = float(np.average((part.y - mean) ** 2, weights=weights)) or 1.0
    return replace(
        found,
        mean=found.mean / variance,
        standard_error=found.standard_error / variance,
        loss="unexplained share of the variance",
    )
