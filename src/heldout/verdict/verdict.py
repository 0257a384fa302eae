"""The verdict: which model, why it and not another, and what the data cannot tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.charts.notebook_piece import NotebookPiece
from heldout.metrics.metric import Metric
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval, Result, plain
from heldout.text.layout import note_lines
from heldout.text.words import first_upper, join_names, plural
from heldout.verdict.corrected_number import CorrectedNumber, corrected_number
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.repeated_choice import make_rivals
from heldout.verdict.rule import Decision, Rule
from heldout.verdict.standing import Standing
from heldout.verdict.verdict_words import details, first_sentence, short_details


@dataclass(frozen=True)
class OtherRace:
    """Plans with other folds or another metric, which have a verdict of their own.

    plans:  their numbers, from 1
    metric: by which they chose
    folds:  how rows were split, in words
    winner: of their verdict; empty where none was recorded
    """

    plans: tuple[int, ...]
    metric: str
    folds: str
    winner: str = ""


@dataclass(frozen=True)
class RaceFacts:
    """What a verdict knows of the race that it judges: all contenders that ran on the same folds and metric.

    plan_number:   of the plan that was asked for, whose rule decides
    n_plans:       in the whole study
    plans:         numbers of those in this race, which share their folds and their metric
    new:           contenders that the newest plan of the race brought
    winner_before: who won before they came, where that is another; empty otherwise
    left_out:      contenders of other plans of the race that did not run to their end
    other_rules:   numbers of plans of the race that state another rule
    others:        the other races of the study
    """

    plan_number: int = 1
    n_plans: int = 1
    plans: tuple[int, ...] = (1,)
    new: tuple[str, ...] = ()
    winner_before: str = ""
    left_out: tuple[str, ...] = ()
    other_rules: tuple[int, ...] = ()
    others: tuple[OtherRace, ...] = ()

    def sentences(self, n_contenders: int, winner: str) -> tuple[str, ...]:
        """What has to be said of it; nothing of a study with one plan.

        winner: of the race as it stands now
        """
        messages = []
        if len(self.plans) > 1:
            new = f"; {join_names(self.new)} {'is' if len(self.new) == 1 else 'are'} new" if self.new else ""
            messages.append(f"The race is of {_plans(self.plans)}, {plural(n_contenders, 'contender')}{new}.")
        if self.winner_before and self.winner_before != winner:
            messages.append(f"Before plan {max(self.plans)} {self.winner_before} won.")
        if self.left_out:
            messages.append(f"Not in the race, because not run to the end: {join_names(self.left_out)}.")
        if self.other_rules:
            others = first_upper(_plans(self.other_rules))
            messages.append(f"{others} had another rule; here that of plan {self.plan_number} decides.")
        return (*messages, *map(_other, self.others))


ONE_PLAN = RaceFacts()


def _plans(numbers: tuple[int, ...]) -> str:
    return f"plan{'s' if len(numbers) > 1 else ''} {join_names([str(number) for number in numbers])}"


def _other(race: OtherRace) -> str:
    won = f": {race.winner} won it" if race.winner else ""
    return (
        f"Another race of this study, {_plans(race.plans)}, by {race.metric} over {race.folds}, has a verdict"
        f" of its own{won}."
    )


@dataclass(frozen=True, kw_only=True)
class Verdict(Result):
    """What a plan says in the end.

    Attributes
    ----------
    winner
        the contender to take; empty where none could be judged
    best
        the contender with the best score, which need not be the winner
    beats_baseline
        whether the winner is significantly better than the baseline
    number
        what to expect of the winner, corrected for the choosing, with its interval
    decision
        what the rule decided, with its reasons
    corrected
        how the number was made; None where there were no predictions to make it of
    standings
        of all contenders of the race: all that ran on the same folds, by the same metric
    comparisons
        of all pairs that are complete
    metric
        by which was chosen
    is_larger_better
        its direction
    rule
        how was chosen, in words
    race
        which plans of the study it is made of, who is new, and which other races there are
    is_quick
        whether there was no outer loop
    notes
        sentences of the plan that belong here: why this metric, which rows
    cautions
        sentences that belong on every account of it

    Examples
    --------
    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.best_mean import BestMean
    >>> standings = [Standing("tree", "accuracy", Interval("accuracy", 0.9, 0.8, 0.95, n_rows=50))]
    >>> print(make_verdict(standings, [], BestMean(), metric_named("accuracy")))
    tree wins: accuracy 0.900, 95% interval 0.800 to 0.950, not corrected for the choosing.
      - tree has the best mean accuracy.
      - There is no baseline, so it is not known whether anything beats guessing.
      - The rule: the best mean score.
    """

    winner: str
    best: str
    beats_baseline: bool
    number: Interval
    decision: Decision
    corrected: CorrectedNumber | None
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    metric: str
    is_larger_better: bool
    rule: str
    race: RaceFacts = ONE_PLAN
    is_quick: bool = False
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def n_contenders(self) -> int:
        """How many there are in the race."""
        return len(self.standings)

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return first_sentence(self)

    @property
    def details(self) -> tuple[str, ...]:
        """What else has to be said, one sentence or a few at a time."""
        return details(self)

    @property
    def short_details(self) -> tuple[str, ...]:
        """Those of the details that a short account must not leave out."""
        return short_details(self)

    @property
    def reason(self) -> str:
        """Why this one."""
        return " ".join(self.decision.reasons)

    def __str__(self) -> str:
        return "\n".join([self.sentence, *note_lines(self.details)])

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON can hold it, with its words; without predictions and fold scores."""
        left_out = ("standings",)
        found = {
            name: plain(getattr(self, name)) for name in self.__dataclass_fields__ if name not in left_out
        }
        words = {"sentence": self.sentence, "details": list(self.details), "text": str(self)}
        return found | {"standings": [each.to_dict() for each in self.standings]} | words

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the sentence, the picture, and what else has to be said."""
        return NotebookPiece("Verdict", (self.sentence,), self.details, picture=self.to_svg())

    def to_svg(self) -> str:
        """Every contender with its interval, the best on top and the winner in a colour of its own."""
        lines = [self._line(each) for each in self._ranked()]
        if self.corrected is not None:
            title = f"corrected for the choosing: {self.number}"
            lines.append(self._picture("corrected for the choosing", self.number, title, 2))
        caption = (
            f"{self.metric}, {'larger' if self.is_larger_better else 'smaller'} is better; {self.sentence}"
        )
        return interval_svg(
            lines, title="verdict", caption=caption, reference=self._guess(), axis=self.metric
        )

    def _line(self, standing: Standing) -> PictureInterval:
        is_winner = standing.name == self.winner
        label = f"{standing.name}, the winner" if is_winner else standing.name
        return self._picture(label, standing.estimate, str(standing), 1 if is_winner else 0)

    def _picture(self, label: str, interval: Interval, title: str, index: int) -> PictureInterval:
        estimate = interval.estimate if math.isfinite(interval.estimate) else math.nan
        return PictureInterval(label, estimate, interval.low, interval.high, title, index)

    def _ranked(self) -> list[Standing]:
        sign = -1 if self.is_larger_better else 1
        return sorted((each for each in self.standings if each.can_stand), key=lambda each: sign * each.score)

    def _guess(self) -> float | None:
        """The score of the baseline, which a dashed line marks."""
        scores = [each.score for each in self.standings if each.name == self.decision.baseline]
        return scores[0] if scores and math.isfinite(scores[0]) else None


def _kept_out(standings: Sequence[Standing], decision: Decision, rule: Rule) -> set[str]:
    """The models that were not shown to beat the baseline, where the rule asks for it and another one was."""
    if not decision.better_than_baseline or rule.gate_level is None:
        return set()
    return {each.name for each in standings if not each.is_baseline} - set(decision.better_than_baseline)


def make_verdict(
    standings: Sequence[Standing],
    comparisons: Sequence[Comparison],
    rule: Rule,
    metric: Metric,
    rows: JudgedRows | None = None,
    race: RaceFacts = ONE_PLAN,
    is_quick: bool = False,
    notes: Sequence[str] = (),
    seed: int = 0,
) -> Verdict:
    """Let the rule decide, and say it.

    standings:   of all contenders of the race
    comparisons: of all pairs that are complete, adjusted by Holm
    rows:        that judged them, from which the number is corrected; None where no predictions were kept
    race:        which plans of the study it is made of; left out, one plan alone
    seed:        of the resamples
    """
    decision = rule.decide(standings, comparisons, metric)
    winner = next((each for each in standings if each.name == decision.winner), None)
    number = Interval(metric.name, math.nan, math.nan, math.nan, method="none")
    corrected = None
    if winner is not None:
        number = winner.estimate
        rivals = make_rivals(standings, _kept_out(standings, decision, rule), decision.against_baseline)
        if rivals and rows is not None:
            corrected = corrected_number(rivals, rows, metric, rule, winner, seed)
        if corrected is not None and math.isnan(corrected.corrected):
            corrected = None  # there was nothing to resample; its contenders are not lost for that
        # Guessing was not chosen for its score, so there is nothing to correct.
        if corrected is not None and not decision.is_baseline:
            number = corrected.interval
    return Verdict(
        winner=decision.winner,
        best=decision.best,
        beats_baseline=decision.winner in decision.better_than_baseline,
        number=number,
        decision=decision,
        corrected=corrected,
        standings=tuple(standings),
        comparisons=tuple(comparisons),
        metric=metric.name,
        is_larger_better=metric.is_larger_better,
        rule=rule.words,
        race=race,
        is_quick=is_quick,
        notes=tuple(notes),
    )
