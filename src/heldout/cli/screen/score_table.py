"""A table whose lines are scores: a name, the numbers, the interval as a bar, and what else is known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heldout.cli.screen.terminal import Terminal, pad, shown_name, width_of
from heldout.text.numbers import align_points, number_texts

WIDEST = 120
NARROWEST_BAR, WIDEST_BAR = 12, 48
ROOM_FOR_ALL = 100
_SIDE = 2


@dataclass(frozen=True)
class ScoreLine:
    """One line of the table."""

    name: str  # whose score it is
    ends: tuple[float, float, float]  # estimate, low and high; NaN for what is not known
    texts: tuple[str, ...]  # of the columns: score, interval, and those after the bar
    style: str = ""  # of the whole line; empty for none
    is_marked: bool = False  # whether it has a mark before it
    is_far: bool = False  # whether it may lie off the scale, where the others would be pressed together
    problem: str = ""  # shown instead of a score


def score_texts(
    intervals: Iterable[Mapping[str, Any]],
) -> list[tuple[tuple[float, float, float], str, str]]:
    """By interval its estimate and ends, the estimate as text, and the ends as text.

    All have as many digits as the first estimate needs, so that they stand below each other.
    """
    ends = [
        (_number(interval, "estimate"), _number(interval, "low"), _number(interval, "high"))
        for interval in intervals
    ]
    first = next((estimate for estimate, _, _ in ends if not math.isnan(estimate)), math.nan)
    texts = iter(number_texts([number for three in ends for number in three], guide=first))
    rows = []
    for three in ends:
        score, low, high = next(texts), next(texts), next(texts)
        rows.append((three, score, "no interval" if math.isnan(sum(three[1:])) else f"{low} to {high}"))
    return rows


def _number(interval: Mapping[str, Any], name: str) -> float:
    value = interval.get(name)
    return math.nan if value is None else float(value)


def score_lines(
    lines: Sequence[ScoreLine], headings: tuple[str, ...], terminal: Terminal, guess: float = math.nan
) -> list[str]:
    """The table, its heading first."""
    lines = _align_points(lines)
    layout = _Layout.of(lines, headings, terminal)
    heading = terminal.style(layout.join_cells(headings, axis(layout.scale)), "faint")
    return [heading, *(_draw_line(line, layout, terminal, guess) for line in lines)]


def _align_points(lines: Sequence[ScoreLine]) -> list[ScoreLine]:
    """The same lines; the points of the scores stand below each other, and those of the intervals."""
    columns = [list(column) for column in zip(*(line.texts for line in lines), strict=True)]
    columns[:2] = map(align_points, columns[:2])
    return [replace(line, texts=texts) for line, texts in zip(lines, zip(*columns, strict=True), strict=True)]


def _draw_line(line: ScoreLine, layout: _Layout, terminal: Terminal, guess: float) -> str:
    name = shown_name(line.name, layout.widths[0], terminal.is_unicode)
    if line.problem:
        text = f"{' ' * (_SIDE + 2)}{pad(name, layout.widths[0])}  {line.problem}"
        return terminal.style(shown_name(text, terminal.width - 1, terminal.is_unicode), "warn")
    drawn = bar(*line.ends, layout.scale, terminal, math.nan if line.is_far else guess)
    mark = terminal.render("►") if line.is_marked else " "
    text = layout.join_cells((name, *line.texts), drawn, mark)
    return terminal.style(text, line.style) if line.style else text


@dataclass(frozen=True)
class _Layout:
    """How wide each column is, 0 for what has no space; the bar stands after the third."""

    widths: tuple[int, ...]
    scale: BarScale

    @classmethod
    def of(cls, lines: Sequence[ScoreLine], headings: tuple[str, ...], terminal: Terminal) -> _Layout:
        width = min(terminal.width, WIDEST) - _SIDE - 3
        most = 28 if terminal.width >= 100 else 16
        names = [shown_name(line.name, most, terminal.is_unicode) for line in lines]
        widths = [max(map(width_of, [headings[0], *names]))]
        for column, heading in enumerate(headings[1:]):
            texts = [line.texts[column] for line in lines if not line.problem]
            widths.append(max(map(width_of, [heading, *texts])))
        for column in reversed(range(2, len(widths))):
            # Seconds differ from run to run: a usual terminal shows what does not.
            is_luxury = column > 3 and column == len(widths) - 1 and terminal.width < ROOM_FOR_ALL
            if is_luxury or _bar_room(widths, width) < NARROWEST_BAR:
                widths[column] = 0
        room = min(max(_bar_room(widths, width), 4), WIDEST_BAR)
        near, far = ([line.ends for line in lines if line.is_far is is_far] for is_far in (False, True))
        return cls(tuple(widths), bar_scale(near, far, room))

    def join_cells(self, texts: Sequence[str], drawn: str, mark: str = " ") -> str:
        """The columns of a line, with the bar in its place."""
        cells = [f"{' ' * _SIDE}{mark} {pad(texts[0], self.widths[0])}"]
        for column, width in enumerate(self.widths):
            if column and width:
                cells.append(pad(texts[column], width, is_right=True))
            if column == 2:
                cells.append(pad(drawn, self.scale.width))
        return "  ".join(cells).rstrip()


def _bar_room(widths: Sequence[int], width: int) -> int:
    """What is left for the bar, with two spaces between columns."""
    return width - sum(line + 2 for line in widths if line)


# An axis that reaches to a score far away would press all others together; that one gets an arrow instead.
SMALLEST_SHARE = 0.5


@dataclass(frozen=True)
class BarScale:
    """Numbers from low to high over a number of columns."""

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
    """The scale on which all intervals lie; those of `far` too, unless too little of it would be left."""
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
    numbers = [number for line in intervals for number in line if math.isfinite(number)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def bar(estimate: float, low: float, high: float, scale: BarScale, terminal: Terminal, guess: float) -> str:
    """One interval: a line from end to end, a dot for the estimate, and a mark where guessing stands."""
    cells = [" "] * scale.width
    if math.isfinite(guess) and scale.holds(guess):
        cells[scale.halves(guess) // 2] = "┊"
    if math.isfinite(low) and math.isfinite(high) and high >= scale.low and low <= scale.high:
        first, last = scale.halves(low), scale.halves(high)
        for column in range(first // 2, last // 2 + 1):
            cells[column] = "━"
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
    return terminal.render("".join(cells))


def axis(scale: BarScale) -> str:
    """Round numbers above the bars, each centered at its number as far as there is space."""
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
