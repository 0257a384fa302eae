"""What may be asked of neighbors, where it depends on the rows or on several parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.arrays import Floats
from heldout.checks.warn import warn_user
from heldout.errors import HeldoutError, RequestError
from heldout.inputs.input_schema import numbers_by_column
from heldout.learners.parameters import Parameter, refusal
from heldout.types import PerColumn

if TYPE_CHECKING:
    from heldout.learners.neighbors.neighbors_base import NeighborsBase

K = Parameter("k", choices=("all",), number="integer", lowest=1)


def check_k(learner: NeighborsBase, k: int | str, n_rows: int, is_own_left_out: bool = False) -> int:
    """How many neighbors `k` means among so many rows; more than there are is refused.

    is_own_left_out: whether each of the rows is to be its neighbors' neighbor, but not its own
    """
    if not K.allows(k):
        raise refusal(type(learner).__name__, K, k)
    n_most = n_rows - is_own_left_out
    if k == "all" and n_most:
        return n_most
    if k == "all" or int(k) > n_most:
        own = ", and no row is its own neighbor" if is_own_left_out else ""
        raise RequestError(
            f"k={k} neighbors are asked for where n_samples = {n_rows}{own}",
            where=f"{type(learner).__name__}(k={k!r})",
            fix=f'set k to at most {n_most}, or to "all"' if n_most else "hand over more rows",
        )
    return int(k)


def refuse_weighted_mahalanobis(learner: NeighborsBase) -> None:
    """Mahalanobis undoes whatever a column is multiplied with, so weights would have no effect."""
    if learner.metric == "mahalanobis" and learner.feature_weights is not None:
        raise RequestError(
            'feature_weights have no meaning with metric="mahalanobis"',
            where="its covariance scales every column, whatever its weight",
            fix='leave feature_weights out, or use metric="l2"',
        )


def warn_of_unused_bandwidth(learner: NeighborsBase) -> None:
    """Say that a bandwidth has no effect, where no bell is asked for."""
    if learner.bandwidth is not None and learner.weights != "gaussian":
        warn_user(
            f'bandwidth={learner.bandwidth!r} has no effect: it belongs to weights="gaussian"',
        )


def refuse_unused_bandwidth(settings: Sequence[dict[str, Any]], learners: Sequence[NeighborsBase]) -> None:
    """Refuse a sweep over bandwidths of which no setting uses one."""
    is_swept = any("bandwidth" in setting for setting in settings)
    if is_swept and all(learner.weights != "gaussian" for learner in learners):
        raise RequestError(
            "no setting uses the bandwidth",
            where='the space has bandwidth, and no weights="gaussian"',
            fix='add "weights": ["gaussian"] to the space, or leave bandwidth out',
        )


FIX = "give one number of at least 0 per column, or a dict of names and numbers; not all of them 0"


def weights_of_columns(feature_weights: PerColumn, names: list[str]) -> Floats:
    """What each column counts in a distance; 1 for a column that is not named."""
    weights = numbers_by_column(feature_weights, names, _refusal)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise _refusal(f"column '{names[wrong[0]]}' has the weight {weights[wrong[0]]:g}")
    if not weights.any():
        raise _refusal(f"all {len(names)} columns have the weight 0")
    return weights


def _refusal(where: str) -> HeldoutError:
    return RequestError("feature_weights are no weights of the columns", where=where, fix=FIX)
