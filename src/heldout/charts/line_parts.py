"""What a picture of lines is made of: plain records with positions between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.partition_parts import PictureAxis


@dataclass(frozen=True)
class PictureLine:
    """A line from left to right.

    label:  what is written at its end; empty for a line without a label
    title:  what it says in words
    points: across and upwards, from left to right
    place:  of its colour; a line past the last colour is grey
    band:   below and above the line at each of its points; empty for a line without a band
    dots:   what each of its points says in words, where they can be pointed at; empty for none
    is_hollow: which of the dots are drawn as rings; empty for none
    """

    label: str
    title: str
    points: Sequence[tuple[float, float]]
    place: int
    band: Sequence[tuple[float, float]] = ()
    dots: Sequence[str] = ()
    is_hollow: Sequence[bool] = ()


@dataclass(frozen=True)
class PictureLines:
    """Everything that the picture shows.

    zero:      where the level of 0 lies; None where it is not on the scale
    is_narrow: whether it fits a telephone: names stand above, and the caption is left to the page
    height:    of the plane where it is not narrow
    """

    title: str
    caption: str
    description: str
    x: PictureAxis
    y: PictureAxis
    lines: Sequence[PictureLine]
    zero: float | None = None
    is_narrow: bool = False
    height: float = 400.0
