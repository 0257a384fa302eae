"""A rule: how a winner is chosen among contenders, stated before anything runs."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.stats.comparison import Comparison
    from heldout.verdict.decision import Decision
    from heldout.verdict.rivals import Rivals
    from heldout.verdict.standing import Standing


class Rule(ABC):
    """How a winner is chosen. Subclasses are frozen dataclasses whose fields are plain numbers.

    >>> from heldout.verdict.best_mean import BestMean
    >>> BestMean().to_dict()
    {'rule': 'BestMean'}
    """

    @property
    @abstractmethod
    def words(self) -> str:
        """The rule in a few words, such as "the best mean score"."""

    @abstractmethod
    def decide(
        self, standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric
    ) -> Decision:
        """The winner and the reasons.

        standings:   of all contenders of the plan, in its order
        comparisons: of all pairs of contenders that are complete, adjusted
        metric:      by which the plan chooses
        """

    @abstractmethod
    def places(self, rivals: Rivals) -> NDArray[np.intp]:
        """Whom the rule would take in each of many resamples, so that the choosing can be repeated.

        Where models have to beat a baseline, they are taken to have done so.

        rivals: their scores in each resample, and what else the rule looks at
        """

    def to_dict(self) -> dict[str, Any]:
        """The name of the rule and its settings, as JSON can hold them."""
        assert dataclasses.is_dataclass(self)
        return {"rule": type(self).__name__, **dataclasses.asdict(self)}

    def __str__(self) -> str:
        return self.words
