"""Two models compared: the difference with its interval first, then p, alone and among its family."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.errors import DataError
from heldout.stats.adjust import METHODS, adjust
from heldout.stats.interval import Interval, Result
from heldout.text.numbers import number_text, p_value_text, percent_text
from heldout.text.words import plural


@dataclass(frozen=True)
class Comparison(Result):
    """How much two models differ, and what speaks for it.

    Attributes
    ----------
    name_a, name_b
        the two
    effect
        the difference with its interval
    p_value
        of the test that there is none; NaN where it has no answer
    test
        by which test
    adjusted_p
        p among the comparisons that were made together; None before that
    simultaneous
        the difference with an interval that agrees with the adjusted p: 0 lies inside if and only if that
        is above 1 − confidence; None before that, or where only one interval is known
    adjustment
        how it was adjusted: "holm", "bonferroni", "benjamini_hochberg"
    n_together
        how many comparisons were made together
    notes
        sentences about this one
    is_one_sided
        whether p is that of one side, and the interval that of both at twice its level

    Examples
    --------
    >>> effect = Interval("tree minus rule", 0.03, 0.01, 0.05, method="paired t", n_rows=30)
    >>> print(str(Comparison("tree", "rule", effect, 0.02, "paired t test"))[:97])
    tree minus rule 0.030, 95% interval 0.010 to 0.050 (paired t, 30 rows). paired t test: p = 0.020.
    """

    name_a: str
    name_b: str
    effect: Interval
    p_value: float
    test: str = ""
    adjusted_p: float | None = None
    adjustment: str = ""
    n_together: int = 1
    notes: tuple[str, ...] = ()
    simultaneous: Interval | None = None
    is_one_sided: bool = False

    @classmethod
    def of(cls, found: Significance, name_a: str, name_b: str) -> Comparison:
        """The comparison that a test made.

        Examples
        --------
        >>> from heldout.stats.sign_test import sign_test
        >>> Comparison.of(sign_test(9, 1, names=("tree", "rule")), "tree", "rule").effect.estimate
        0.9
        """
        if found.difference is None:
            raise DataError(
                "a comparison shows a difference first, and this test has none",
                where=f"{found.test} of {name_a} and {name_b}",
                fix="use a test that gives one, or make the Comparison with an Interval of your own",
            )
        return cls(name_a, name_b, found.difference, found.p_value, found.test, notes=found.notes)

    @staticmethod
    def adjusted(comparisons: Iterable[Comparison], method: str = "holm") -> tuple[Comparison, ...]:
        """The same comparisons, each with p and, where it can be made, an interval adjusted for all of them.

        Parameters
        ----------
        comparisons
            all that were made together
        method
            as for `adjust`; "holm" to conclude, "benjamini_hochberg" to explore

        Notes
        -----
        A comparison without a p-value counts among them as if p were 1, and gets none.

        Examples
        --------
        >>> from heldout.stats.sign_test import sign_test
        >>> both = [Comparison.of(sign_test(9, 1), "A", "B"), Comparison.of(sign_test(5, 5), "A", "C")]
        >>> [each.adjusted_p for each in Comparison.adjusted(both)]
        [0.04296875, 1.0]
        """
        listed = list(comparisons)
        p_values = np.array([1.0 if math.isnan(each.p_value) else each.p_value for each in listed])
        found = adjust(p_values, method)
        changed = [
            replace(
                each,
                adjusted_p=math.nan if math.isnan(each.p_value) else p,
                adjustment=method,
                n_together=len(listed),
            )
            for each, p in zip(listed, found.adjusted, strict=True)
        ]
        return tuple(replace(each, simultaneous=_simultaneous(each, found.adjusted)) for each in changed)

    def ends_at(self, confidence: float) -> tuple[float, float] | None:
        """The ends of the interval of the difference at another confidence; None where they are not known."""
        return None

    def __str__(self) -> str:
        tested = f"{self.test}: {p_value_text(self.p_value)}" if self.test else p_value_text(self.p_value)
        if self.adjusted_p is not None and not math.isnan(self.adjusted_p):
            among = plural(self.n_together, "comparison")
            value = p_value_text(self.adjusted_p).removeprefix("p ").removeprefix("= ")
            tested += f", adjusted {value} among {among} ({METHODS[self.adjustment]})"
        shown = self.simultaneous or self.effect
        messages = [first_sentence(shown), f"{tested}.", *self.notes]
        if not (math.isnan(shown.low) or math.isnan(shown.high)):
            messages.append(self.effect.not_given() if self.simultaneous is None else self._missing_in_some())
        return " ".join([*messages, NO_P if math.isnan(self.p_value) else NOT_SAID])

    def _missing_in_some(self) -> str:
        share = percent_text(self.effect.confidence)
        if self.adjustment == "benjamini_hochberg":
            return f"Of the intervals of discoveries made this way about {share} hold the true value."
        return f"Of families of intervals made this way about {share} hold every true value."

    def to_svg(self) -> str:
        """The difference with its interval, and where no difference lies."""
        return (self.simultaneous or self.effect).to_svg()


def _simultaneous(found: Comparison, adjusted: Sequence[float]) -> Interval | None:
    """The interval that says what the adjusted p says.

    Holm and Bonferroni: the ends at α / m, which hold together however the tests depend on each other. What
    Holm shows beyond Bonferroni, the side of 0, is cut off. Benjamini-Hochberg: the ends at α · R / m for R
    discoveries (Benjamini & Yekutieli 2005).
    """
    level, effect = 1 - found.effect.confidence, found.effect
    allowed = level / 2 if found.is_one_sided else level
    n_discoveries = sum(p <= allowed * (1 + 1e-12) for p in adjusted)
    share = max(n_discoveries, 1) if found.adjustment == "benjamini_hochberg" else 1
    ends = found.ends_at(1 - level * share / found.n_together)
    if ends is None or found.adjusted_p is None or math.isnan(found.adjusted_p):
        return None
    low, high = ends
    if found.adjusted_p > allowed * (1 + 1e-12):
        low, high = min(low, 0.0), max(high, 0.0)
    elif low <= 0 <= high:
        low, high = (0.0, high) if effect.estimate > 0 else (low, 0.0)
    together = plural(found.n_together, "comparison")
    method = effect.method if found.n_together == 1 else f"{effect.method}, simultaneous over {together}"
    return replace(effect, low=low, high=high, method=method)


NOT_SAID = (
    "p is how often differences at least as large would be seen if there were none;"
    " it is not the chance that there is none, and a large p does not show that there is none."
)
NO_P = "Without p nothing is said for or against a difference."


@dataclass(frozen=True)
class Significance(Result):
    """What a test found; it prints the difference with its interval first, and p behind it.

    Attributes
    ----------
    test
        its name: "exact McNemar test"
    hypothesis
        what is taken for granted: "both have the same error"
    p_value
        how often a result at least as extreme would be seen under it; NaN where it is not known
    statistic
        what was computed; NaN where the test has none
    n_rows
        on how many rows, folds or data sets
    unit
        what they are, in the singular
    seen
        what was seen, in words: "15 rows only tree has right, 14 only forest"
    difference
        the difference with its interval, where the test has one
    notes
        sentences about degenerate cases and what the test rests on
    details
        further numbers by name

    Examples
    --------
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
        words = ", ".join(part for part in (seen, p_value_text(self.p_value)) if part)
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
        return interval_svg([line], title=self.test, caption=p_value_text(self.p_value), ends=(0.0, 1.0))


def first_sentence(difference: Interval) -> str:
    """An estimate, its interval, how it was made and from how much, without the notes."""
    estimate = f"{difference.what} {number_text(difference.estimate)}"
    counted = plural(difference.n_rows, difference.unit)
    if difference.low != difference.low or difference.high != difference.high:
        return f"{estimate}, no interval ({counted})."
    level, low, high = (
        percent_text(difference.confidence),
        *map(number_text, (difference.low, difference.high)),
    )
    ends = f"{level} interval {low} to {high}"
    return f"{estimate}, {ends} ({difference.method}, {counted})."
