"""The bootstrap of an AUC: the scores are sorted once, and rows are drawn by their ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.native import ranking
from heldout.stats.bootstrap_ends import LeftOut, bootstrap_interval, checked_request
from heldout.stats.choices import check_count, check_seed
from heldout.stats.delong import Placements, placements_of
from heldout.stats.interval import Interval
from heldout.stats.two_classes import positive_rows, score_values


def bootstrap_auc(
    y: Any,
    scores: Any,
    positive: Any = None,
    method: str = "percentile",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    is_stratified: bool = False,
    seed: int = 0,
    n_threads: int = 1,
    what: str = "AUC",
) -> Interval:
    """The area under the ROC curve with its bootstrap interval.

    y, scores, positive: as for `auc_interval`, whose intervals hold better with few rows and near 1
    method:              "percentile" or "bca"
    is_stratified:       both classes keep their sizes; otherwise a resample may lack one, which is counted
    n_threads:           the answer does not depend on it

    >>> y = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0]
    >>> scores = [0.1, 0.3, 0.35, 0.8, 0.4, 0.7, 0.2, 0.9, 0.5, 0.6]
    >>> found = bootstrap_auc(y, scores, is_stratified=True)
    >>> found.estimate, 0.5 < found.low < 0.7, found.high
    (0.88, True, 1.0)
    """
    request = checked_request(method, n_resamples, confidence, what, reference=0.5)
    is_positive, _ = positive_rows(y, positive)
    values = score_values(scores, len(is_positive))
    found = placements_of(is_positive, values)
    n_threads, seed = check_count("n_threads", n_threads, lowest=1), check_seed(seed)
    resampled = np.full(1, np.nan)
    if found.n_positives and found.n_negatives:
        resampled = ranking.bootstrap_auc(
            values, is_positive, request.n_resamples, seed, is_stratified, n_threads
        )
    notes = [found.sizes]
    if is_stratified:
        notes.append("Drawn were the rows of each class by itself.")
    return bootstrap_interval(
        request,
        found.auc,
        resampled,
        lambda: _jackknifed(found, is_stratified),
        len(is_positive),
        "row",
        tuple(notes),
    )


def _jackknifed(found: Placements, is_stratified: bool) -> list[LeftOut]:
    """The AUC without each row: a row takes its own placement out of the mean over its class."""
    sides = []
    for shares in (found.of_positives, found.of_negatives):
        n_rows = len(shares)
        without = (n_rows * found.auc - shares) / (n_rows - 1) if n_rows > 1 else np.full(n_rows, np.nan)
        sides.append(without)
    if not is_stratified:
        values = np.concatenate(sides)
        return [LeftOut(values, np.ones(len(values)))]
    return [LeftOut(values, np.ones(len(values))) for values in sides]
