"""Two models compared: the difference with its interval first, then p, alone and among its family."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from heldout.errors import DataError
from heldout.stats.adjust import METHODS, adjust
from heldout.stats.interval import Interval
from heldout.stats.result import Result
from heldout.stats.shown_number import shown_p
from heldout.stats.significance import NO_P, NOT_SAID, Significance, first_sentence
from heldout.table.describe import plural


@dataclass(frozen=True)
class Comparison(Result):
    """How much two models differ, and what speaks for it.

    name_a, name_b: the two
    effect:         the difference with its interval
    p_value:        of the test that there is none; NaN where it has no answer
    test:           by which test
    adjusted_p:     p among the comparisons that were made together; None before that
    adjustment:     how it was adjusted: "holm", "bonferroni", "benjamini_hochberg"
    n_together:     how many comparisons were made together
    notes:          sentences about this one

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

    @classmethod
    def of(cls, found: Significance, name_a: str, name_b: str) -> Comparison:
        """The comparison that a test made.

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
        """The same comparisons, each with its p-value adjusted for all of them.

        comparisons: all that were made together
        method:      as for `adjust`; "holm" to conclude, "benjamini_hochberg" to explore

        A comparison without a p-value counts among them as if p were 1, and gets none.

        >>> from heldout.stats.sign_test import sign_test
        >>> both = [Comparison.of(sign_test(9, 1), "A", "B"), Comparison.of(sign_test(5, 5), "A", "C")]
        >>> [each.adjusted_p for each in Comparison.adjusted(both)]
        [0.04296875, 1.0]
        """
        listed = list(comparisons)
        p_values = np.array([1.0 if math.isnan(each.p_value) else each.p_value for each in listed])
        found = adjust(p_values, method)
        return tuple(
            replace(
                each,
                adjusted_p=math.nan if math.isnan(each.p_value) else p,
                adjustment=method,
                n_together=len(listed),
            )
            for each, p in zip(listed, found.adjusted, strict=True)
        )

    def __str__(self) -> str:
        tested = f"{self.test}: {shown_p(self.p_value)}" if self.test else shown_p(self.p_value)
        if self.adjusted_p is not None and not math.isnan(self.adjusted_p):
            among = plural(self.n_together, "comparison")
            value = shown_p(self.adjusted_p).removeprefix("p ").removeprefix("= ")
            tested += f", adjusted {value} among {among} ({METHODS[self.adjustment]})"
        said = [first_sentence(self.effect), f"{tested}.", *self.notes]
        if not (math.isnan(self.effect.low) or math.isnan(self.effect.high)):
            said.append(self.effect.not_said())
        return " ".join([*said, NO_P if math.isnan(self.p_value) else NOT_SAID])

    def to_svg(self) -> str:
        """The difference with its interval, and where no difference lies."""
        return self.effect.to_svg()
