"""From values to positions between 0 and 1, and the ticks that tell which is which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_TICKS = 7
_ROUNDING = 1e-9
_NICE_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_DATE_STEPS = (("D", (1, 2, 7, 14)), ("M", (1, 2, 3, 6)), ("Y", (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)))


@dataclass(frozen=True)
class Tick:
    """A label at a position between 0 and 1.

    value: the number that it stands at; NaN where it is none
    """

    position: float
    label: str
    value: float = math.nan


@dataclass(frozen=True)
class NumberScale:
    """Numbers from low to high.

    is_date: whether they are days since 1970-01-01
    """

    low: float
    high: float
    is_date: bool = False

    def positions(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the numbers stand; what lies outside stands at the end."""
        # Halves, so that the distance of two numbers is a number too.
        indices = (numbers / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return np.asarray(np.clip(indices, 0.0, 1.0))

    def position(self, number: float) -> float:
        """Where one number stands."""
        return float(self.positions(np.array([number]))[0])

    @property
    def ticks(self) -> tuple[Tick, ...]:
        days = date_ticks(self.low, self.high) if self.is_date else []
        labelled = days or number_ticks(nice_numbers(self.low, self.high))
        indices = self.positions(np.array([tick for tick, _ in labelled]))
        return tuple(
            Tick(float(index), label, float(value))
            for index, (value, label) in zip(indices, labelled, strict=True)
        )


def thin_ticks(ticks: tuple[Tick, ...], most: int, first: int = 0) -> tuple[Tick, ...]:
    """At most so many ticks at equal steps, among them the one at index `first`."""
    step = -(-len(ticks) // most) or 1
    return ticks[first % step :: step]


def number_ticks(numbers: Sequence[float]) -> list[tuple[float, str]]:
    """Round numbers with their labels: thousands separated from five digits on, so a year stays a year."""
    is_long = any(abs(number) >= 10_000 for number in numbers)
    return [(number, f"{number:,.10g}" if is_long else f"{number:.10g}") for number in numbers]


@dataclass(frozen=True)
class BandScale:
    """Labels side by side, each with a band of the same width."""

    labels: tuple[str, ...]

    def edge(self, index: int) -> float:
        """Where the band at this place begins."""
        return index / len(self.labels)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        return tuple(
            Tick(self.edge(index) + 0.5 / len(self.labels), label) for index, label in enumerate(self.labels)
        )


def spanning_scale(numbers: Sequence[float] | NDArray[np.float64], is_date: bool = False) -> NumberScale:
    """A scale on which all numbers lie, with a little room at both ends."""
    low, high = (float(np.min(numbers)), float(np.max(numbers))) if len(numbers) else (0.0, 1.0)
    room = (high / 2 - low / 2) * 0.08 or max(abs(low) * 0.05, 0.5)
    largest = np.finfo(np.float64).max
    return NumberScale(max(low - room, -largest), min(high + room, largest), is_date)


def nice_numbers(low: float, high: float) -> list[float]:
    """Round numbers between the two, evenly spaced."""
    rough = (high / MOST_TICKS) - (low / MOST_TICKS)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(nice * power for nice in _NICE_STEPS if nice * power >= rough * (1 - _ROUNDING))
    first, last = math.ceil(low / step - _ROUNDING), math.floor(high / step + _ROUNDING)
    return [index * step for index in range(first, last + 1)]


def date_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Beginnings of days, months or years between two days since 1970-01-01; none within one day."""
    first, last = np.datetime64(math.ceil(low), "D"), np.datetime64(math.floor(high), "D")
    if high - low < 2:
        return []
    for unit, strides in _DATE_STEPS:
        begin, end = first.astype(f"M8[{unit}]"), last.astype(f"M8[{unit}]")
        starts = np.arange(begin, end + 1)
        for stride in strides:
            chosen = starts[starts.astype(np.int64) % stride == 0]
            days = chosen.astype("M8[D]")
            kept = [(day, label) for day, label in zip(days, chosen, strict=True) if first <= day <= last]
            if len(kept) <= MOST_TICKS:
                return [(float(day.astype(np.int64)), str(label)) for day, label in kept]
    return []
