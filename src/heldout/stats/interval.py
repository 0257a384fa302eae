"""An estimate with an interval around it."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.stats.result import Result
from heldout.stats.shown_number import shown, shown_alike, shown_percent
from heldout.table.describe import plural

NOT_SAID = (
    "Of intervals made this way about {share} hold the true value; that is not the probability that this one"
    " does."
)


@dataclass(frozen=True)
class Interval(Result):
    """An estimate, and the values that the data do not contradict.

    what:       what is estimated: "accuracy", "AUC", "accuracy of tree minus accuracy of forest"
    estimate:   the estimate; it may lie at an end
    low, high:  the ends; NaN where there is no interval, and then a note says why
    confidence: of intervals made this way so many hold the true value
    method:     how it was made: "Clopper-Pearson", "DeLong on the logit scale"
    n_rows:     on how many rows, or groups, or folds
    unit:       what they are, in the singular: "row", "group", "fold"
    reference:  a value to compare with, such as 0 for a difference or ½ for an AUC; None if there is none
    notes:      sentences about this one: what was done instead, what it rests on, what it does not say
    estimand:   a sentence about what exactly is estimated, where that is not plain

    >>> print(Interval("accuracy", 0.78, 0.640, 0.885, method="Clopper-Pearson", n_rows=50))
    accuracy 0.780, 95% interval 0.640 to 0.885 (Clopper-Pearson, 50 rows). Of intervals made this way about \
95% hold the true value; that is not the probability that this one does.
    """

    what: str
    estimate: float
    low: float
    high: float
    confidence: float = 0.95
    method: str = ""
    n_rows: int = 0
    unit: str = "row"
    reference: float | None = None
    notes: tuple[str, ...] = ()
    estimand: str = ""

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        share = shown_percent(self.confidence)
        made = f"({self.method}, {plural(self.n_rows, self.unit)})"
        if self.low != self.low or self.high != self.high:
            return " ".join([f"{self.what} {shown(self.estimate)}, no interval {made}.", *self._said()])
        estimate, low, high = shown_alike([self.estimate, self.low, self.high])
        sentence = f"{self.what} {estimate}, {share} interval {low} to {high} {made}."
        return " ".join([sentence, *self._said(), self.not_said()])

    def _said(self) -> list[str]:
        return [sentence for sentence in (self.estimand, *self.notes) if sentence]

    def not_said(self) -> str:
        """What the confidence says about intervals made this way, and what it does not say about this one."""
        return NOT_SAID.format(share=shown_percent(self.confidence))

    def to_svg(self) -> str:
        """The estimate as a dot on a line from end to end."""
        lines = [self.for_picture()]
        return interval_svg(lines, title=self.what, caption=self.method, reference=self.reference)

    def for_picture(self, label: str | None = None) -> PictureInterval:
        """This interval as one line of a picture of several.

        label: what is written beside it; left out, what is estimated
        """
        return PictureInterval(
            label=self.what if label is None else label,
            estimate=self.estimate,
            low=self.low,
            high=self.high,
            title=str(self),
        )
