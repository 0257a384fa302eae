"""The loss of probabilities in nats: how surprising what happened was."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.metrics.probability_inputs import ProbabilityRows, probability_rows


def log_loss(
    y: Any,
    probabilities: Any,
    labels: Any = None,
    weights: Any = None,
    positive: Any = None,
    clip: float = 0.0,
) -> float:
    """The mean of −ln of the probability of what happened; the smaller, the better.

    A probability of 0 for something that happened makes it infinite, however many rows there are: who is
    sure and wrong has lost. Whoever wants a finite number says by how much probabilities are clipped.

    y:             the true label of each row
    probabilities: of the class to spot, one per row; or a column for each label
    labels:        in the order of the columns, such as model.classes_; left out, those of y, sorted
    weights:       how often each row counts
    positive:      the class that one probability per row belongs to; left out, the last of two
    clip:          probabilities below it count as this, and those above 1 − clip as that

    >>> round(log_loss(["no", "yes"], [0.1, 0.7]), 6), log_loss([0, 1], [0.5, 0.0])
    (0.231018, inf)
    >>> round(log_loss([0, 1], [0.5, 0.0], clip=1e-3), 6)
    3.800451
    """
    edge = _checked_clip(clip)
    rows = probability_rows(y, probabilities, labels, weights, positive)
    surprise = _surprise(rows, edge)
    mean = surprise.mean() if rows.weights is None else np.average(surprise, weights=rows.weights)
    return float(mean) + 0.0


def _surprise(rows: ProbabilityRows, edge: float) -> NDArray[np.float64]:
    """−ln of the probability of what happened, for each row."""
    said = np.clip(rows.probabilities, edge, 1.0 - edge)
    with np.errstate(divide="ignore"):
        if rows.is_of_one_class:
            # ln(1 − p) of a tiny p keeps its digits this way.
            return np.where(rows.happened == 1, -np.log(said), -np.log1p(-said))
        return -np.log(said[np.arange(len(said)), rows.happened])


def _checked_clip(clip: Any) -> float:
    if isinstance(clip, Real) and not isinstance(clip, bool) and 0 <= float(clip) < 0.5:
        return float(clip)
    raise RequestError(
        "clip must be at least 0 and below ½",
        where=f"clip={clip!r}",
        fix="use 0 for no clipping, or a small number such as 1e-15",
    )
