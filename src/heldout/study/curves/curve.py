"""A curve: scores on training rows and on kept rows, fold by fold, against a size or a setting."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from heldout.arrays import Floats
from heldout.charts.spread_picture import SpreadLine, SpreadPicture, spread_svg
from heldout.ledger.chain import json_number, number_of_json
from heldout.ledger.study_facts import LookFact
from heldout.ledger.verdict_facts import CurveFact
from heldout.plan.code_fingerprint import digest_of
from heldout.stats.corrected_resampled_t import cross_validated_t
from heldout.stats.interval import Interval, Result, plain

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.study import Study

SHOWN_NOTES = 3
# Gains that differ by less than this, as a share of the scores, differ by rounding alone.
SAME = 1e-12
BAND = "bands: one standard deviation between folds, which is no interval"


@dataclass(frozen=True, eq=False)
class Curve(Result):
    """What the three curves share: two lines over the same places.

    contender:        whose curve it is
    metric:           what is measured
    is_larger_better: its direction
    ends:             no score lies below or above
    places:           the sizes or values, from left to right
    train:            scores on the rows that were learned from, folds × places; NaN where there is none
    test:             scores on rows that were kept from it
    n_rows:           how many open rows the folds were made of
    notes:            sentences about this one
    n_repeats:        how often the folds were made anew
    is_in_time:       whether tests are later than training: such folds are no repetitions of each other
    """

    contender: str
    metric: str
    is_larger_better: bool
    ends: tuple[float, float]
    x_values: tuple[Any, ...]
    train: Floats
    test: Floats
    n_rows: int
    notes: tuple[str, ...] = ()
    n_repeats: int = 1
    is_in_time: bool = False

    name: ClassVar[str] = "curve"
    kept_rows: ClassVar[str] = "test rows"

    @property
    def n_folds(self) -> int:
        return len(self.test)

    @property
    def test_means(self) -> Floats:
        """The mean over folds at each place."""
        return fold_means(self.test)

    @property
    def train_means(self) -> Floats:
        """The same on the rows that were learned from."""
        return fold_means(self.train)

    @property
    def best_index(self) -> int:
        """Where the mean on kept rows is best; the first of equals, -1 where there is none."""
        signed = self.test_means * (1 if self.is_larger_better else -1)
        return -1 if np.isnan(signed).all() else int(np.nanargmax(signed))

    def gain(self, first: int, last: int) -> Interval | None:
        """How much better the second place is than the first, over the folds; None where they do not tell."""
        scores = self.test[:, [first, last]]
        n_folds, rest = divmod(len(scores), self.n_repeats)
        if not np.isfinite(scores).all() or n_folds < 2 or rest or self.is_in_time:
            return None
        gains = (scores[:, 1] - scores[:, 0]) * (1 if self.is_larger_better else -1)
        if np.ptp(gains) <= SAME * np.abs(scores).max():
            # Folds that all gain the same, as one row each, tell nothing of how far others may lie.
            return None
        found = cross_validated_t(gains.reshape(self.n_repeats, n_folds)).difference
        return None if found is None or math.isnan(found.low) else found

    @property
    def title(self) -> str:
        return f"{self.name} of {self.contender}"

    @property
    @abstractmethod
    def takeaway(self) -> str:
        """What the curve says, in a sentence or two."""

    @property
    @abstractmethod
    def across(self) -> str:
        """What stands across."""

    @property
    def remarks(self) -> str:
        """The first of the notes, and how many there are besides."""
        rest = len(self.notes) - SHOWN_NOTES
        more = [f"And {rest} more in `notes`."] if rest > 0 else []
        return " ".join([*self.notes[:SHOWN_NOTES], *more])

    def __str__(self) -> str:
        return f"{self.takeaway} {self.remarks}".rstrip()

    def to_svg(self) -> str:
        """Both lines with their bands, light or dark as the reader's system is."""
        lines = [
            self._line(self.kept_rows, self.test),
            self._line("training rows", self.train),
        ]
        caption = f"{self.n_folds} folds of {self.n_rows:,} open rows; {BAND}"
        return spread_svg(
            SpreadPicture(self.title, caption, str(self), self.x_values, self.across, self.metric, lines)
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields, and what a page needs to draw them again."""
        lines = [self._line(self.kept_rows, self.test), self._line("training rows", self.train)]
        drawn = {
            "title": self.title,
            "text": str(self),
            "takeaway": self.takeaway,
            "remarks": self.remarks,
            "caption": f"{self.n_folds} folds of {self.n_rows:,} open rows; {BAND}",
            "x": self.across,
            "y": self.metric,
            "lines": plain(lines),
            # A score may be infinite, as log_loss is; read back it must be, or a bad place would look good.
            "train": [[json_number(score) for score in row] for row in self.train.tolist()],
            "test": [[json_number(score) for score in row] for row in self.test.tolist()],
        }
        return super().to_dict() | drawn

    def _line(self, label: str, scores: Floats) -> SpreadLine:
        means, spreads = fold_means(scores), fold_spreads(scores)
        # A band does not leave what the metric can be.
        lows, highs = np.maximum(means - spreads, self.ends[0]), np.minimum(means + spreads, self.ends[1])
        return SpreadLine(label, means.tolist(), lows.tolist(), highs.tolist())


def fold_means(scores: Floats) -> Floats:
    """The mean of each column over the folds that have a score."""
    counts = np.count_nonzero(~np.isnan(scores), axis=0)
    return np.asarray(np.where(counts > 0, np.nansum(scores, axis=0) / np.maximum(counts, 1), math.nan))


def fold_spreads(scores: Floats) -> Floats:
    """The standard deviation of each column between folds; 0 for one fold, NaN where a score is infinite."""
    counts = np.count_nonzero(~np.isnan(scores), axis=0)
    means = fold_means(scores)
    is_known = ~np.isinf(means)
    squares = np.nansum((scores - np.where(is_known, means, 0.0)) ** 2, axis=0)
    spreads = np.sqrt(np.where(is_known, squares, 0.0) / np.maximum(counts - 1, 1))
    return np.asarray(np.where(is_known, spreads, math.nan))


AnyCurve = TypeVar("AnyCurve", bound=Curve)


@dataclass(frozen=True, eq=False)
class CurveRequest:
    """What was asked for: it decides every number of the curve, together with the study's rows.

    kind:      "learning", "validation" or "size"
    contender: whose curve
    options:   everything else, as JSON can hold it
    """

    kind: str
    contender: Contender
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        return digest_of(plain({"curve": self.kind, **self.to_dict()}), "curve")

    def to_dict(self) -> dict[str, Any]:
        return {"contender": self.contender.digest, "name": self.contender.name, **self.options}


def recorded_curve(
    study: Study, request: CurveRequest, kind: type[AnyCurve], measured: Callable[[], AnyCurve]
) -> AnyCurve:
    """The curve that stands in the study file; else it is measured and written there.

    kind:     of the curve
    measured: makes it
    """
    fact = study.ledger.fact("curve", request.key)
    if fact is not None:
        return curve_of_dict(kind, CurveFact.read(fact).result)
    curve = measured()
    rows = np.arange(curve.n_rows)
    look = LookFact.at_rows(f"{request.kind} curve", request.contender.name, rows, "open")
    body = CurveFact(request.kind, plain(request.to_dict()), plain(curve.to_dict()))
    study.ledger.append([body.entry(request.key, once=True), look.entry(f"curve:{request.key}", once=True)])
    # As it is read back, so that the first answer and the next are the same to the last digit.
    return curve_of_dict(kind, body.result)


def curve_of_dict(kind: type[AnyCurve], record: Mapping[str, Any]) -> AnyCurve:
    """The curve that `to_dict` wrote."""
    values = {field.name: record[field.name] for field in dataclasses.fields(kind)}
    for name in ("train", "test"):
        values[name] = np.array(
            [[number_of_json(score) for score in row] for row in values[name]],
            dtype=np.float64,
        ).reshape(len(values[name]), len(values["x_values"]))
    low, high = values["ends"]
    values["ends"] = (-math.inf if low is None else low, math.inf if high is None else high)
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return kind(**(values | lists))
