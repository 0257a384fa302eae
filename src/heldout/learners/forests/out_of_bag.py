"""What the trees that have not seen a row predict for it: an honest score without rows set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.warn import warn_user
from heldout.errors import RequestError
from heldout.inputs.array_checks import is_sparse
from heldout.inputs.prediction_inputs import prediction_blocks
from heldout.learners.forests.forest_options import has_rows_out_of_bag, n_drawn_from
from heldout.learners.forests.forest_rows import ForestRows
from heldout.native import forests
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """What is known of the training rows by trees that have not seen them.

    predictions: row × output, for every row that was given; NaN where no tree predicts it
    is_known: which of the rows with a weight have a prediction
    known:    their predictions
    n_trees:  how many trees gave each of them, as a column
    counts:   the sample weight of each of them; None for once
    """

    predictions: Floats
    is_known: NDArray[np.bool_]
    known: Floats
    n_trees: Floats
    counts: Floats | None


def refuse_full_bags(learner: ForestBase, bagging: forests.Bagging, n_rows: int, wanted: str) -> None:
    """Refuse what needs rows out of the bag where every tree sees every row."""
    if has_rows_out_of_bag(bagging, n_rows):
        return
    what = f"no row is out of the bag, so there is no {wanted}"
    if n_drawn_from(bagging.groups, n_rows) == 1:
        only = "row" if bagging.groups is None else "group"
        raise RequestError(
            what,
            where=f"there is only one {only} to draw",
            fix=f"give more than one {only}, or leave the {wanted} out",
        )
    raise RequestError(
        what,
        where=f"{type(learner).__name__}(bootstrap=False, sample_fraction={learner.sample_fraction!r})",
        fix="set bootstrap=True, or a sample_fraction below 1",
    )


def out_of_bag(learner: ForestBase, X: TableLike, training: ForestRows) -> OutOfBag:
    """The out-of-bag predictions of a fitted forest to its training rows."""
    refuse_full_bags(learner, training.bagging_of(learner), training.rows.n_rows, "out-of-bag score")
    sums, n_trees = (_of_sparse if is_sparse(X) else _of_dense)(learner, X, training)
    is_known = n_trees > 0
    with np.errstate(invalid="ignore"):
        shares = sums / n_trees[:, np.newaxis]
    predictions = shares
    if training.kept is not None:
        predictions = np.full((training.n_given, shares.shape[1]), np.nan)
        predictions[training.kept] = shares
    counts = None if training.counts is None else training.counts[is_known]
    n_predicting = n_trees[is_known, np.newaxis].astype(np.float64)
    return OutOfBag(predictions, is_known, shares[is_known], n_predicting, counts)


def _of_dense(learner: ForestBase, X: TableLike, training: ForestRows) -> tuple[Floats, NDArray[np.int32]]:
    [inputs] = prediction_blocks(learner, X, learner.inputs_)
    if training.kept is not None:
        inputs = inputs.take(training.kept)
    return forests.predict_out_of_bag(
        learner.forest_,
        inputs.numbers,
        learner.inputs_.number_of,
        inputs.levels,
        training.bagging_of(learner),
        training.rows.weights,
        learner._is_vote,
        learner._is_regression,
        learner._n_threads,
    )


def _of_sparse(learner: ForestBase, X: TableLike, training: ForestRows) -> tuple[Floats, NDArray[np.int32]]:
    """The same tree by tree, because a sparse matrix comes in blocks of rows and never as a whole."""
    forest, ends = learner.forest_, learner.apply(X)
    ends = ends if training.kept is None else ends[training.kept]
    sums, n_trees = np.zeros((len(ends), forest.value.shape[1])), np.zeros(len(ends), dtype=np.int32)
    bagging = training.bagging_of(learner)
    for tree in range(forest.n_trees):
        bag = forests.in_bag_counts(bagging, tree, len(ends), training.rows.weights)
        is_out = bag == 0
        begin, end = forest.tree_begin[tree : tree + 2].tolist()
        sums[is_out] += learner._tree_predictions(forest.value[begin:end])[ends[is_out, tree]]
        n_trees += is_out
    return sums, n_trees


def warn_of_rows_in_every_bag(found: OutOfBag) -> None:
    """Say how many rows have no out-of-bag prediction, if there are some."""
    n_rows, n_unknown = len(found.is_known), int(np.count_nonzero(~found.is_known))
    if not n_unknown:
        return
    they, them = ("1 row has", "it") if n_unknown == 1 else (f"{n_unknown} rows have", "them")
    warn_user(
        f"{they} no out-of-bag prediction, of {n_rows}: every tree has seen {them}."
        " Grow more trees, or draw fewer rows for each (sample_fraction)",
    )
