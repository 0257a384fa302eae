"""What the winner of a race may be expected to score, corrected for the choosing.

The choosing is repeated with the plan's own rule and with scores that vary as they do over resamples of the
rows; see `heldout.verdict.repeated_choice`. No model is fitted again. The winner is the rule's pick among
exactly these contenders, so the mean score of the choices is its number; it is never better than the winner's
own score.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.arrays import Floats
from heldout.checks.values import check_confidence, check_seed
from heldout.errors import RequestError
from heldout.metrics.metric import Metric
from heldout.stats.interval import Interval
from heldout.stats.selection_bias import CorrectedScore
from heldout.text.numbers import number_text
from heldout.text.words import plural
from heldout.verdict.best_mean import setting_rule
from heldout.verdict.estimate_by_sums import estimand_text
from heldout.verdict.estimate_score import estimate_score
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.margin import moved_on_scale
from heldout.verdict.paired_comparison import all_counts
from heldout.verdict.predictions import Predictions
from heldout.verdict.repeated_choice import Rival, ScoredChoices, score_choices
from heldout.verdict.resamples import Resamples, make_resamples
from heldout.verdict.rule import Rule
from heldout.verdict.standing import Standing
from heldout.verdict.weighted_score import weighted_score

NO_ROWS = "Fewer than two {unit}s were tested, so the choosing cannot be repeated."
MOVED = "The ends are those of {name}'s own interval, moved with the number."
NOT_BEATING = "{n:,} of {of} were left aside: in them no model beat guessing."
CANNOT_WIN = "{n:,} of {of} were left aside: their choice was not shown to beat guessing on all rows."
NO_SCORE = "{n:,} of {of} gave no score and were left aside."


@dataclass(frozen=True)
class CorrectedNumber(CorrectedScore):
    """What the winner may be expected to score on new rows.

    interval:         the corrected score with its interval
    winner:           whose number it is: the rule's pick on all rows
    best:             who scores best on all rows
    best_score:       that score, which is too good because it was looked for
    names:            of all that could have been chosen
    frequencies:      how many resamples chose each
    is_larger_better: the direction of the score
    contenders:       whose setting each of them is; left out, they are the contenders themselves

    Examples
    --------
    >>> accuracy = Interval("accuracy", 0.81, 0.7, 0.9)
    >>> found = CorrectedNumber(accuracy, "tree", "tree", 0.84, ("tree", "rule"), (9, 1), True)
    >>> round(found.optimism, 3), found.shares
    (0.03, {'tree': 0.9, 'rule': 0.1})
    """

    interval: Interval
    winner: str
    best: str
    best_score: float
    names: tuple[str, ...]
    frequencies: tuple[int, ...]
    is_larger_better: bool
    contenders: tuple[str, ...] = ()

    @property
    def shares(self) -> dict[str, float]:
        """In which share of the resamples each contender was chosen, the most frequent first."""
        counts: dict[str, int] = {}
        for name, count in zip(self.contenders or self.names, self.frequencies, strict=True):
            counts[name] = counts.get(name, 0) + count
        n_all = max(sum(counts.values()), 1)
        return {name: counts[name] / n_all for name in sorted(counts, key=lambda name: -counts[name])}

    def __str__(self) -> str:
        how_many = plural(len(self.names), "contender")
        best = f"{self.best} scores best of {how_many}, {self.interval.what} {number_text(self.best_score)}."
        if math.isnan(self.best_score):
            best = f"None of {how_many} has a score."
        return f"{best} Corrected for the choosing: {self.interval}"

    def to_svg(self) -> str:
        """The corrected score with its interval, above the best score."""
        best = (
            f"{self.best}: {number_text(self.best_score)}, the best of {plural(len(self.names), 'contender')}"
        )
        return self.above_best(best)


def corrected_number(
    rivals: Sequence[Rival],
    rows: JudgedRows,
    metric: Metric,
    rule: Rule,
    winner: Standing | None = None,
    seed: int = 0,
    n_resamples: int | None = None,
    confidence: float = 0.95,
) -> CorrectedNumber:
    """The score to expect of the winner, which the rule chose among all these.

    rivals:      every contender of the race
    rows:        that judged all of them
    metric:      by which is chosen
    rule:        how is chosen
    winner:      whom the rule takes on all rows, with its own score; left out, the best score
    n_resamples: left out, 200 to 1,000, the fewer the more there is to score
    """
    confidence, seed = check_confidence(confidence), check_seed(seed)
    if not rivals:
        raise RequestError(
            "there is nothing to choose among",
            where="no contender with predictions",
            fix="give the out-of-fold predictions of one contender at least",
        )
    scored = [weighted_score(metric, each.predictions, rows) for each in rivals]
    on_all = np.array([float(each.means(all_counts(rows))[0]) for each in scored])
    best = _best(on_all, metric)
    name, own = _own(rivals, rows, metric, best, winner, confidence)
    resamples = make_resamples(rows, scored, metric, seed, n_resamples)
    choices = ScoredChoices(np.empty(0), (0,) * len(rivals))
    if resamples is not None:
        inside = metric.sign * resamples.inside(scored)
        choices = score_choices(inside, metric.sign * on_all, rivals, metric, rule, rows.paired_factor)
    return CorrectedNumber(
        interval=_interval(choices, resamples, name, own, metric, rows.unit),
        winner=name,
        best=rivals[best].name if best is not None else "",
        best_score=float(on_all[best]) if best is not None else math.nan,
        names=tuple(each.name for each in rivals),
        frequencies=choices.frequencies,
        is_larger_better=metric.is_larger_better,
        contenders=tuple(each.whose for each in rivals),
    )


def _own(
    rivals: Sequence[Rival],
    rows: JudgedRows,
    metric: Metric,
    best: int | None,
    winner: Standing | None,
    confidence: float,
) -> tuple[str, Interval]:
    """The name and the own score of the winner; of the best where nobody was named."""
    if winner is not None:
        return winner.name, winner.estimate
    index = 0 if best is None else best
    return rivals[index].name, estimate_score(metric, rivals[index].predictions, rows, confidence=confidence)


def _best(scores: Floats, metric: Metric) -> int | None:
    goodness = metric.sign * scores
    return None if np.isnan(goodness).all() else int(np.nanargmax(goodness))


def _interval(
    choices: ScoredChoices, resamples: Resamples | None, name: str, own: Interval, metric: Metric, unit: str
) -> Interval:
    """The mean score of the choices, no better than the winner's own, with the ends of its interval moved."""
    n_made, n_units = (0, 0) if resamples is None else (resamples.n_resamples, resamples.n_units)
    made = f"choosing repeated in {plural(n_made, 'resample')}, noise added and taken back"
    number = metric.sign * choices.mean
    notes = [] if resamples is not None else [NO_ROWS.format(unit=unit)]
    notes += [
        words.format(n=count, of=plural(n_made, "resample"))
        for words, count in (
            (NOT_BEATING, choices.n_guesses),
            (CANNOT_WIN, choices.n_kept_out),
            (NO_SCORE, choices.n_lost),
        )
        if count
    ]
    ends = (math.nan, math.nan)
    if math.isfinite(number) and math.isfinite(own.estimate):
        number = _bounded(number, own.estimate, metric)
    if math.isfinite(number) and math.isfinite(own.low + own.high):
        ends = moved_on_scale(metric, (own.estimate, own.low, own.high), number)
        notes.append(MOVED.format(name=name))
    return Interval(metric.name, number, *ends, own.confidence, made, n_units, unit, notes=tuple(notes))


