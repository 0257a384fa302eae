"""What a plan found: how its contenders stand, how they compare, who wins and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.errors import RequestError
from heldout.ledger.fact_body import json_form
from heldout.ledger.verdict_facts import StandingFact
from heldout.metrics.metric import Metric
from heldout.results.printed_table import PrintedTable
from heldout.results.standings import all_scores, median_miss
from heldout.stats.comparison import Comparison
from heldout.stats.interval import plain
from heldout.table.column import Column, category_column
from heldout.table.table import Table
from heldout.text.layout import note_lines
from heldout.text.numbers import align_points, number_texts, percent_text
from heldout.text.words import plural, suggestion
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.rule import rank_standings
from heldout.verdict.standing import Standing

if TYPE_CHECKING:
    from heldout.plan.plan import Plan
    from heldout.verdict.verdict import Verdict


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The result of a plan, made from the study file alone.

    Attributes
    ----------
    record
        the plan as it was written down, with nothing left open
    plan_digest
        its digest
    digest
        of what its cells found: the same for any number of workers and any history of crashes
    metric
        by which settings and contenders were chosen
    choose_reason
        why by that one
    standings
        of every contender of the race: of all plans with the same folds and metric, as they came
    comparisons
        of every pair, adjusted for all of them by Holm's method
    verdict
        who wins, and why
    rows
        that were judged
    plan_number
        which of the study's plans it is, from 1
    n_plans
        how many there are
    notes
        what was noticed when the plan was resolved
    chosen
        for each contender the settings that its cells chose, with how often
    """

    record: Mapping[str, Any]
    plan_digest: str
    digest: str
    metric: Metric
    choose_reason: str
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    verdict: Verdict
    rows: JudgedRows
    plan_number: int = 1
    n_plans: int = 1
    notes: tuple[str, ...] = ()
    chosen: Mapping[str, list[tuple[dict[str, Any], int]]] = field(default_factory=dict)
    known_plan: Plan | None = field(default=None, repr=False)

    @property
    def plan(self) -> Plan:
        """The plan; read from the study file, it can hold learners of Heldout and scikit-learn alone."""
        if self.known_plan is not None:
            return self.known_plan
        from heldout.plan.plan import Plan

        return Plan.from_dict(dict(self.record))

    @property
    def is_complete(self) -> bool:
        """Whether every contender has all of its cells."""
        return all(each.is_complete for each in self.standings)

    def compared(self, adjustment: str = "benjamini_hochberg") -> tuple[Comparison, ...]:
        """The same comparisons, adjusted otherwise.

        Parameters
        ----------
        adjustment
            as for `heldout.stats.adjust`; "benjamini_hochberg" where many are explored
        """
        return Comparison.adjusted(self.comparisons, adjustment)

    def standing(self, name: str) -> Standing:
        """How the contender of this name stands."""
        for each in self.standings:
            if each.name == name:
                return each
        names = [each.name for each in self.standings]
        raise RequestError(
            f"the race has no contender {name!r:.60}",
            where=f"its contenders are {', '.join(names)}",
            fix=suggestion(str(name), names),
        )

    def table(self) -> PrintedTable:
        """A row for each contender, the best first: score, difference to the best, bits, seconds."""
        ranked = rank_standings(self.standings, self.metric)
        rest = [each for each in self.standings if each not in ranked]
        return _table([*ranked, *rest], ranked[0] if ranked else None, self)

    def predictions(self, name: str) -> Table:
        """What a contender answered for every row while it was not trained on it, a row for each repeat.

        Parameters
        ----------
        name
            of the contender
        """
        standing = self.standing(name)
        if standing.out_of_fold is None:
            raise RequestError(
                f"{name} has no complete predictions",
                where=standing.problem or "it has not run",
                fix="run the plan to its end",
            )
        return _predictions(standing, self.rows)

    def __str__(self) -> str:
        which = f"Plan {self.plan_number} of {self.n_plans}, {plural(len(self.standings), 'contender')}."
        return "\n".join([which, "", str(self.table()), *note_lines(self.notes), "", str(self.verdict)])

    def __repr__(self) -> str:
        return str(self)

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the verdict, its picture, and a row for each contender."""
        table = self.table().notebook_piece()
        return replace(
            self.verdict.notebook_piece(),
            title=f"Plan {self.plan_number} of {self.n_plans}, {plural(len(self.standings), 'contender')}",
            items=(*self.verdict.details, *self.notes, *table.items),
            headings=table.headings,
            rows=table.rows,
            caption=table.caption,
        )

    def _repr_html_(self) -> str:
        return piece_html(self.notebook_piece())

    def to_dict(self) -> dict[str, Any]:
        """Everything but the predictions, as JSON can hold it."""
        return {
            "plan": self.plan_digest,
            "digest": self.digest,
            "metric": self.metric.name,
            "choose_reason": self.choose_reason,
            "winner": self.verdict.winner,
            "best": self.verdict.best,
            "beats_baseline": self.verdict.beats_baseline,
            "text": str(self.verdict),
            "number": plain(self.verdict.number),
            "standings": [json_form(self.standing_fact(each)) for each in self.standings],
            "comparisons": [each.to_dict() for each in self.comparisons],
            "against_baseline": [each.to_dict() for each in self.verdict.decision.against_baseline],
            "plan_number": self.plan_number,
            "n_plans": self.n_plans,
            "race": plain(self.verdict.race),
            "notes": list(self.notes),
            "seed": self.record["seed"],
            "rigor": self.record["rigor"],
            "folds": dict(self.record["folds"]),
            "tuning": dict(self.record["tuning"]),
            "rule": dict(self.record["rule"]),
        }

    def standing_fact(self, standing: Standing) -> StandingFact:
        """What is recorded of a contender in a verdict."""
        difference = _as_shown(to_the_best(standing, self), self)
        return StandingFact(
            name=standing.name,
            metric=standing.metric,
            estimate=standing.estimate,
            bits=standing.bits,
            bits_are_foreign=standing.bits_are_foreign,
            seconds=standing.seconds,
            is_baseline=standing.is_baseline,
            is_complete=standing.is_complete,
            problem=standing.problem,
            contender=standing.contender,
            plan=standing.plan,
            is_new=standing.is_new,
            is_infinite=math.isinf(standing.score),
            difference=None if difference is None else difference.simultaneous or difference.effect,
            scores=all_scores(standing, self.record["metrics"], self.rows),
            median_miss=median_miss(standing, self.rows),
            chosen=tuple(self.chosen.get(standing.name, [])),
        )


def to_the_best(standing: Standing, result: StudyResult) -> Comparison | None:
    """The comparison of a contender with the one that scores best; None for that one itself."""
    best = result.verdict.best
    for each in result.comparisons:
        if {each.name_a, each.name_b} == {standing.name, best} and standing.name != best:
            return each
    return None


def _as_shown(found: Comparison | None, result: StudyResult) -> Comparison | None:
    """The comparison as the baseline gate has it where it is one with the baseline: one interval, not two."""
    gate = {frozenset((each.name_a, each.name_b)): each for each in result.verdict.decision.against_baseline}
    return None if found is None else gate.get(frozenset((found.name_a, found.name_b)), found)


def _table(ordered: Sequence[Standing], best: Standing | None, result: StudyResult) -> PrintedTable:
    differences = [_difference(each, best, result) for each in ordered]
    numbers = {
        result.metric.name: [each.score for each in ordered],
        "low": [each.estimate.low for each in ordered],
        "high": [each.estimate.high for each in ordered],
        "to the best": [each[0] for each in differences],
        "difference low": [each[1] for each in differences],
        "difference high": [each[2] for each in differences],
        "bits": [each.bits for each in ordered],
        "seconds": [each.seconds for each in ordered],
    }
    names = [each.name for each in ordered]
    columns = [Column("contender", "text", np.array(names, dtype=object))]
    columns += [Column(name, "number", np.array(values)) for name, values in numbers.items()]
    share = percent_text(ordered[0].estimate.confidence) if ordered else "95%"
    shown_as = {
        "contender": names,
        result.metric.name: _numbers([each.score for each in ordered]),
        f"{share} interval": align_points([_ends(each.estimate.low, each.estimate.high) for each in ordered]),
        "to the best": _numbers([each[0] for each in differences]),
        "its interval": align_points([_ends(each[1], each[2]) for each in differences]),
        "bits": ["" if math.isnan(each.bits) else f"{each.bits:,.0f}" for each in ordered],
        "seconds": [f"{each.seconds:.2f}" for each in ordered],
    }
    notes = [f"{each.name}: {each.problem}" for each in ordered if not each.is_complete]
    return PrintedTable(columns, notes, shown_as)


def _numbers(values: Sequence[float]) -> list[str]:
    alike = number_texts(values)
    return align_points(
        ["" if math.isnan(value) else text for value, text in zip(values, alike, strict=True)]
    )


def _ends(low: float, high: float) -> str:
    return "" if math.isnan(low + high) else " to ".join(number_texts([low, high]))


def _difference(standing: Standing, best: Standing | None, result: StudyResult) -> tuple[float, float, float]:
    """Score minus the best score, with its interval."""
    found = to_the_best(standing, result) if best is not None else None
    if found is None:
        return math.nan, math.nan, math.nan
    effect = found.effect
    if found.name_a == standing.name:
        return effect.estimate, effect.low, effect.high
    return 0.0 - effect.estimate, 0.0 - effect.high, 0.0 - effect.low  # and never a 0 with a sign


def _predictions(standing: Standing, rows: JudgedRows) -> Table:
    predictions = standing.out_of_fold
    assert predictions is not None
    repeats, indices = np.nonzero(rows.is_tested)
    columns = [
        Column("row", "number", indices.astype(np.float64)),
        Column("repeat", "number", repeats.astype(np.float64) + 1),
        Column("fold", "number", rows.folds[repeats, indices].astype(np.float64) + 1),
    ]
    if predictions.values is not None:
        columns.append(Column("truth", "number", rows.y[indices].astype(np.float64)))
        return Table([*columns, Column("answer", "number", predictions.values[repeats, indices])])
    classes = np.array(rows.classes)
    columns.append(category_column("truth", [str(label) for label in rows.y[indices].tolist()]))
    if predictions.labels is not None:
        predicted = classes[predictions.labels[repeats, indices]]
        columns.append(category_column("answer", [str(label) for label in predicted.tolist()]))
    if predictions.probabilities is not None:
        probabilities = predictions.probabilities[repeats, indices]
        columns += [
            Column(f"probability of {name}", "number", probabilities[:, index])
            for index, name in enumerate(rows.classes)
        ]
    return Table(columns)
