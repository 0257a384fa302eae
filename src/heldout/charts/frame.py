"""What every picture has around it: its size, its names for screen readers, its colours, its paper."""

from __future__ import annotations

import hashlib

from heldout.charts.svg import SvgWriter
from heldout.charts.theme import FONT, PAPER, fill, style_sheet

MARGIN = 16.0


def framed(body: str, width: float, height: float, title: str, description: str, role: str = "img") -> str:
    """A whole SVG document, which can also stand inside a page.

    body:        the elements, as an SvgWriter made them
    title:       what a screen reader calls the picture
    description: what it says about it
    role:        "img" for a picture that is one thing, "group" for one whose parts can be visited

    Its id is a digest of its contents, so that two pictures in one page share no id unless they are equal.
    """
    contents = f"{width} {height} {title} {description} {body}"
    digest = hashlib.sha256(contents.encode("utf-8", "replace")).hexdigest()
    picture_id = f"heldout-{digest[:16]}"
    writer = SvgWriter()
    writer.open(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        id=picture_id,
        width=width,
        height=height,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role=role,
        aria_labelledby=f"{picture_id}-title",
        aria_describedby=f"{picture_id}-description",
        font_family=FONT,
    )
    writer.leaf("title", title, id=f"{picture_id}-title")
    writer.leaf("desc", description, id=f"{picture_id}-description")
    paper = SvgWriter()
    paper.leaf("rect", width=width, height=height, rx=8, **fill(PAPER))
    writer.markup(f"<style>{style_sheet(picture_id, paper.text + body)}</style>{paper.text}{body}")
    writer.close()
    return writer.text


def in_page(svg: str, label: str) -> str:
    """The picture as HTML for a notebook: where it is wider than the page, it can be scrolled."""
    writer = SvgWriter()
    writer.open("div", role="group", aria_label=label, tabindex="0", style="overflow:auto;max-width:100%")
    writer.markup(svg)
    writer.close()
    return writer.text
