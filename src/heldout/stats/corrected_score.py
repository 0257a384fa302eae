"""What a score that was corrected for a choice has in common, whatever was chosen."""

from __future__ import annotations

import math

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.stats.interval import Interval
from heldout.stats.result import Result


class CorrectedScore(Result):
    """A corrected score beside the best one, which is too good because it was chosen by it.

    interval:         the corrected score with its interval
    best_score:       the best score on all rows
    is_larger_better: the direction of the score
    """

    interval: Interval
    best_score: float
    is_larger_better: bool

    @property
    def corrected(self) -> float:
        """The corrected score."""
        return self.interval.estimate

    @property
    def optimism(self) -> float:
        """By how much the best score is better than the corrected one."""
        distance = self.best_score - self.corrected
        return distance if self.is_larger_better else -distance

    def above_best(self, words: str) -> str:
        """The picture of the corrected score with its interval, above the best score.

        words: about the best score
        """
        lines = [
            self.interval.for_picture("corrected"),
            PictureInterval("best score", self.best_score, math.nan, math.nan, words, place=1),
        ]
        return interval_svg(lines, title=self.interval.what, caption=self.interval.method)
