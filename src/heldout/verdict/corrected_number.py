"""What the winner of a race may be expected to score, corrected for the choosing.

Bootstrap bias-corrected cross-validation (Tsamardinos, Greasidou & Borboudakis 2018), as in
`heldout.stats.selection_bias_corrected`, with the plan's own rule as the choice: on rows drawn with
replacement the rule chooses among the contenders of the race, and its choice is scored on the rows that were
not drawn. No model is fitted again. The winner is the rule's pick among exactly these contenders, so the mean
of these scores is its number; it is never better than the winner's own score.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.metrics.metric import Metric
from heldout.stats.choices import check_confidence, check_seed, normal_z
from heldout.stats.corrected_score import CorrectedScore
from heldout.stats.interval import Interval
from heldout.stats.shown_number import shown
from heldout.table.describe import plural
from heldout.verdict.answers import Answers
from heldout.verdict.bags import Bags, bags_of
from heldout.verdict.estimate_of import estimate_of
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.left_out_parts import all_counts
from heldout.verdict.metric_answers import base_name
from heldout.verdict.rivals import Rivals
from heldout.verdict.row_losses import MEAN_LOSSES
from heldout.verdict.rule import Rule
from heldout.verdict.scales import moved_on_scale
from heldout.verdict.scored import Scored
from heldout.verdict.scored_of import scored_of
from heldout.verdict.standing import Standing

Numbers = NDArray[np.float64]
NO_ROWS = "Fewer than two {unit}s were tested, so the choosing cannot be repeated."
MOVED = "The ends are those of {name}'s own interval, moved with the number."
NOT_BEATING = "{n:,} of {of} were left aside: in them no model beat guessing."
# In fewer resamples than this share nothing is learned of a model that beats guessing.
FEWEST_THAT_BEAT = 0.1


@dataclass(frozen=True, eq=False)
class Rival:
    """One that could have been chosen in a race.

    name:        of the contender; with its setting where settings were chosen among without an outer loop
    answers:     out of fold
    bits:        its description length, as `Standing.compared_bits` has it
    is_baseline: whether it only guesses
    contender:   whose setting this is; left out, it is the contender itself
    is_kept_out: whether it was not shown to beat the baseline, so that the rule cannot take it
    """

    name: str
    answers: Answers
    bits: float = math.nan
    is_baseline: bool = False
    contender: str = ""
    is_kept_out: bool = False


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
        best = f"{self.best} scores best of {how_many}, {self.interval.what} {shown(self.best_score)}."
        if math.isnan(self.best_score):
            best = f"None of {how_many} has a score."
        return f"{best} Corrected for the choosing: {self.interval}"

    def to_svg(self) -> str:
        """The corrected score with its interval, above the best score."""
        best = f"{self.best}: {shown(self.best_score)}, the best of {plural(len(self.names), 'contender')}"
        return self.above_best(best)


def rivals_of(standings: Sequence[Standing], kept_out: Collection[str] = ()) -> tuple[Rival, ...]:
    """All that could have been chosen in a race: its contenders, or in quick plans each with every setting.

    kept_out: names of those that the rule cannot take

    >>> quick = Standing("knn", "mse", settings=(Answers(values=np.ones((1, 2))),) * 2)
    >>> [each.name for each in rivals_of([quick])]
    ['knn, setting 1', 'knn, setting 2']
    """
    found: list[Rival] = []
    for each in standings:
        if not each.is_complete:
            continue
        if each.settings:
            found += [
                Rival(
                    f"{each.name}, setting {place + 1}",
                    answers,
                    each.compared_bits,
                    each.is_baseline,
                    each.name,
                    each.name in kept_out,
                )
                for place, answers in enumerate(each.settings)
            ]
        elif each.out_of_fold is not None:
            is_out = each.name in kept_out
            rival = Rival(
                each.name, each.out_of_fold, each.compared_bits, each.is_baseline, each.name, is_out
            )
            found.append(rival)
    return tuple(found)


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

    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.best_mean import BestMean
    >>> generator = np.random.default_rng(1)
    >>> rows = JudgedRows(generator.integers(2, size=200), np.arange(200)[np.newaxis] % 10, classes=(0, 1))
    >>> guesses = [Answers(labels=generator.integers(2, size=(1, 200))) for _ in range(30)]
    >>> rivals = [Rival(f"coin {place}", each) for place, each in enumerate(guesses)]
    >>> found = corrected_number(rivals, rows, metric_named("accuracy"), BestMean())
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
    scored = [scored_of(metric, each.answers, rows) for each in rivals]
    on_all = np.array([float(each.means(all_counts(rows))[0]) for each in scored])
    best = _best(on_all, metric)
    name, own = _own(rivals, rows, metric, best, winner, confidence)
    is_mean = base_name(metric) in MEAN_LOSSES
    bags = bags_of(rows, scored, metric.needs != "values" and not is_mean, seed, n_resamples)
    chosen = np.empty(0, dtype=np.intp)
    outside: Numbers = np.empty(0)
    if bags is not None:
        chosen = chosen_in(bags, scored, rivals, rows, on_all, metric, rule)
        outside = bags.outside(scored, chosen)
    frequencies = np.bincount(chosen[chosen >= 0], minlength=len(rivals))
    return CorrectedNumber(
        _interval(outside, chosen, bags, name, own, metric, rows.unit),
        name,
        rivals[best].name if best is not None else "",
        float(on_all[best]) if best is not None else math.nan,
        tuple(each.name for each in rivals),
        tuple(map(int, frequencies)),
        metric.is_larger_better,
        tuple(each.contender or each.name for each in rivals),
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
    place = 0 if best is None else best
    return rivals[place].name, estimate_of(metric, rivals[place].answers, rows, confidence=confidence)


def chosen_in(
    bags: Bags,
    scored: Sequence[Scored],
    rivals: Sequence[Rival],
    rows: JudgedRows,
    on_all: Numbers,
    metric: Metric,
    rule: Rule,
) -> NDArray[np.intp]:
    """Whom the rule takes in each resample; −1 for nobody."""
    inside = bags.inside(scored)
    is_baseline = np.array([each.is_baseline for each in rivals])
    known = on_all[is_baseline] if is_baseline.any() else on_all
    place = _best(known, metric)
    reference = float(known[place]) if place is not None else math.nan
    bits = np.array([each.bits for each in rivals])
    errors = _errors(inside) * math.sqrt(rows.paired_factor)
    goodness = metric.sign * inside
    # Whom the baseline kept out on all rows cannot be what the rule would have printed.
    goodness[:, np.array([each.is_kept_out for each in rivals])] = np.nan
    chosen = rule.places(Rivals(goodness, errors, bits, is_baseline, metric, reference))
    # A rule that asks whom the baseline does not beat names its level; a pick that it would not have printed
    # tells nothing of the one that it prints.
    level = getattr(rule, "level", None)
    if level is None or not is_baseline.any() or is_baseline.all() or place is None:
        return chosen
    guess = int(np.flatnonzero(is_baseline)[place])
    n_models = len({each.contender or each.name for each in rivals if not each.is_baseline})
    beats = _beats(goodness, errors, guess, ~is_baseline, float(level) / n_models)
    return np.where(beats, chosen, -1) if beats.mean() >= FEWEST_THAT_BEAT else chosen


def _beats(
    goodness: Numbers, errors: Numbers, guess: int, is_model: NDArray[np.bool_], level: float
) -> NDArray[np.bool_]:
    """In which resamples some model beats the baseline; Holm asks it of the best first, at level / models."""
    lead = goodness[:, is_model] - goodness[:, [guess]]
    error = errors[is_model, guess]
    needed = normal_z(1 - level) * error
    with np.errstate(invalid="ignore"):
        return np.asarray((lead > needed).any(axis=1))


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


def _interval(
    outside: Numbers,
    chosen: NDArray[np.intp],
    bags: Bags | None,
    name: str,
    own: Interval,
    metric: Metric,
    unit: str,
) -> Interval:
    """The mean score outside, no better than the winner's own, with the ends of its own interval moved."""
    n_made, n_units = (0, 0) if bags is None else (bags.n_resamples, bags.n_units)
    made = f"bootstrap bias-corrected cross-validation, {plural(n_made, 'resample')}"
    known = outside[np.isfinite(outside)]
    number = float(known.mean()) if len(known) else math.nan
    notes = [] if bags is not None else [NO_ROWS.format(unit=unit)]
    n_guesses = int((chosen < 0).sum())
    if n_guesses:
        notes.append(NOT_BEATING.format(n=n_guesses, of=plural(n_made, "resample")))
    if len(known) + n_guesses < n_made:
        n_lost = n_made - len(known) - n_guesses
        notes.append(f"{n_lost:,} of {n_made:,} resamples gave no score and were left aside.")
    ends = (math.nan, math.nan)
    if math.isfinite(number) and math.isfinite(own.estimate):
        worse = min if metric.is_larger_better else max
        number = worse(number, own.estimate)
    if math.isfinite(number) and math.isfinite(own.low + own.high):
        ends = moved_on_scale(metric, (own.estimate, own.low, own.high), number)
        notes.append(MOVED.format(name=name))
    return Interval(metric.name, number, *ends, own.confidence, made, n_units, unit, notes=tuple(notes))
