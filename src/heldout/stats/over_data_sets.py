"""Two learners over many data sets: who wins where, the tests, and the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.charts.scatter_picture import PictureDot, scatter_svg
from heldout.errors import DataError
from heldout.stats.comparison import NOT_SAID, Significance, first_sentence
from heldout.stats.interval import Result
from heldout.stats.paired_tests import signed_rank
from heldout.stats.score_pairs import clean_differences, pair_names, score_pairs
from heldout.stats.sign_test import sign_test
from heldout.text.numbers import number_text, p_value_text
from heldout.text.words import plural

_UNIT = "data set"


@dataclass(frozen=True)
class OverDataSets(Result):
    """Two learners on the same data sets.

    Attributes
    ----------
    names
        of the two
    data_sets
        the names of the data sets
    scores_a, scores_b
        one score per data set
    is_larger_better
        the direction of the scores
    wins, ties, losses
        of the first
    sign
        the sign test: who wins more often
    signed_rank
        Wilcoxon's test: by how much, in ranks
    what
        what the scores are
    """

    names: tuple[str, str]
    data_sets: tuple[str, ...]
    scores_a: tuple[float, ...]
    scores_b: tuple[float, ...]
    is_larger_better: bool
    wins: int
    ties: int
    losses: int
    sign: Significance
    signed_rank: Significance
    what: str = "score"

    def __str__(self) -> str:
        first, second = self.names
        assert self.signed_rank.difference is not None
        sentences = [
            first_sentence(self.signed_rank.difference),
            f"On {plural(len(self.data_sets), _UNIT)} {first} won {self.wins:,}, tied {self.ties:,},"
            f" lost {self.losses:,} against {second}.",
            f"{self.signed_rank.test}: {p_value_text(self.signed_rank.p_value)};"
            f" sign test: {p_value_text(self.sign.p_value)}.",
            *self.signed_rank.notes,
            "It speaks of data sets like these, each counted once, not of any one of them.",
            NOT_SAID,
        ]
        return " ".join(sentences)

    def to_svg(self) -> str:
        """A point per data set over both scores, and the diagonal on which the two are equal."""
        first, second = self.names
        differences = clean_differences(np.array(self.scores_a), np.array(self.scores_b))
        sign = 1 if self.is_larger_better else -1
        dots = []
        for name, a, b, difference in zip(
            self.data_sets, self.scores_a, self.scores_b, sign * differences, strict=True
        ):
            index = 2 if difference == 0 else int(difference < 0)
            dots.append(
                PictureDot(b, a, index, f"{name}: {first} {number_text(a)}, {second} {number_text(b)}")
            )
        return scatter_svg(
            dots,
            title=f"{self.what} of {first} over {self.what} of {second}",
            caption=f"{plural(len(dots), _UNIT)}, {p_value_text(self.signed_rank.p_value)} (signed ranks)",
            x=f"{self.what} of {second}",
            y=f"{self.what} of {first}",
            legend=(f"{first} is better", f"{second} is better", "tied"),
            description=str(self),
        )


def over_data_sets(
    scores_a: Any,
    scores_b: Any,
    data_sets: Sequence[str] | None = None,
    names: tuple[str, str] = ("A", "B"),
    is_larger_better: bool = True,
    what: str = "score",
    confidence: float = 0.95,
) -> OverDataSets:
    """Two learners compared over data sets, by Wilcoxon's signed ranks and by the sign test (Demšar 2006).

    Parameters
    ----------
    scores_a, scores_b
        one score per data set, in the same order
    data_sets
        their names; left out, their numbers
    names
        of the two learners
    is_larger_better
        the direction; False for errors
    what
        what the scores are, such as "accuracy"
    confidence
        of the intervals

    Notes
    -----
    Data sets are taken as independent, and each counts once, whatever its size. Scores that agree in 14
    digits are tied; Wilcoxon's ranks follow Pratt.

    Examples
    --------
    >>> found = over_data_sets([0.9, 0.8, 0.7, 0.95], [0.85, 0.8, 0.72, 0.9], names=("tree", "rule"))
    >>> found.wins, found.ties, found.losses, found.sign.p_value, found.signed_rank.p_value
    (2, 1, 1, 1.0, 0.5)
    """
    pair = pair_names(names)
    a, b = score_pairs(scores_a, scores_b)
    labels = _labels(data_sets, len(a))
    differences = clean_differences(a, b) * (1 if is_larger_better else -1)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    ties = len(a) - wins - losses
    return OverDataSets(
        pair,
        labels,
        tuple(a.tolist()),
        tuple(b.tolist()),
        bool(is_larger_better),
        wins,
        ties,
        losses,
        sign_test(wins, losses, ties, pair, _UNIT, confidence),
        signed_rank(a, b, "pratt", pair, _UNIT, confidence),
        what,
    )


def _labels(data_sets: Any, n: int) -> tuple[str, ...]:
    if data_sets is None:
        return tuple(f"{_UNIT} {number}" for number in range(1, n + 1))
    labels = tuple(str(name) for name in data_sets)
    if len(labels) != n:
        raise DataError(
            "there must be a name for every data set",
            where=f"{plural(len(labels), 'name')} for {plural(n, 'pair')} of scores",
            fix="give as many names as scores, or none",
        )
    return labels
