"""What the picture of a partition is made of: plain records with positions between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.legend import LegendEntry
from heldout.charts.scales import Tick


@dataclass(frozen=True)
class PictureAxis:
    """A side of the plane.

    label:    the name of what it measures
    ticks:    positions with their labels
    is_bands: whether the ticks are the middles of bands, not points
    """

    label: str
    ticks: tuple[Tick, ...]
    is_bands: bool = False


@dataclass(frozen=True)
class PictureRegion:
    """A rectangle in the plane.

    left, right, bottom, top: where it lies
    place: the legend's place or, on a scale, the shade that gives the colour
    label: what is written in it if there is room
    title: the whole region in words
    """

    left: float
    right: float
    bottom: float
    top: float
    place: int
    label: str
    title: str


@dataclass(frozen=True)
class PicturePoint:
    """A row in the plane, with the place of its colour."""

    x: float
    y: float
    place: int


@dataclass(frozen=True)
class PicturePlane:
    """Everything that the picture shows.

    legend:      what the colours stand for
    shade_scale: the labels of the lowest and the highest shade where colours are shades; None else
    """

    title: str
    caption: str
    description: str
    x: PictureAxis
    y: PictureAxis
    regions: Sequence[PictureRegion]
    points: Sequence[PicturePoint]
    legend: tuple[LegendEntry, ...] = ()
    shade_scale: tuple[str, str] | None = None
