"""What a notebook shows of a result: words, a table and a picture, in the colours of the pictures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from heldout.charts.axes import in_page
from heldout.charts.svg import SvgWriter
from heldout.charts.theme import CARD, CLASS_COLOURS, FONT, INK, LINE, MUTED, PAPER, colour_properties

_COLOURS = (PAPER, CARD, INK, MUTED, LINE, CLASS_COLOURS[0])
_RULES = (
    ("", f"background:var(--paper);color:var(--ink);font-family:{FONT};border-radius:8px;padding:12px 16px"),
    ("", "max-width:60rem;overflow-wrap:anywhere;line-height:1.5"),
    (" .title", "font-weight:700;font-size:1.1em;margin:0 0 .4em"),
    (" p", "margin:.4em 0;color:var(--ink)"),
    (" ul", "margin:.4em 0;padding-left:1.2em;color:var(--ink)"),
    (" .scroll", "overflow-x:auto"),
    (" table", "border-collapse:collapse;margin:.6em 0;background:transparent;color:var(--ink)"),
    (" tr", "background:transparent"),
    (" caption", "text-align:left;color:var(--muted)"),
    (" th", "text-align:left;font-weight:600;color:var(--muted)"),
    (" th[scope=row]", "color:var(--ink)"),
    (" th,{here} td", "padding:.2em 1em .2em 0;border-bottom:1px solid var(--line);vertical-align:top"),
    (" td", "text-align:left;font-variant-numeric:tabular-nums"),
    (" pre", "white-space:pre-wrap;margin:.4em 0;color:var(--ink);background:transparent"),
    (" summary", "cursor:pointer;color:var(--muted)"),
)


@dataclass(frozen=True)
class NotebookPiece:
    """The parts of what is shown, from top to bottom; what is empty is left out.

    title:      what it is
    paragraphs: sentences
    items:      more of them, as a list
    headings:   of a table
    rows:       of the table; the first cell names its row
    caption:    of the table
    picture:    SVG
    words:      a longer text behind a fold, as a terminal shows it
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    caption: str = ""
    picture: str = ""
    words: str = ""


def piece_html(piece: NotebookPiece) -> str:
    """The piece as HTML: no script, every name escaped, and no rule that reaches outside of it."""
    body = _body(piece)
    name = f"heldout-{hashlib.sha256(body.encode('utf-8', 'replace')).hexdigest()[:16]}"
    writer = SvgWriter()
    # No landmark: a notebook has a piece below every other cell, and the same one may stand there twice.
    writer.open("div", id=name, role="group", aria_label=piece.title)
    writer.markup(f"<style>{_style(f'#{name}')}</style>{body}")
    writer.close()
    return writer.text


def _body(piece: NotebookPiece) -> str:
    writer = SvgWriter()
    writer.leaf("p", piece.title, class_="title")
    for paragraph in piece.paragraphs:
        writer.leaf("p", paragraph)
    if piece.items:
        writer.open("ul")
        for item in piece.items:
            writer.leaf("li", item)
        writer.close()
    if piece.picture:
        writer.markup(in_page(piece.picture, f"picture of {piece.title}"))
    if piece.rows:
        _write_table(writer, piece)
    if piece.words:
        writer.open("details")
        writer.leaf("summary", "in words")
        writer.leaf("pre", piece.words)
        writer.close()
    return writer.text


def _write_table(writer: SvgWriter, piece: NotebookPiece) -> None:
    writer.open("div", class_="scroll", role="group", aria_label=f"table of {piece.title}", tabindex="0")
    writer.open("table")
    if piece.caption:
        writer.leaf("caption", piece.caption)
    writer.open("thead")
    _write_row(writer, piece.headings, is_heading=True)
    writer.close()
    writer.open("tbody")
    for row in piece.rows:
        _write_row(writer, row, is_heading=False)
    writer.close()
    writer.close()
    writer.close()


def _write_row(writer: SvgWriter, cells: tuple[str, ...], is_heading: bool) -> None:
    writer.open("tr")
    for index, cell in enumerate(cells):
        if is_heading:
            writer.leaf("th", cell, scope="col")
        elif index == 0:
            writer.leaf("th", cell, scope="row")
        else:
            writer.leaf("td", cell)
    writer.close()


def _style(here: str) -> str:
    rules = [f"{here}{index.replace('{here}', here)}{{{rule}}}" for index, rule in _RULES]
    return "\n".join([colour_properties(here, _COLOURS), *rules])
