"""The choosing of a race, repeated: whom the rule takes when the scores vary as they do over resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.verdict.gate_again import gate_again
from heldout.verdict.rival import Rival
from heldout.verdict.rivals import Rivals
from heldout.verdict.rule import Rule

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
NOBODY = -1


@dataclass(frozen=True, eq=False)
class RepeatedChoice:
    """What the choosing is repeated with.

    rivals: that are chosen among
    on_all: the goodness of each on all rows: its score, with its sign turned where smaller is better
    errors: rivals × rivals: the corrected standard error of the difference of two
    metric: what the scores are of
    rule:   that chooses
    """

    rivals: Sequence[Rival]
    on_all: Numbers
    errors: Numbers
    metric: Metric
    rule: Rule

    def chosen(self, goodness: Numbers) -> Places:
        """Whom the rule takes in each resample; −1 where it would have named no model.

        A rule that asks who beats the baseline names its level: whoever does not beat it in a resample, by
        the same test as on all rows, cannot be taken there.

        goodness: resamples × rivals
        """
        level, guess = getattr(self.rule, "level", None), self._guess
        if level is None or guess is None or self._is_baseline.all():
            return self._places(goodness)
        passes = gate_again(goodness, self.errors, self.rivals, guess, float(level))
        found = self._places(np.where(passes | self._is_baseline, goodness, np.nan))
        return np.where(passes.any(axis=1), found, NOBODY)

    def chosen_among_winners(self, goodness: Numbers) -> Places:
        """Whom the rule takes in each resample where only those may be taken that may win on all rows."""
        return self._places(np.where(self.is_kept_out, np.nan, goodness))

    @property
    def is_kept_out(self) -> NDArray[np.bool_]:
        """Who cannot win on all rows."""
        return np.array([each.is_kept_out for each in self.rivals])

    @property
    def _is_baseline(self) -> NDArray[np.bool_]:
        return np.array([each.is_baseline for each in self.rivals])

    @property
    def _guess(self) -> int | None:
        """The place of the best baseline; None where there is none, or none has a score."""
        known = np.where(self._is_baseline & ~np.isnan(self.on_all), self.on_all, -np.inf)
        return int(np.argmax(known)) if np.isfinite(known).any() else None

    def _places(self, goodness: Numbers) -> Places:
        bits = np.array([each.bits for each in self.rivals])
        is_known, guess = ~np.isnan(self.on_all), self._guess
        reference = float("nan")
        if is_known.any():
            reference = float(self.on_all[int(np.nanargmax(self.on_all)) if guess is None else guess])
        reference *= self.metric.sign
        rivals = Rivals(goodness, self.errors, bits, self._is_baseline, self.metric, reference)
        return self.rule.places(rivals)
