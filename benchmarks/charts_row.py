"""Ten charts for a page: their size, and the time to draw them when everything is loaded."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.ten_charts import by_heldout, by_matplotlib, by_plotly

DRAWN_BY: dict[str, Callable[[], list[str]]] = {
    OURS: by_heldout,
    "matplotlib": by_matplotlib,
    "plotly": by_plotly,
}


def ten_charts() -> Outcome:
    """The same numbers, drawn in turn by each."""
    sizes = {name: _kilobytes(draw()) for name, draw in DRAWN_BY.items()}
    rounds: dict[str, list[float]] = {name: [] for name in DRAWN_BY}
    for _ in range(3):
        for name, draw in DRAWN_BY.items():
            rounds[name].append(_processor_seconds(draw))
    entries = tuple(Entry(name, tuple(found)) for name, found in rounds.items())
    smallest = min(size for name, size in sizes.items() if name != OURS)
    goals = (
        *speed_goals(entries, {"fastest peer": 2}),
        Goal("smaller than the smallest peer's", 2, smallest / sizes[OURS]),
    )
    notes = tuple(f"{name}: {size:,.0f} kB" for name, size in sizes.items())
    return Outcome("ten charts for a page", "seconds of the processor", entries, goals, notes)


def _kilobytes(charts: list[str]) -> float:
    return sum(len(chart.encode()) for chart in charts) / 1000


def _processor_seconds(draw: Callable[[], list[str]]) -> float:
    start = time.process_time()
    draw()
    return time.process_time() - start
