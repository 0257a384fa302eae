"""Any other metric under counts of rows: it is called once for every line of counts and repeat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.errors import HeldoutError
from heldout.metrics.metric import Metric
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import MetricAnswers
from heldout.verdict.scored import Numbers, Scored

FEW_LINES = 10


@dataclass(frozen=True, eq=False)
class CalledScore(Scored):
    """A metric of rows that cannot be put together from sums.

    metric: takes y and answers, and weights if it can; without, a row that counts twice is repeated
    rows:   that are judged
    given:  the answers of each repeat
    """

    metric: Metric
    rows: JudgedRows
    given: tuple[MetricAnswers, ...]

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.given)

    @property
    def cost(self) -> float:
        # A call costs as much as passes over some ten thousand numbers, and sorts.
        return 20_000.0 + 20.0 * len(self.given[0].answers)

    def means(self, counts: Numbers) -> Numbers:
        """As of any score; of many lines the first repeat has to do, since each takes a call of the metric.

        counts: lines × rows
        """
        if len(counts) <= FEW_LINES:
            return super().means(counts)
        return np.array([self._value(line, 0) for line in counts])

    def values(self, counts: Numbers) -> Numbers:
        return np.array([[self._value(line, repeat) for repeat in range(self.n_repeats)] for line in counts])

    def _value(self, counts: Numbers, repeat: int) -> float:
        given = self.given[repeat]
        kept = np.flatnonzero((counts > 0) & self.rows.is_tested[repeat])
        if not len(kept):
            return np.nan
        weights = None
        if self.rows.weights is not None:
            weights = counts[kept] * self.rows.row_weights[kept]
        else:
            kept = np.repeat(kept, counts[kept].astype(np.intp))
        try:
            return self.metric(self.rows.y[kept], given.answers[kept], weights=weights, **given.options)
        except HeldoutError:
            # Rows that happen to lack a class have no score; what is wrong with all rows was said before.
            return np.nan
