"""What a picture of a tree is made of: plain records that know nothing of learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.legend import LegendEntry


@dataclass(frozen=True)
class Segment:
    """A part of a bar: from one position between 0 and 1 to another, in the colour of a legend's place."""

    start: float
    end: float
    place: int


@dataclass(frozen=True)
class BarScale:
    """What the ends of every bar stand for, and a mark on it.

    low, high: the labels of the two ends
    mark:      the position of the mark between 0 and 1
    remark:    what the mark stands for
    """

    low: str
    high: str
    mark: float
    remark: str


@dataclass(frozen=True)
class PictureNode:
    """One node as it is shown.

    parent:      its parent's place in the list, -1 for the root
    heading:     what a split asks, or what a leaf answers
    remark:      a short text at the right, such as a count
    segments:    the bar
    edge:        the condition on the line from its parent
    share:       the part of all rows that came here, for the thickness of the line
    place:       the legend's place whose colour a leaf has, or -1
    note:        what is folded here, or ""
    is_leaf:     whether it answers
    title:       the node in words: how a row comes here, and what it meets
    description: the rest: counts, what is folded
    """

    parent: int
    heading: str
    remark: str
    segments: tuple[Segment, ...]
    edge: str = ""
    share: float = 1.0
    place: int = -1
    note: str = ""
    is_leaf: bool = False
    title: str = ""
    description: str = ""


@dataclass(frozen=True)
class PictureTree:
    """Everything that the picture shows.

    nodes:  parents before their children, siblings in order
    legend: what the colours stand for
    scale:  where bars stand on a scale; None where they are shares
    """

    title: str
    caption: str
    description: str
    nodes: Sequence[PictureNode]
    legend: tuple[LegendEntry, ...] = ()
    scale: BarScale | None = None


@dataclass(frozen=True)
class Box:
    """The place of a card."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def center(self) -> float:
        return self.left + self.width / 2

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    def moved(self, x: float, y: float) -> Box:
        return Box(self.left + x, self.top + y, self.width, self.height)
