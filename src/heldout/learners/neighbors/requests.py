"""What may be asked of neighbors, where it depends on the rows or on several parameters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from heldout.errors import RequestError
from heldout.learners.inputs.line_outside import level_outside
from heldout.learners.parameters import Parameter, refusal

K = Parameter("k", choices=("all",), number="integer", lowest=1)


def check_k(learner: Any, k: Any, n_rows: int, is_own_left_out: bool = False) -> int:
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


def refuse_weighted_mahalanobis(learner: Any) -> None:
    """Mahalanobis undoes whatever a column is multiplied with, so weights would have no effect."""
    if learner.metric == "mahalanobis" and learner.feature_weights is not None:
        raise RequestError(
            'feature_weights have no meaning with metric="mahalanobis"',
            where="its covariance scales every column, whatever its weight",
            fix='leave feature_weights out, or use metric="l2"',
        )


def warn_of_unused_bandwidth(learner: Any) -> None:
    """Say that a bandwidth has no effect, where no bell is asked for."""
    if learner.bandwidth is not None and learner.weights != "gaussian":
        warnings.warn(
            f'bandwidth={learner.bandwidth!r} has no effect: it belongs to weights="gaussian"',
            stacklevel=level_outside(),
        )


def refuse_unused_bandwidth(settings: Sequence[dict[str, Any]], learners: Sequence[Any]) -> None:
    """Refuse a sweep over bandwidths of which no setting uses one."""
    is_swept = any("bandwidth" in setting for setting in settings)
    if is_swept and all(learner.weights != "gaussian" for learner in learners):
        raise RequestError(
            "no setting uses the bandwidth",
            where='the space has bandwidth, and no weights="gaussian"',
            fix='add "weights": ["gaussian"] to the space, or leave bandwidth out',
        )
