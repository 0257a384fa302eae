"""An estimate with an interval around it."""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.text.numbers import number_text, number_texts, percent_text
from heldout.text.words import plural


class Result(ABC):
    """A frozen record that says in words what was measured, how, on how many rows, and what is open."""

    @abstractmethod
    def __str__(self) -> str:
        """What was measured, in a sentence or a few."""

    @abstractmethod
    def to_svg(self) -> str:
        """The same as a picture."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as numbers, strings, booleans, None, lists and dicts, which JSON can hold."""
        assert dataclasses.is_dataclass(self)
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: plain(value) for name, value in fields.items()}

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the picture, and the words behind a fold."""
        title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()
        return NotebookPiece(title, picture=self.to_svg(), words=str(self))

    def _repr_html_(self) -> str:
        return piece_html(self.notebook_piece())


def plain(value: Any) -> Any:
    """A value as JSON can hold it; a number that is not finite becomes None."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


NOT_SAID = (
    "Of intervals made this way about {share} hold the true value; that is not the probability that this one"
    " does."
)


@dataclass(frozen=True)
class Interval(Result):
    """An estimate, and the values that the data do not contradict.

    Attributes
    ----------
    what
        what is estimated: "accuracy", "AUC", "accuracy of tree minus accuracy of forest"
    estimate
        the estimate; it may lie at an end
    low, high
        the ends; NaN where there is no interval, and then a note says why
    confidence
        of intervals made this way so many hold the true value
    method
        how it was made: "Clopper-Pearson", "DeLong on the logit scale"
    n_rows
        on how many rows, or groups, or folds
    unit
        what they are, in the singular: "row", "group", "fold"
    reference
        a value to compare with, such as 0 for a difference or ½ for an AUC; None if there is none
    notes
        sentences about this one: what was done instead, what it rests on, what it does not say
    estimand
        a sentence about what exactly is estimated, where that is not plain

    Examples
    --------
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
        share = percent_text(self.confidence)
        made = f"({self.method}, {plural(self.n_rows, self.unit)})"
        if self.low != self.low or self.high != self.high:
            return " ".join(
                [f"{self.what} {number_text(self.estimate)}, no interval {made}.", *self._messages()]
            )
        estimate, low, high = number_texts([self.estimate, self.low, self.high])
        sentence = f"{self.what} {estimate}, {share} interval {low} to {high} {made}."
        return " ".join([sentence, *self._messages(), self.not_given()])

    def _messages(self) -> list[str]:
        return [sentence for sentence in (self.estimand, *self.notes) if sentence]

    def not_given(self) -> str:
        """What the confidence says about intervals made this way, and what it does not say about this one."""
        return NOT_SAID.format(share=percent_text(self.confidence))

    def to_svg(self) -> str:
        """The estimate as a dot on a line from end to end."""
        lines = [self.for_picture()]
        return interval_svg(lines, title=self.what, caption=self.method, reference=self.reference)

    def for_picture(self, label: str | None = None) -> PictureInterval:
        """This interval as one line of a picture of several.

        Parameters
        ----------
        label
            what is written beside it; left out, what is estimated
        """
        return PictureInterval(
            label=self.what if label is None else label,
            estimate=self.estimate,
            low=self.low,
            high=self.high,
            title=str(self),
        )
