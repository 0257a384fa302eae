"""Charts of a few letters' height: a bar and a histogram for the cells of a table."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.theme import class_colour

BAR_HEIGHT = 10


def small_bar(parts: Sequence[float], whole: float, words: str) -> str:
    """A bar as SVG that stretches to the width of what is around it; its colours come from the page.

    parts: one per class, in the order of their colours
    whole: what the full width stands for
    words: what it says to those who do not see it
    """
    writer = SvgWriter()
    writer.open("svg", class_="bar", width="100%", height=BAR_HEIGHT, role="img", aria_label=words)
    # The ground is drawn first: where the bar ends can be seen against it.
    writer.leaf("rect", class_="ground", width="100%", height=BAR_HEIGHT, rx=2)
    left = 0.0
    for index, part in enumerate(parts):
        share = float(part) / whole if whole > 0 else 0.0
        if share > 0:
            colour = f"f-{class_colour(index).name}"
            writer.leaf("rect", class_=colour, x=_percent(left), width=_percent(share), height=BAR_HEIGHT)
        left += share
    writer.close()
    return writer.text


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"


WIDTH, HISTOGRAM_HEIGHT = 240.0, 72.0
# Levels stand apart, bins of numbers touch but for a hairline.
_GAP_OF_LEVELS, _GAP_OF_BINS = 0.18, 0.04


def small_histogram(counts: Sequence[Sequence[float]], words: str, is_levels: bool = False) -> str:
    """Bars as SVG that stretches to the width of what is around it; its colours come from the page.

    counts:    one list per class: how many rows fall into each bin; classes are stacked
    words:     what it says to those who do not see it
    is_levels: whether the bins are levels, which stand apart
    """
    n_bins = max((len(each) for each in counts), default=0)
    totals = [sum(float(each[index]) for each in counts if index < len(each)) for index in range(n_bins)]
    highest = max(totals, default=0.0) or 1.0
    writer = SvgWriter()
    view = f"0 0 {short_number(WIDTH)} {short_number(HISTOGRAM_HEIGHT)}"
    writer.open("svg", class_="bars", viewBox=view, preserveAspectRatio="none", role="img", aria_label=words)
    below = [0.0] * n_bins
    for index, each in enumerate(counts):
        path = _bars(each, below, highest, _GAP_OF_LEVELS if is_levels else _GAP_OF_BINS)
        if path:
            writer.leaf("path", d=path, class_=f"f-{class_colour(index).name}")
    writer.close()
    return writer.text


def _bars(counts: Sequence[float], below: list[float], highest: float, gap: float) -> str:
    """The bars of one class on top of those below, which grow by them."""
    step = WIDTH / max(len(below), 1)
    parts = []
    for index, count in enumerate(counts):
        if count <= 0:
            continue
        left, wide = (index + gap / 2) * step, (1 - gap) * step
        bottom = HISTOGRAM_HEIGHT * (1 - below[index] / highest)
        tall = HISTOGRAM_HEIGHT * float(count) / highest
        parts.append(
            f"M{short_number(left)} {short_number(bottom)}h{short_number(wide)}"
            f"v{short_number(-tall)}h{short_number(-wide)}z"
        )
        below[index] += float(count)
    return "".join(parts)
