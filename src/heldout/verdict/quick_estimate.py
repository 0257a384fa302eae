"""The score of a contender whose setting was chosen by the same folds that judge it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from heldout.metrics.metric import Metric
from heldout.stats.interval import Interval
from heldout.verdict.answers import Answers
from heldout.verdict.best_mean import choosing_again
from heldout.verdict.corrected_number import corrected_number
from heldout.verdict.estimate_of import estimate_of
from heldout.verdict.estimate_words import estimand_of
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.rival import Rival
from heldout.verdict.standing import Standing

QUICK = "Quick: no outer loop; corrected for the choice of the setting by resampling."


def quick_estimate(
    metric: Metric,
    settings: Sequence[Answers],
    rows: JudgedRows,
    place: int,
    confidence: float = 0.95,
    seed: int = 0,
    choose: str = "best",
) -> Interval:
    """The score to expect of the chosen setting, corrected for having been chosen; never above its own.

    settings: the out-of-fold answers of every setting
    rows:     that were judged, by the tuning folds
    place:    of the setting that was chosen
    choose:   which setting is taken: "best" or "one_se", as for `Contender`

    >>> import numpy as np
    >>> from heldout.metrics.metric_registry import metric_named
    >>> generator = np.random.default_rng(0)
    >>> rows = JudgedRows(generator.integers(2, size=100), np.arange(100)[np.newaxis] % 5, classes=(0, 1))
    >>> coins = [Answers(labels=generator.integers(2, size=(1, 100))) for _ in range(20)]
    >>> best = int(np.argmax([np.mean(each.labels == rows.y) for each in coins]))
    >>> round(quick_estimate(metric_named("accuracy"), coins, rows, best).estimate, 2)
    0.46
    """
    rivals = [Rival(f"setting {place + 1}", each) for place, each in enumerate(settings)]
    own = estimate_of(metric, settings[place], rows, confidence=confidence)
    winner, rule = Standing(rivals[place].name, metric.name, own), choosing_again(choose)
    found = corrected_number(rivals, rows, metric, rule, winner, seed, confidence=confidence).interval
    return dataclasses.replace(found, notes=(QUICK, *found.notes), estimand=estimand_of(rows))
