"""Scores against a size or a setting: a line for each kind of rows, with a band for the spread of folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.charts.axes import PictureAxis
from heldout.charts.line_picture import PictureLine, PictureLines, line_svg
from heldout.charts.scales import NumberScale, Tick, number_ticks, spanning_scale

MOST_TICKS = 9
# Sizes that span more than this stand on a scale of powers, so that the small ones keep apart.
WIDE_SPAN = 30.0
_ROUND_STARTS = (1.0, 2.0, 5.0)


@dataclass(frozen=True)
class SpreadLine:
    """A line of the picture.

    label: what it is
    means: one number per place; NaN where there is none
    lows:  the lower edge of the band
    highs: the upper edge
    """

    label: str
    means: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]


@dataclass(frozen=True)
class SpreadPicture:
    """Everything that the picture shows.

    places: what stands across: numbers, or anything else, which then stands at equal distances
    x, y:   what the axes measure
    lines:  one per kind of rows
    is_narrow: whether it fits a telephone
    height:    of the plane where it is not narrow
    """

    title: str
    caption: str
    description: str
    x_values: Sequence[object]
    x: str
    y: str
    lines: Sequence[SpreadLine]
    is_narrow: bool = False
    height: float = 400.0


def spread_svg(picture: SpreadPicture) -> str:
    """The picture as an SVG document."""
    picture = _ascending(picture)
    across, ticks = positions_across(picture.x_values)
    numbers = [
        n for line in picture.lines for n in (*line.means, *line.lows, *line.highs) if math.isfinite(n)
    ]
    scale = spanning_scale(numbers)
    lines = [
        _line(line, index, across, scale, picture.x_values, picture.x)
        for index, line in enumerate(_known(picture.lines))
    ]
    return line_svg(
        PictureLines(
            title=picture.title,
            caption=picture.caption,
            description=picture.description,
            x=PictureAxis(picture.x, ticks),
            y=PictureAxis(picture.y, scale.ticks),
            lines=lines,
            is_narrow=picture.is_narrow,
            height=picture.height,
        )
    )


def _known(lines: Sequence[SpreadLine]) -> list[SpreadLine]:
    return [line for line in lines if any(math.isfinite(mean) for mean in line.means)]


def _ascending(picture: SpreadPicture) -> SpreadPicture:
    """Numbers from the smallest to the largest, in whatever order they were tried."""
    numbers = _numbers(picture.x_values)
    if numbers is None:
        return picture
    order = sorted(range(len(numbers)), key=lambda index: numbers[index])

    def ordered(values: Sequence[float]) -> list[float]:
        return [values[index] for index in order]

    lines = [
        SpreadLine(line.label, ordered(line.means), ordered(line.lows), ordered(line.highs))
        for line in picture.lines
    ]
    return replace(picture, x_values=[picture.x_values[index] for index in order], lines=lines)


def _numbers(x_values: Sequence[object]) -> list[float] | None:
    """The places as numbers; None where one is none, or stands there twice."""
    numbers = [
        float(index)
        for index in x_values
        if isinstance(index, int | float) and not isinstance(index, bool) and math.isfinite(index)
    ]
    return numbers if len(set(numbers)) == len(x_values) else None


def positions_across(x_values: Sequence[object]) -> tuple[list[float], tuple[Tick, ...]]:
    """Positions between 0 and 1, and ticks: numbers by their size, all else at equal distances."""
    numbers = _numbers(x_values)
    if numbers is None or len(numbers) < 2 or numbers != sorted(numbers):
        return _evenly(x_values)
    low, high = numbers[0], numbers[-1]
    if low > 0 and high / low > WIDE_SPAN:
        return _by_powers(numbers)
    scale = spanning_scale(numbers)
    are_whole = all(number.is_integer() for number in numbers)
    # Between 2 leaves and 3 there is no tree.
    ticks = [tick for tick in scale.ticks if not are_whole or tick.value.is_integer()]
    return scale.positions(np.array(numbers)).tolist(), tuple(ticks)


def _evenly(x_values: Sequence[object]) -> tuple[list[float], tuple[Tick, ...]]:
    positions = [(number + 0.5) / len(x_values) for number in range(len(x_values))]
    step = math.ceil(len(x_values) / MOST_TICKS)
    named = [f"{index:.4g}" if isinstance(index, float) else str(index) for index in x_values]
    return positions, tuple(Tick(positions[n], named[n]) for n in range(0, len(x_values), step))


def _by_powers(numbers: Sequence[float]) -> tuple[list[float], tuple[Tick, ...]]:
    low, high = math.log10(numbers[0]), math.log10(numbers[-1])
    scale = NumberScale(low - 0.04 / 0.92 * (high - low), high + 0.04 / 0.92 * (high - low))
    positions = [round(each, 12) for each in scale.positions(np.log10(np.array(numbers))).tolist()]
    starts = _ROUND_STARTS if high - low < MOST_TICKS / 3 else (1.0,)
    powers = range(math.floor(low) - 1, math.ceil(high) + 1)
    round_numbers = [start * 10.0**power for power in powers for start in starts]
    shown = [n for n in round_numbers if scale.low <= math.log10(n) <= scale.high]
    shown = shown[:: math.ceil(len(shown) / MOST_TICKS) or 1]
    marks = scale.positions(np.log10(np.array(shown))).tolist()
    labels = [label for _, label in number_ticks(shown)]
    return positions, tuple(Tick(position, label) for position, label in zip(marks, labels, strict=True))


def _line(
    line: SpreadLine,
    index: int,
    across: Sequence[float],
    scale: NumberScale,
    x_values: Sequence[object],
    x: str,
) -> PictureLine:
    kept = [n for n, mean in enumerate(line.means) if math.isfinite(mean)]

    def height(number: float, otherwise: float) -> float:
        return float(scale.positions(np.array([number if math.isfinite(number) else otherwise]))[0])

    means = [line.means[n] for n in kept]
    words = [f"{line.label}, {x} {x_values[n]}: {line.means[n]:.4g}" for n in kept]
    return PictureLine(
        label=line.label,
        title=line.label,
        points=[(across[n], height(mean, mean)) for n, mean in zip(kept, means, strict=True)],
        index=index,
        band=[(height(line.lows[n], line.means[n]), height(line.highs[n], line.means[n])) for n in kept],
        dots=words if len(kept) <= 40 else (),
    )
