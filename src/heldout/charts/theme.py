"""The colours of every picture, for light and for dark, as one sheet of CSS.

The eight class colours keep apart for readers who see no red, no green or no blue, and each stands out
from the paper by at least 3 to 1; text by at least 4.5 to 1. Both are tested.

A colour is a custom property of the picture, set for light and changed for dark by what the reader's system
prefers, or by the theme of the notebook or page around it. Each element also carries its light colour as
an attribute, for programs that know neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

N_CLASS_COLOURS = 8
OTHER = N_CLASS_COLOURS
N_SHADES = 7

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"

_CLASSES_LIGHT = ("#1a5aa7", "#ea6606", "#0c9d69", "#9b2168", "#250988", "#7d4f16", "#9686bd", "#9120e4")
_CLASSES_DARK = ("#67a4f9", "#f28e3a", "#66ecb2", "#9d5c91", "#7565e5", "#fada2e", "#b2cafa", "#cd4226")
_SHADES_LIGHT = ("#440154", "#443a83", "#31688e", "#21908c", "#35b779", "#8fd744", "#fde725")
_SHADES_DARK = ("#6d2a80", "#5a51a3", "#3f7fa8", "#2da39e", "#45c586", "#9ee053", "#fde725")


@dataclass(frozen=True)
class Colour:
    """A colour with its name in the sheet, its light and its dark value."""

    name: str
    light: str
    dark: str


PAPER = Colour("paper", "#f7f8fa", "#15181d")
CARD = Colour("card", "#ffffff", "#20242b")
INK = Colour("ink", "#16202c", "#eceff4")
MUTED = Colour("muted", "#56616f", "#a9b3c1")
LINE = Colour("line", "#c9d0d9", "#414955")
EDGE = Colour("edge", "#a7b1bd", "#5b6573")
CLASS_COLOURS = tuple(
    Colour(f"class-{index}", light, dark)
    for index, (light, dark) in enumerate(zip(_CLASSES_LIGHT, _CLASSES_DARK, strict=True))
)
OTHER_COLOUR = Colour("class-other", "#7f8894", "#8d96a3")
SHADES = tuple(
    Colour(f"shade-{index}", light, dark)
    for index, (light, dark) in enumerate(zip(_SHADES_LIGHT, _SHADES_DARK, strict=True))
)
_ALL = (PAPER, CARD, INK, MUTED, LINE, EDGE, *CLASS_COLOURS, OTHER_COLOUR, *SHADES)

_DARK_AROUND = ('[data-jp-theme-light="false"]', '[data-theme="dark"]', ".vscode-dark")
_LIGHT_AROUND = ('[data-jp-theme-light="true"]', '[data-theme="light"]', ".vscode-light")


def class_colour(index: int) -> Colour:
    """The colour of a class by its place in the legend; the grey of the others past the eighth."""
    return CLASS_COLOURS[index] if 0 <= index < N_CLASS_COLOURS else OTHER_COLOUR


def shade(position: float) -> int:
    """Which of the shades stands for a position between 0 and 1."""
    return min(N_SHADES - 1, max(0, int(position * N_SHADES)))


def fill(colour: Colour) -> dict[str, str]:
    """The attributes that fill an element with a colour."""
    return {"fill": colour.light, "class_": f"f-{colour.name}"}


def stroke(colour: Colour) -> dict[str, str]:
    """The attributes that draw the outline of an element in a colour."""
    return {"fill": "none", "stroke": colour.light, "class_": f"s-{colour.name}"}


def style_sheet(picture_id: str, body: str) -> str:
    """The rules for the colours that occur in the body; none of them reaches outside the picture."""
    here = f"#{picture_id}"
    used = [colour for colour in _ALL if f'f-{colour.name}"' in body or f's-{colour.name}"' in body]
    rules = [f"{here}{{font-family:{FONT};stroke-linejoin:round}}", colour_properties(here, used)]
    for colour in used:
        rules.append(f"{here} .f-{colour.name}{{fill:var(--{colour.name})}}")
        rules.append(f"{here} .s-{colour.name}{{stroke:var(--{colour.name})}}")
    return "\n".join(rules)


def colour_properties(here: str, used: Sequence[Colour]) -> str:
    """The colours as custom properties of a place in a page, light or dark as the system or the page says.

    here: the selector of the place
    used: the colours that it needs
    """
    light = ";".join(f"--{colour.name}:{colour.light}" for colour in used)
    dark = ";".join(f"--{colour.name}:{colour.dark}" for colour in used)
    return "\n".join(
        [
            f"{here}{{{light}}}",
            f"@media screen and (prefers-color-scheme:dark){{{here}{{{dark}}}}}",
            f"{_around(_LIGHT_AROUND, here)}{{{light}}}",
            f"{_around(_DARK_AROUND, here)}{{{dark}}}",
        ]
    )


def _around(x_values: tuple[str, ...], here: str) -> str:
    return ",".join(f"{index} {here}" for index in x_values)
