"""Patches to look at: as shades in a terminal, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.charts.frame import MARGIN, framed
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.theme import INK, LINE, MUTED, fill, stroke
from heldout.table.describe import plural

_SHADES = " ░▒▓█"
_WIDTH = 80
_EDGE = 64.0
_GAP = 12.0
_PER_LINE = 10

Floats = NDArray[np.float64]


def patches_text(patches: Floats, names: Sequence[str]) -> list[str]:
    """Lines in which patches stand side by side, each under its name, light where their numbers are large.

    patches: n × rows × columns (× channels)

    >>> print(*patches_text(np.array([[[-1.0, 1.0], [0.0, 1.0]]]), ["patch 1"]), sep="|")
    patch 1| █|▒█
    """
    width = max(patches.shape[2], *(len(name) for name in names))
    per_line = max(1, (_WIDTH + 2) // (width + 2))
    lines: list[str] = []
    for start in range(0, len(patches), per_line):
        block = [_shades(patch) for patch in patches[start : start + per_line]]
        rows = [names[start : start + per_line], *zip(*block, strict=True)]
        lines += ["  ".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
    return lines


def patches_svg(patches: Floats, shares: Floats, title: str) -> str:
    """The patches as squares of pixels, with the share of each below it.

    patches: n × rows × columns (× channels)
    """
    writer = SvgWriter()
    n_lines = -(-len(patches) // _PER_LINE)
    for place, patch in enumerate(patches):
        down, across = divmod(place, _PER_LINE)
        left, top = MARGIN + across * (_EDGE + _GAP), MARGIN + down * (_EDGE + 3 * _GAP)
        _draw(writer, patch, left, top)
        writer.leaf("text", str(place + 1), x=left, y=top + _EDGE + 14, font_size=11, **fill(INK))
        share, right = f"{shares[place]:.1%}", left + _EDGE
        writer.leaf(
            "text", share, x=right, y=top + _EDGE + 14, font_size=11, text_anchor="end", **fill(MUTED)
        )
    width = 2 * MARGIN + min(len(patches), _PER_LINE) * (_EDGE + _GAP) - _GAP
    height = 2 * MARGIN + n_lines * (_EDGE + 3 * _GAP) - _GAP
    description = f"{plural(len(patches), 'patch', 'patches')}, light where the numbers are large"
    return framed(writer.text, width, height, title, description)


def _levels(patch: Floats) -> Floats:
    """Numbers between 0, the lowest of the patch, and 1, the highest."""
    lowest, highest = patch.min(), patch.max()
    return np.asarray(
        (patch - lowest) / (highest - lowest) if highest > lowest else np.full(patch.shape, 0.5)
    )


def _shades(patch: Floats) -> list[str]:
    levels = _levels(patch.mean(axis=2) if patch.ndim == 3 else patch)
    places = np.minimum((levels * len(_SHADES)).astype(int), len(_SHADES) - 1)
    return ["".join(_SHADES[place] for place in row) for row in places]


def _draw(writer: SvgWriter, patch: Floats, left: float, top: float) -> None:
    is_colored = patch.ndim == 3 and patch.shape[2] == 3
    levels = _levels(patch if is_colored or patch.ndim == 2 else patch.mean(axis=2))
    numbers = np.rint(levels * 255).astype(int)
    edge = _EDGE / len(patch)
    for row, line in enumerate(numbers):
        for column, number in enumerate(line):
            red, green, blue = number.tolist() if is_colored else [int(number)] * 3
            writer.leaf(
                "rect",
                x=left + column * edge,
                y=top + row * edge,
                width=edge,
                height=edge,
                fill=f"#{red:02x}{green:02x}{blue:02x}",
            )
    # White on light paper, and black on dark, would have no edge.
    corner = f"{short_number(left)} {short_number(top)}"
    writer.leaf("path", d=f"M{corner}h{_EDGE:g}v{_EDGE:g}h-{_EDGE:g}Z", **stroke(LINE))
