"""The result of a test: how unusual what was seen would be, if nothing were there to see."""

from __future__ import annotations

from dataclasses import dataclass, field

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.stats.interval import Interval
from heldout.stats.result import Result
from heldout.stats.shown_number import shown, shown_p, shown_percent
from heldout.table.describe import plural

NOT_SAID = (
    "p is how often differences at least as large would be seen if there were none;"
    " it is not the chance that there is none, and a large p does not show that there is none."
)
NO_P = "Without p nothing is said for or against a difference."


@dataclass(frozen=True)
class Significance(Result):
    """What a test found; it prints the difference with its interval first, and p behind it.

    test:       its name: "exact McNemar test"
    hypothesis: what is taken for granted: "both have the same error"
    p_value:    how often a result at least as extreme would be seen under it; NaN where it is not known
    statistic:  what was computed; NaN where the test has none
    n_rows:     on how many rows, folds or data sets
    unit:       what they are, in the singular
    seen:       what was seen, in words: "15 rows only tree has right, 14 only forest"
    difference: the difference with its interval, where the test has one
    notes:      sentences about degenerate cases and what the test rests on
    details:    further numbers by name

    >>> print(Significance("sign test", "both win equally often", 0.34283, 50.0, 90, seen="50 of 90 won"))
    sign test of whether both win equally often: 50 of 90 won (90 rows), p = 0.343. p is how often \
differences at least as large would be seen if there were none; it is not the chance that there is none, \
and a large p does not show that there is none.
    """

    test: str
    hypothesis: str
    p_value: float
    statistic: float
    n_rows: int
    unit: str = "row"
    seen: str = ""
    difference: Interval | None = None
    notes: tuple[str, ...] = ()
    details: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        counted = f"({plural(self.n_rows, self.unit)})" if self.difference is None else ""
        seen = " ".join(part for part in (self.seen, counted) if part)
        words = ", ".join(part for part in (seen, shown_p(self.p_value)) if part)
        found = f"{self.test} of whether {self.hypothesis}: {words}."
        sentences = [found] if self.difference is None else [first_sentence(self.difference), found]
        is_known = self.p_value == self.p_value
        return " ".join([*sentences, *self.notes, NOT_SAID if is_known else NO_P])

    def to_svg(self) -> str:
        """The difference with its interval, or the p-value on a scale from 0 to 1."""
        if self.difference is not None:
            return self.difference.to_svg()
        line = PictureInterval(
            label=self.test, estimate=self.p_value, low=0.0, high=self.p_value, title=str(self)
        )
        return interval_svg([line], title=self.test, caption=shown_p(self.p_value), ends=(0.0, 1.0))


def first_sentence(difference: Interval) -> str:
    """An estimate, its interval, how it was made and from how much, without the notes.

    >>> print(first_sentence(Interval("A minus B", 0.02, -0.01, 0.05, method="paired t", n_rows=10)))
    A minus B 0.020, 95% interval -0.010 to 0.050 (paired t, 10 rows).
    """
    estimate = f"{difference.what} {shown(difference.estimate)}"
    counted = plural(difference.n_rows, difference.unit)
    if difference.low != difference.low or difference.high != difference.high:
        return f"{estimate}, no interval ({counted})."
    ends = (
        f"{shown_percent(difference.confidence)} interval {shown(difference.low)} to {shown(difference.high)}"
    )
    return f"{estimate}, {ends} ({difference.method}, {counted})."
