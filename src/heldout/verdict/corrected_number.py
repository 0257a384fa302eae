"""What the chosen contender may be expected to score, corrected for the choosing.

Bootstrap bias-corrected cross-validation (Tsamardinos, Greasidou & Borboudakis 2018), as in
`heldout.stats.selection_bias_corrected`, with the plan's own rule as the choice: on rows drawn with
replacement the rule chooses among all contenders of all plans, and its choice is scored on the rows that were
not drawn. No model is fitted again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.metrics.metric import Metric
from heldout.stats.choices import check_confidence, check_seed
from heldout.stats.corrected_score import CorrectedScore
from heldout.stats.interval import Interval
from heldout.stats.shown_number import shown
from heldout.table.describe import plural
from heldout.verdict.answers import Answers
from heldout.verdict.bags import Bags, bags_of
from heldout.verdict.estimate_of import estimate_of
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.left_out_parts import all_counts
from heldout.verdict.margin import margin_unit
from heldout.verdict.metric_answers import base_name
from heldout.verdict.rivals import Rivals
from heldout.verdict.row_losses import MEAN_LOSSES
from heldout.verdict.rule import Rule
from heldout.verdict.scored import Scored
from heldout.verdict.scored_of import scored_of
from heldout.verdict.standing import Standing

Numbers = NDArray[np.float64]
NO_ROWS = "Fewer than two {unit}s were tested, so the choosing cannot be repeated."
OF_CHOOSING = "It is that of the choosing, of whichever contender it takes."
WIDER = "The ends are the wider of those of the resamples and of {name}'s own interval around this number."


@dataclass(frozen=True, eq=False)
class Rival:
    """One that could have been chosen, in this plan or another.

    name:        of the contender; with its setting where settings were chosen among without an outer loop
    answers:     out of fold
    rows:        that were judged: the same rows for all, split and tested as its plan said
    bits:        its description length
    is_baseline: whether it only guesses
    """

    name: str
    answers: Answers
    rows: JudgedRows
    bits: float = math.nan
    is_baseline: bool = False


@dataclass(frozen=True)
class CorrectedNumber(CorrectedScore):
    """What the choosing may be expected to score on new rows.

    interval:         the corrected score with its interval
    best:             who scores best on all rows
    best_score:       that score, which is too good because it was looked for
    names:            of all that could have been chosen
    frequencies:      how many resamples chose each
    is_larger_better: the direction of the score
    of_baseline:      what to expect of guessing, where no model beats it; None without a baseline

    >>> accuracy = Interval("accuracy", 0.81, 0.7, 0.9)
    >>> found = CorrectedNumber(accuracy, "tree", 0.84, ("tree", "rule"), (9, 1), True)
    >>> round(found.optimism, 3)
    0.03
    """

    interval: Interval
    best: str
    best_score: float
    names: tuple[str, ...]
    frequencies: tuple[int, ...]
    is_larger_better: bool
    of_baseline: Interval | None = None

    def __str__(self) -> str:
        how_many = plural(len(self.names), "contender")
        best = f"{self.best} scores best of {how_many}, {self.interval.what} {shown(self.best_score)}."
        if math.isnan(self.best_score):
            best = f"None of {how_many} has a score."
        return f"{best} Corrected for the choosing: {self.interval}"

    def to_svg(self) -> str:
        """The corrected score with its interval, above the best score."""
        best = f"{self.best}: {shown(self.best_score)}, the best of {plural(len(self.names), 'contender')}"
        return self.above_best(best)


def rivals_of(standings: Sequence[Standing], rows: JudgedRows) -> tuple[Rival, ...]:
    """All that could have been chosen in a plan: its contenders, or in a quick plan each with every setting.

    >>> rows = JudgedRows(np.array([0.0, 1.0]), np.array([[0, 1]]))
    >>> quick = Standing("knn", "mse", settings=(Answers(values=np.ones((1, 2))),) * 2)
    >>> [each.name for each in rivals_of([quick], rows)]
    ['knn, setting 1', 'knn, setting 2']
    """
    found: list[Rival] = []
    for each in standings:
        if not each.is_complete:
            continue
        if each.settings:
            found += [
                Rival(f"{each.name}, setting {place + 1}", answers, rows, each.bits, each.is_baseline)
                for place, answers in enumerate(each.settings)
            ]
        elif each.out_of_fold is not None:
            found.append(Rival(each.name, each.out_of_fold, rows, each.bits, each.is_baseline))
    return tuple(found)


def corrected_number(
    rivals: Sequence[Rival],
    metric: Metric,
    rule: Rule,
    seed: int = 0,
    n_resamples: int | None = None,
    confidence: float = 0.95,
) -> CorrectedNumber:
    """The score to expect of what the rule chooses among all these.

    rivals:      every contender of every plan of the study, each once for every split that judged it; those
                 of the plan in question first, whose rows are drawn
    metric:      by which is chosen
    rule:        how is chosen; of the contenders of all plans together
    n_resamples: left out, 200 to 1,000, the fewer the more there is to score

    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.best_mean import BestMean
    >>> generator = np.random.default_rng(1)
    >>> rows = JudgedRows(generator.integers(2, size=200), np.arange(200)[np.newaxis] % 10, classes=(0, 1))
    >>> guesses = [Answers(labels=generator.integers(2, size=(1, 200))) for _ in range(30)]
    >>> rivals = [Rival(f"coin {place}", each, rows) for place, each in enumerate(guesses)]
    >>> found = corrected_number(rivals, metric_named("accuracy"), BestMean())
    >>> round(found.best_score, 3), round(found.corrected, 2)
    (0.575, 0.5)
    """
    confidence, seed = check_confidence(confidence), check_seed(seed)
    if not rivals:
        raise RequestError(
            "there is nothing to choose among",
            where="no contender with answers",
            fix="give the out-of-fold answers of one contender at least",
        )
    names = tuple(each.name for each in rivals)
    scored = [scored_of(metric, each.answers, each.rows) for each in rivals]
    pairs = zip(scored, rivals, strict=True)
    on_all = np.array([float(each.means(all_counts(rival.rows))[0]) for each, rival in pairs])
    best = _best(on_all, metric)
    best_score = float(on_all[best]) if best is not None else math.nan
    is_mean = base_name(metric) in MEAN_LOSSES
    rows = rivals[0].rows
    bags = bags_of(rows, scored, metric.needs != "values" and not is_mean, seed, n_resamples)
    chosen = np.empty(0, dtype=np.intp)
    outside: Numbers = np.empty(0)
    if bags is not None:
        chosen = chosen_in(bags, scored, rivals, on_all, metric, rule)
        outside = bags.outside(scored, chosen)
    frequencies = np.bincount(chosen[chosen >= 0], minlength=len(rivals))
    usual = rivals[int(frequencies.argmax())]
    found = _interval(outside, bags, metric, confidence, rows.unit)
    return CorrectedNumber(
        _widened(found, usual, metric) if frequencies.any() else found,
        names[best] if best is not None else "",
        best_score,
        names,
        tuple(map(int, frequencies)),
        metric.is_larger_better,
        _of_baseline(rivals, on_all, metric, confidence),
    )


def chosen_in(
    bags: Bags, scored: Sequence[Scored], rivals: Sequence[Rival], on_all: Numbers, metric: Metric, rule: Rule
) -> NDArray[np.intp]:
    """Whom the rule takes in each resample; −1 for nobody."""
    inside = bags.inside(scored)
    is_baseline = np.array([each.is_baseline for each in rivals])
    known = on_all[is_baseline] if is_baseline.any() else on_all
    place = _best(known, metric)
    unit = margin_unit(metric, float(known[place])) if place is not None else math.nan
    factor = max(each.rows.paired_factor for each in rivals)
    bits = np.array([each.bits for each in rivals])
    errors = _errors(inside) * math.sqrt(factor)
    return rule.places(Rivals(metric.sign * inside, errors, bits, is_baseline, unit))


def _errors(inside: Numbers) -> Numbers:
    """The standard error of every difference, as it varies over the resamples."""
    is_known = np.isfinite(inside)
    filled = np.where(is_known, inside, 0.0)
    n_known = np.maximum(is_known.sum(axis=0), 1)
    filled = np.where(is_known, inside, filled.sum(axis=0) / n_known)
    centered = filled - filled.mean(axis=0)
    products = centered.T @ centered / max(len(inside) - 1, 1)
    own = np.diag(products)
    return np.asarray(np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * products, 0.0)))


def _best(scores: Numbers, metric: Metric) -> int | None:
    goodness = metric.sign * scores
    return None if np.isnan(goodness).all() else int(np.nanargmax(goodness))


def _interval(outside: Numbers, bags: Bags | None, metric: Metric, confidence: float, unit: str) -> Interval:
    n_made = 0 if bags is None else bags.n_resamples
    n_units = 0 if bags is None else bags.n_units
    made = f"bootstrap bias-corrected cross-validation, {plural(n_made, 'resample')}"
    known = outside[np.isfinite(outside)]
    ends = (math.nan, math.nan)
    mean = float(known.mean()) if len(known) else math.nan
    notes = [] if bags is not None else [NO_ROWS.format(unit=unit)]
    if len(known) < n_made:
        notes.append(f"{n_made - len(known):,} of {n_made:,} resamples gave no score and were left aside.")
    if len(known) > 1 and np.ptp(known) > 1e-12 * abs(mean):
        tail = (1 - confidence) / 2
        low, high = np.quantile(known, [tail, 1 - tail])
        ends = (float(low), float(high))
    if len(known):
        notes.append(OF_CHOOSING)
    return Interval(metric.name, mean, *ends, confidence, made, n_units, unit, notes=tuple(notes))


def _widened(found: Interval, usual: Rival, metric: Metric) -> Interval:
    """The interval with ends at least as far away as those of the usual choice by itself.

    Near the edge of a range, or where few rows are wrong, resamples hardly differ and tell too little.
    """
    own = estimate_of(metric, usual.answers, usual.rows, confidence=found.confidence)
    if math.isnan(own.low) or math.isnan(own.high) or not math.isfinite(found.estimate):
        return found
    low = max(found.estimate - (own.estimate - own.low), metric.lowest)
    high = min(found.estimate + (own.high - own.estimate), metric.highest)
    if not math.isnan(found.low):
        low, high = min(low, found.low), max(high, found.high)
    notes = (*found.notes, WIDER.format(name=usual.name))
    return dataclasses.replace(found, low=low, high=high, notes=notes)


def _of_baseline(
    rivals: Sequence[Rival], on_all: Numbers, metric: Metric, confidence: float
) -> Interval | None:
    """The score of the best baseline, which was not chosen for its score."""
    is_baseline = np.array([each.is_baseline for each in rivals])
    place = _best(np.where(is_baseline, on_all, np.nan), metric)
    if place is None:
        return None
    return estimate_of(metric, rivals[place].answers, rivals[place].rows, confidence=confidence)
