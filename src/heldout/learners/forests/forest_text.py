"""A forest in words: how many trees, how large, how good out of the bag, and which columns they ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.learners.trees.tree_text import shown_label
from heldout.table.describe import plural

SHOWN_COLUMNS = 8


def forest_text(learner: Any) -> str:
    """The summary of a fitted forest."""
    n_trees, n_leaves, depth = learner.forest_.n_trees, learner.n_leaves_, learner.depth_
    lines = [
        f"{plural(n_trees, 'tree')} for {learner._aim}, from {plural(learner.n_rows_, 'row')} and"
        f" {plural(learner.n_features_in_, 'column')}",
        f"leaves: {n_leaves:,}, {n_leaves / n_trees:,.1f} in a tree; {plural(depth, 'level')} at most",
    ]
    if hasattr(learner, "oob_score_"):
        lines.append(f"out of bag: {learner._shown_score}")
    return "\n".join([*lines, f"importance: {_shown_importances(learner)}"])


def _shown_importances(learner: Any) -> str:
    shares, names = learner.feature_importances_, learner.inputs_.names
    order = [place for place in np.argsort(-shares, kind="stable").tolist() if shares[place] > 0]
    if not order:
        return "no column splits anything"
    shown = [f"{shown_label(names[place])} {shares[place]:.0%}" for place in order[:SHOWN_COLUMNS]]
    more = [f"… ({len(order) - len(shown):,} more)"] if len(order) > len(shown) else []
    return ", ".join(shown + more)
