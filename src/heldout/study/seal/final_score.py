"""The score on rows that nothing was learned from: one look, with the intervals that account for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from heldout.charts.interval_picture import interval_svg
from heldout.stats.after_looks import AfterLooks
from heldout.stats.interval import Interval, Result
from heldout.stats.looks import shown_bits
from heldout.study.seal.held_look import HeldDetail
from heldout.study.seal.held_score import HeldScore
from heldout.text.numbers import number_text, number_texts, percent_text
from heldout.text.words import plural, shorten

NOT_SAID = (
    "Of intervals made this way {surely} {share} hold the true value;"
    " that is not the probability that this one does."
)
GIVEN_AWAY = (
    "This look shows the held rows one by one, and gives all of their labels away: whatever is judged on them"
    " from now on proves nothing."
)

NEVER_ENOUGH = (
    "On these held rows not even a perfect score could be told from the baseline: they are too few for how"
    " much single rows weigh here. More rows would have to be sealed."
)


@dataclass(frozen=True, kw_only=True)
class FinalScore(Result):
    """What the held rows say of one contender that was fitted on all open rows.

    Attributes
    ----------
    contender
        its name
    metric
        by which it was scored
    estimate
        the score
    adaptive
        the interval that holds however this model was built from earlier answers
    fixed
        the interval that holds only if all models were fixed before the first look
    look
        the how-manieth look at the held rows it is
    looks_allowed
        how many need no reason
    bits_before
        how much of the held labels earlier looks gave away, at most
    bits
        how much this one gives away, at most
    budget
        with how many bits the rows are used up
    baseline
        the score that has to be beaten, known from the open rows
    n_rows
        how many rows were held
    is_approximate
        whether the intervals rest on a normal curve
    was_given_away
        whether an earlier look showed the rows one by one
    open_estimate
        what cross-validation said on the open rows; None where no plan ran this contender
    chosen
        the setting that was chosen by tuning on all open rows
    reason
        why it was looked again
    detail
        "score" or "full"
    notes
        sentences about how it was made
    full
        the confusion, curves and predictions of `detail="full"`

    Examples
    --------
    >>> interval = Interval("accuracy", 0.9, 0.824, 0.951, method="Clopper-Pearson", n_rows=100)
    >>> score = FinalScore(
    ...     contender="tree",
    ...     metric="accuracy",
    ...     estimate=0.9,
    ...     adaptive=interval,
    ...     fixed=interval,
    ...     look=1,
    ...     looks_allowed=1,
    ...     bits_before=0.0,
    ...     bits=6.66,
    ...     budget=94.7,
    ...     baseline=0.5,
    ...     n_rows=100,
    ... )
    >>> print(str(score)[:89])
    tree on the 100 held rows: accuracy 0.900, 95% interval 0.824 to 0.951 (Clopper-Pearson).
    """

    contender: str
    metric: str
    estimate: float
    adaptive: Interval
    fixed: Interval
    look: int
    looks_allowed: int
    bits_before: float
    bits: float
    budget: float
    baseline: float
    n_rows: int
    is_approximate: bool = False
    was_given_away: bool = False
    open_estimate: Interval | None = None
    chosen: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    detail: str = "score"
    notes: tuple[str, ...] = ()
    full: HeldDetail | None = None

    @property
    def is_used_up(self) -> bool:
        """Whether the held rows can no longer tell even a perfect model from the baseline."""
        return self.was_given_away or self.bits_before >= self.budget

    @property
    def interval(self) -> Interval:
        """The interval that survives adaptive use."""
        return self.adaptive

    def __str__(self) -> str:
        messages = [GIVEN_AWAY] if self.detail == "full" else []
        share = percent_text(self.adaptive.confidence)
        rows = plural(self.n_rows, "held row")
        messages.append(
            f"{self.contender} on the {rows}: {self.metric} {number_text(self.estimate)}{self._first(share)}."
        )
        if self.bits_before:
            messages += self._after_earlier(share)
        messages.append(self._counted())
        messages += [*self.notes, *self._worth()]
        if self.open_estimate is not None:
            messages.append(self._beside())
        if not math.isnan(self.adaptive.low):
            surely = "about" if self.is_approximate else "at least"
            messages.append(NOT_SAID.format(surely=surely, share=share))
        return " ".join(messages)

    def _first(self, share: str) -> str:
        """The interval, where it is the only one."""
        if self.bits_before:
            return ""
        if math.isnan(self.adaptive.low):
            return f", no interval ({self.adaptive.method})"
        return f", {share} interval {_ends(self.adaptive)} ({self.adaptive.method})"

    def _after_earlier(self, share: str) -> list[str]:
        models = "both models were" if self.look == 2 else f"all {self.look:,} models were"
        return [
            f"Earlier looks gave away at most {shown_bits(self.bits_before)} of the held labels; however this"
            f" model was built from them: {share} interval {_ends(self.adaptive)} ({self.adaptive.method}).",
            f"Only if {models} fixed before the first look: {_ends(self.fixed)} ({self.fixed.method}).",
        ]

    def _counted(self) -> str:
        which = f"Look {self.look:,} at the sealed rows, for the reason “{shorten(self.reason, 300)}”"
        if self.look <= self.looks_allowed == 1:
            which = "First and only free look at the sealed rows"
        elif self.look <= self.looks_allowed:
            which = f"Look {self.look:,} of {self.looks_allowed:,} free ones at the sealed rows"
        if self.detail == "full":
            return f"{which}; it gives all labels away."
        return f"{which}; it gives away at most {shown_bits(self.bits)}."

    def _worth(self) -> list[str]:
        if self.is_used_up and not self.bits_before and not self.was_given_away:
            return [NEVER_ENOUGH]
        if self.is_used_up:
            return [
                "This test set is used up: after what earlier looks gave away, not even a perfect score could"
                " be told from the baseline. Seal new rows."
            ]
        if self.baseline in self.adaptive:
            return [f"The interval holds {number_text(self.baseline)}, what the baseline would get."]
        return []

    def _beside(self) -> str:
        assert self.open_estimate is not None
        found = self.open_estimate
        ends = "" if math.isnan(found.low) else f", {percent_text(found.confidence)} interval {_ends(found)}"
        return f"On the open rows cross-validation gave {number_text(found.estimate)}{ends}."

    def to_svg(self) -> str:
        """The intervals, one below the other, and the baseline."""
        lines = [self.adaptive.for_picture("held rows")]
        if self.look > 1:
            lines = [
                self.adaptive.for_picture("however built"),
                self.fixed.for_picture("if fixed beforehand"),
            ]
        if self.open_estimate is not None:
            lines.append(replace(self.open_estimate.for_picture("open rows"), index=1))
        reference = self.baseline if math.isfinite(self.baseline) else None
        return interval_svg(lines, f"{self.contender}: {self.metric}", self._counted(), reference=reference)

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them; what `detail="full"` shows stands beside it, in arrays."""
        found = super().to_dict()
        found.pop("full")
        return found | {"is_used_up": self.is_used_up}

    @classmethod
    def of_dict(cls, record: Mapping[str, Any], full: HeldDetail | None = None) -> FinalScore:
        """The score as it was recorded.

        Parameters
        ----------
        record
            what `to_dict` made
        full
            the detail, made of what was recorded beside it
        """
        values = {name: value for name, value in record.items() if name != "is_used_up"}
        for name in ("adaptive", "fixed", "open_estimate"):
            values[name] = None if values[name] is None else interval_of_dict(values[name])
        for name in ("estimate", "bits_before", "bits", "budget", "baseline"):
            values[name] = _number(values[name], math.inf if name in ("bits", "budget") else math.nan)
        return cls(**(values | {"notes": tuple(values["notes"]), "full": full}))


def final_score(found: HeldScore, **known: Any) -> FinalScore:
    """The record of a look.

    found: the score with its intervals, and how many answers there were
    known: the other fields
    """
    after: AfterLooks = found.after
    return FinalScore(
        metric=after.what,
        estimate=after.estimate,
        adaptive=after.adaptive,
        fixed=after.fixed,
        look=after.looks,
        bits_before=after.bits,
        budget=after.budget,
        baseline=after.baseline,
        is_approximate=after.is_approximate,
        **known,
    )


def interval_of_dict(record: Mapping[str, Any]) -> Interval:
    """An interval that JSON has held; what it could not hold was not a number."""
    names = set(Interval.__dataclass_fields__)
    values = {name: value for name, value in record.items() if name in names}
    for name in ("estimate", "low", "high"):
        values[name] = _number(values[name], math.nan)
    return Interval(**(values | {"notes": tuple(values.get("notes", ()))}))


def _number(value: Any, missing: float) -> float:
    return missing if value is None else float(value)


def _ends(interval: Interval) -> str:
    if math.isnan(interval.low) or math.isnan(interval.high):
        return "not known"
    return " to ".join(number_texts([interval.low, interval.high]))
