"""The score of the best of many settings, corrected for having been chosen.

Bootstrap bias-corrected cross-validation (Tsamardinos, Greasidou & Borboudakis 2018): choosing is repeated on
rows drawn with replacement, and each time the chosen setting is scored on the rows that were not drawn. No
model is fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.checks.values import check_confidence, check_count, check_seed
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.bag_scores import (
    BagScores,
    bag_scores_of_losses,
    bag_scores_of_metric,
    check_rows,
    row_losses,
)
from heldout.stats.bootstrap_ends import is_same, resample_plan
from heldout.stats.interval import Interval, Result
from heldout.stats.two_classes import label_array
from heldout.text.numbers import number_text
from heldout.text.words import plural


class CorrectedScore(Result):
    """A corrected score beside the best one, which is too good because it was chosen by it.

    interval:         the corrected score with its interval
    best_score:       the best score on all rows
    is_larger_better: the direction of the score
    """

    interval: Interval
    best_score: float
    is_larger_better: bool

    @property
    def corrected(self) -> float:
        """The corrected score."""
        return self.interval.estimate

    @property
    def optimism(self) -> float:
        """By how much the best score is better than the corrected one."""
        distance = self.best_score - self.corrected
        return distance if self.is_larger_better else -distance

    def above_best(self, words: str) -> str:
        """The picture of the corrected score with its interval, above the best score.

        Parameters
        ----------
        words
            about the best score
        """
        lines = [
            self.interval.for_picture("corrected"),
            PictureInterval("best score", self.best_score, math.nan, math.nan, words, index=1),
        ]
        return interval_svg(lines, title=self.interval.what, caption=self.interval.method)


@dataclass(frozen=True)
class CorrectedChoice(CorrectedScore):
    """The best of many settings, and what it may be expected to score on new rows.

    Attributes
    ----------
    interval
        the corrected score with its interval
    chosen
        the setting that is best on all rows
    best_score
        its score there, which is too good because it was chosen by it
    frequencies
        how many of the resamples chose each setting
    names
        of the settings
    is_larger_better
        the direction of the score

    Examples
    --------
    >>> losses = np.random.default_rng(0).random((60, 40)) < 0.5
    >>> found = selection_bias_corrected(losses, what="error")
    >>> round(found.best_score, 3), round(found.corrected, 3), found.chosen
    (0.383, 0.516, '5')
    """

    interval: Interval
    chosen: str
    best_score: float
    frequencies: tuple[int, ...]
    names: tuple[str, ...]
    is_larger_better: bool

    def __str__(self) -> str:
        what = self.interval.what
        how_many = plural(len(self.names), "setting")
        if self.best_score != self.best_score:
            return f"No setting of {len(self.names):,} has a score. {self.interval}"
        best = f"{self.chosen} has the best {what} of {how_many}, {number_text(self.best_score)}"
        n_chosen = self.frequencies[self.names.index(self.chosen)]
        often = f"it was the best in {n_chosen:,} of {sum(self.frequencies):,} resamples"
        return f"{best}; {often}. Corrected for the choosing: {self.interval}"

    def to_svg(self) -> str:
        """The corrected score with its interval, above the best score."""
        best = f"{self.chosen}: {number_text(self.best_score)}, which chose it"
        return self.above_best(best)


def selection_bias_corrected(
    values: Any,
    y: Any = None,
    metric: Callable[..., Any] | str | None = None,
    n_bootstraps: int = 1000,
    seed: int = 0,
    groups: Any = None,
    stratify: Any = None,
    is_larger_better: bool | None = None,
    confidence: float = 0.95,
    names: Sequence[Any] | None = None,
    what: str | None = None,
) -> CorrectedChoice:
    """What the best of many settings may be expected to score, from out-of-fold predictions or losses of all.

    Parameters
    ----------
    values
        rows × settings, or repeats × rows × settings. Without y: losses of rows, whose mean counts. With
        y: what each setting predicted for each row while it was not trained on it
    y
        what is true
    metric
        of y and predictions: "accuracy", "error", "mse", "mae", or a function (also a Metric) that takes
        y and the predictions of one setting; it is called n_bootstraps × (settings + 1) times
    groups
        one label per row: whole groups are drawn
    stratify
        one label per row, such as y: every stratum keeps its size
    is_larger_better
        left out, as the metric says; of losses the smaller is better, of functions the larger
    names
        of the settings; left out, their places from 0
    what
        what is measured, for the sentence

    Notes
    -----
    Ties go to the first setting. A setting without a score (NaN) in a resample cannot be chosen there;
    resamples in which none can be chosen, or the chosen one has no score outside, are left aside and counted.

    Examples
    --------
    >>> generator = np.random.default_rng(1)
    >>> y = generator.integers(2, size=200)
    >>> guesses = generator.integers(2, size=(200, 30))
    >>> found = selection_bias_corrected(guesses, y, "accuracy")
    >>> round(found.best_score, 3), round(found.corrected, 3)
    (0.575, 0.501)
    """
    confidence = check_confidence(confidence)
    n_bootstraps = check_count("n_bootstraps", n_bootstraps, lowest=1)
    table = _cube(values)
    _, n_rows, n_settings = table.shape
    labels = _setting_names(names, n_settings)
    losses, sign, shown_as = _judged(table, y, metric, is_larger_better)
    plan = resample_plan(n_rows, stratify, groups)
    draws = plan.draws(np.random.default_rng(check_seed(seed)), n_bootstraps if n_rows else 0)
    if losses is not None:
        found = bag_scores_of_losses(losses, sign, draws, n_bootstraps)
    else:
        assert callable(metric)
        found = bag_scores_of_metric(table, label_array(y), metric, sign, draws)
    unit = (plan.n_units, plan.unit)
    interval = _interval(found, what or shown_as, confidence, n_bootstraps, unit)
    best = found.best
    chosen = labels[best] if best is not None else ""
    score = float(found.scores[best]) if best is not None else float("nan")
    return CorrectedChoice(interval, chosen, score, tuple(map(int, found.frequencies)), labels, sign > 0)


def _judged(
    table: NDArray[Any], y: Any, metric: Any, is_larger_better: bool | None
) -> tuple[Floats | None, int, str]:
    """Losses of rows × settings where their mean is what counts; the sign that makes large good; the name."""
    if y is None and metric is None:
        losses, is_larger, name = row_losses(table, None, None)
    elif metric is None or y is None:
        raise RequestError(
            "predictions are judged by y and a metric together",
            where="y without metric" if metric is None else "metric without y",
            fix="give both for predictions, or neither for losses of rows",
        )
    elif isinstance(metric, str):
        losses, is_larger, name = row_losses(table, y, metric)
    elif callable(metric):
        check_rows(label_array(y), table)
        losses, is_larger = None, bool(getattr(metric, "is_larger_better", True))
        name = str(getattr(metric, "name", getattr(metric, "__name__", "score")))
    else:
        raise InputTypeError(
            "metric must be a word or a function of y and predictions",
            where=f"metric={metric!r:.60}",
            fix="use 'accuracy', 'error', 'mse', 'mae' or a function",
        )
    wanted = is_larger if is_larger_better is None else bool(is_larger_better)
    return losses, 1 if wanted else -1, name


def _interval(
    found: BagScores, what: str, confidence: float, n_bootstraps: int, unit: tuple[int, str]
) -> Interval:
    made = f"bootstrap bias-corrected cross-validation, {plural(n_bootstraps, 'resample')}"
    known = found.outside[np.isfinite(found.outside)]
    notes = []
    if len(known) < n_bootstraps:
        n_without = n_bootstraps - len(known)
        notes.append(f"{n_without:,} of {n_bootstraps:,} resamples gave no score and were left aside.")
    if not len(known):
        return Interval(what, np.nan, np.nan, np.nan, confidence, made, *unit, notes=tuple(notes))
    if is_same(known):
        notes.append("Every resample gave the same score, and nothing tells how far others may lie.")
        return Interval(
            what, float(known.mean()), np.nan, np.nan, confidence, made, *unit, notes=tuple(notes)
        )
    tail = (1 - confidence) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    if len(known) * tail < 5:
        notes.append(f"For {100 * confidence:g}% there should be at least {5 / tail:,.0f} resamples.")
    notes.append(
        "It is that of the choosing, of whichever setting it takes; the interval is rather too wide."
    )
    return Interval(
        what, float(known.mean()), float(low), float(high), confidence, made, *unit, notes=tuple(notes)
    )


def _cube(values: Any) -> NDArray[Any]:
    """Repeats × rows × settings."""
    table = np.asarray(values)
    if table.ndim == 2:
        table = table[np.newaxis]
    if table.ndim != 3 or not table.shape[0] or not table.shape[2]:
        raise DataError(
            "values must be rows × settings, or repeats × rows × settings",
            where=f"its shape is {np.shape(values)}",
            fix="give a column per setting: numpy.column_stack([first, second, …])",
        )
    return table


def _setting_names(names: Sequence[Any] | None, n_settings: int) -> tuple[str, ...]:
    if names is None:
        return tuple(map(str, range(n_settings)))
    found = tuple(map(str, names))
    if len(found) != n_settings or len(set(found)) != n_settings:
        raise DataError(
            "names do not fit the settings",
            where=f"{plural(len(set(found)), 'name')}, {plural(n_settings, 'setting')}",
            fix="give every setting a name of its own",
        )
    return found