def _bounded(number: float, own: float, metric: Metric) -> float:
    """No better than the winner's own score, and at most halfway from it to the worst possible one."""
    worse, better = (min, max) if metric.is_larger_better else (max, min)
    worst = metric.lowest if metric.is_larger_better else metric.highest
    found = worse(number, own)
    return better(found, (own + worst) / 2) if math.isfinite(worst) else found


QUICK = "Quick: no outer loop; corrected for the choice of the setting by resampling."


def quick_estimate(
    metric: Metric,
    settings: Sequence[Predictions],
    rows: JudgedRows,
    index: int,
    confidence: float = 0.95,
    seed: int = 0,
    choose: str = "best",
) -> Interval:
    """The score to expect of the chosen setting, corrected for having been chosen; never above its own.

    settings: the out-of-fold predictions of every setting
    rows:     that were judged, by the tuning folds
    place:    of the setting that was chosen
    choose:   which setting is taken: "best" or "one_se", as for `Contender`
    """
    rivals = [Rival(f"setting {index + 1}", each) for index, each in enumerate(settings)]
    own = estimate_score(metric, settings[index], rows, confidence=confidence)
    winner, rule = Standing(rivals[index].name, metric.name, own), setting_rule(choose)
    found = corrected_number(rivals, rows, metric, rule, winner, seed, confidence=confidence).interval
    return dataclasses.replace(found, notes=(QUICK, *found.notes), estimand=estimand_text(rows))
