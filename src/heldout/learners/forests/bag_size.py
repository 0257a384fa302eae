"""How many rows are drawn for a tree: a weight counts as a number of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.training_rows import TrainingRows
from heldout.native.forests import Bagging

# A bag has no more draws than this for each row, however much the rows weigh: beyond it a heavier bag tells
# next to nothing, and would only take longer to draw.
MOST_DRAWS_PER_ROW = 16


def bagging_of(learner: Any, rows: TrainingRows, seed: int) -> Bagging:
    """Which rows the trees of a forest see.

    With replacement, the share `sample_fraction` of the total weight is drawn, a row in proportion to its
    weight; without, that share of the rows, all alike, and each counts with its weight. Groups are drawn as a
    whole, all alike, and their rows count with their weights.

    rows: those that have a weight
    """
    share, n_rows = float(learner.sample_fraction), rows.n_rows
    if rows.groups is not None:
        groups = rows.groups.astype(np.uint32)
        n_groups = n_drawn_from(groups, n_rows)
        n_draws = max(round(share * n_groups), 1)
        return Bagging(seed, bool(learner.bootstrap), n_draws, groups)
    if not learner.bootstrap:
        return Bagging(seed, False, min(max(round(share * n_rows), 1), n_rows))
    total = float(n_rows if rows.weights is None else rows.weights.sum())
    return Bagging(seed, True, max(round(min(share * total, MOST_DRAWS_PER_ROW * n_rows)), 1))


def consequence_of_light_rows(learner: Any, has_groups: bool) -> str:
    """What comes of weights far below 1, for the warning."""
    if learner.bootstrap and not has_groups:
        return "a bag draws only as many rows as they weigh together"
    return "min_leaf may forbid every split"


def n_drawn_from(groups: NDArray[np.uint32] | None, n_rows: int) -> int:
    """Of how many a bag is drawn: of the groups, or of the rows."""
    return n_rows if groups is None else int(groups.max()) + 1


def has_rows_out_of_bag(bagging: Bagging, n_rows: int) -> bool:
    """Whether a bag can leave any row out."""
    n_whole = n_drawn_from(bagging.groups, n_rows)
    return n_whole > 1 and (bagging.is_bootstrap or bagging.n_draws < n_whole)
