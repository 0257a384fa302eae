"""One bar that lies in a line of text: parts one behind the other, as wide as what is around it."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.charts.svg import SvgWriter
from heldout.charts.theme import class_colour

HEIGHT = 10


def small_bar(parts: Sequence[float], whole: float, words: str) -> str:
    """A bar as SVG that stretches to the width of what is around it; its colours come from the page.

    parts: one per class, in the order of their colours
    whole: what the full width stands for
    words: what it says to those who do not see it

    >>> svg = small_bar([1, 2], 4, "three of four")
    >>> 'x="25%"' in svg, 'width="50%"' in svg
    (True, True)
    """
    writer = SvgWriter()
    writer.open("svg", class_="bar", width="100%", height=HEIGHT, role="img", aria_label=words)
    # The ground is drawn first: where the bar ends can be seen against it.
    writer.leaf("rect", class_="ground", width="100%", height=HEIGHT, rx=2)
    left = 0.0
    for place, part in enumerate(parts):
        share = float(part) / whole if whole > 0 else 0.0
        if share > 0:
            colour = f"f-{class_colour(place).name}"
            writer.leaf("rect", class_=colour, x=_percent(left), width=_percent(share), height=HEIGHT)
        left += share
    writer.close()
    return writer.text


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
