"""Intervals as bars of characters on a common scale, half a column exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.cli.terminal import Terminal

# An axis that reaches to a score far away would press all others together; that one gets an arrow instead.
SMALLEST_SHARE = 0.5


@dataclass(frozen=True)
class BarScale:
    """Numbers from low to high over a number of columns.

    >>> BarScale(0.0, 1.0, 20).halves(0.5)
    20
    """

    low: float
    high: float
    width: int

    def halves(self, number: float) -> int:
        """The half column in which a number lies, counted from 0; what lies outside is at the end."""
        share = (number - self.low) / (self.high - self.low)
        return min(max(math.floor(2 * self.width * share), 0), 2 * self.width - 1)

    def holds(self, number: float) -> bool:
        """Whether a number lies on it."""
        return self.low <= number <= self.high


def bar_scale(
    intervals: Sequence[tuple[float, float, float]], far: Sequence[tuple[float, float, float]], width: int
) -> BarScale:
    """The scale on which all intervals lie; those of `far` too, unless too little of it would be left.

    intervals: estimate, low and high of each; what is not a number is left out
    far:       of the baseline, which may lie far away
    width:     in columns
    """
    near = _ends(intervals)
    every = _ends([*intervals, *far])
    low, high = every
    if near[1] > near[0] and (near[1] - near[0]) < SMALLEST_SHARE * (high - low):
        low, high = near
    if high <= low:
        room = abs(low) * 0.05 or 0.5
        low, high = low - room, high + room
    return BarScale(low, high, width)


def _ends(intervals: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    numbers = [number for each in intervals for number in each if math.isfinite(number)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def bar(estimate: float, low: float, high: float, scale: BarScale, terminal: Terminal, guess: float) -> str:
    """One interval: a line from end to end, a dot for the estimate, and a mark where guessing stands.

    guess: the score of the baseline; NaN for none
    """
    cells = [" "] * scale.width
    if math.isfinite(guess) and scale.holds(guess):
        cells[scale.halves(guess) // 2] = "┊"
    if math.isfinite(low) and math.isfinite(high) and high >= scale.low and low <= scale.high:
        first, last = scale.halves(low), scale.halves(high)
        for place in range(first // 2, last // 2 + 1):
            cells[place] = "━"
        # Half a line where the end lies in the far half of its column; ASCII has no half, but a stop.
        if first % 2 or not terminal.is_unicode:
            cells[first // 2] = "╺" if terminal.is_unicode else "|"
        if not last % 2 or not terminal.is_unicode:
            cells[last // 2] = "╸" if terminal.is_unicode else "|"
    if math.isfinite(estimate):
        if scale.holds(estimate):
            cells[scale.halves(estimate) // 2] = "●"
        else:
            cells[0 if estimate < scale.low else -1] = "◄" if estimate < scale.low else "►"
    return terminal.written("".join(cells))


def axis(scale: BarScale) -> str:
    """Round numbers above the bars, each centered at its place as far as there is room."""
    from heldout.charts.scales import nice_numbers

    ticks = nice_numbers(scale.low, scale.high)
    decimals = max((len(f"{tick:.10g}".partition(".")[2]) for tick in ticks), default=0)
    placed: list[tuple[int, str]] = []
    for stride in range(1, len(ticks) + 1):  # all of them, or every second, or every third
        labels = [
            f"{tick:.10g}" if "e" in f"{tick:.10g}" else f"{tick:,.{decimals}f}" for tick in ticks[::stride]
        ]
        placed = [
            (_start(tick, label, scale), label) for tick, label in zip(ticks[::stride], labels, strict=True)
        ]
        ends = [start + len(label) + 2 for start, label in placed]
        if all(end <= start for end, (start, _) in zip(ends, placed[1:], strict=False)):
            break
    cells = [" "] * scale.width
    for start, label in placed:
        cells[start : start + len(label)] = label
    return "".join(cells).rstrip()


def _start(tick: float, label: str, scale: BarScale) -> int:
    """Where a label begins that is centered at its tick."""
    width = len(label)
    return max(min(scale.halves(tick) // 2 - width // 2, scale.width - width), 0)
