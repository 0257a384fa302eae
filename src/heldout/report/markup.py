"""Where templates become HTML: everything is escaped but the pictures, which were escaped when drawn."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

# A name in Hebrew is fine; an override would make the sentence around it run backwards.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@cache
def environment() -> Environment:
    """The templates of the page; whatever they show is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=PackageLoader("heldout.report"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        finalize=_upright,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _upright(shown: Any) -> Any:
    """What is shown, without signs that turn the direction of all that follows, or that no page can hold."""
    return _TURNING.sub("\ufffd", shown) if type(shown) is str else shown


def markup(made_by_us: str) -> Any:
    """What was escaped when it was made, and is not escaped again: pictures and our own style sheet."""
    from markupsafe import Markup

    return Markup(made_by_us)


def drawn(figure: Figure) -> dict[str, Any]:
    """A figure as the macro of `figure.html` shows it: words are escaped there, pictures are not."""
    return asdict(figure) | {"picture": markup(figure.picture), "narrow": markup(figure.narrow)}


@dataclass(frozen=True)
class Figure:
    """One picture of a page, with the words and numbers that belong to it.

    title:    what is drawn
    takeaway: what to see in it, in one line
    picture:  SVG; empty where there is nothing to draw
    narrow:   the same for a telephone; empty where one picture fits both
    headings: of the table with the numbers of the picture
    rows:     of that table, as texts
    caption:  of that table
    notes:    what else has to be said, in sentences
    """

    title: str
    takeaway: str
    picture: str = ""
    narrow: str = ""
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    caption: str = ""
    notes: tuple[str, ...] = ()
