"""What a notebook shows, in a real browser: all pieces in one page, as cells below each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import heldout as ho
from heldout.metrics.precision_recall import precision_recall
from heldout.metrics.reliability import reliability
from heldout.stats.comparison import Comparison

from .accessibility import CONTRAST, NO_CONTRAST, violations
from .made_pages import SCRIPT

TRUE, SAID = [0, 0, 1, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9, 0.6, 0.7]
WIDE, PHONE = {"width": 1000, "height": 900}, {"width": 360, "height": 740}


def pieces(folder: Path) -> dict[str, str]:
    """The HTML of each thing that shows itself, by name."""
    with ho.Study.open(folder / "two.heldout") as study, ho.Study.open(folder / "thorough.heldout") as other:
        result = study.result()
        found: dict[str, Any] = {
            "table": ho.read_table({SCRIPT: [1.5, None, 2.5], "town": ["Ulm", "Bonn", "Ulm"]}),
            "study": study,
            "sealed": other,
            "result": result,
            "verdict": result.verdict,
            "standings": result.table(),
            "looks": study.looks(),
            "comparison": next(each for each in result.comparisons if isinstance(each, Comparison)),
            "interval": result.verdict.number,
            "roc": ho.metrics.roc(TRUE, SAID),
            "precision": precision_recall(TRUE, SAID),
            "confusion": ho.metrics.confusion(TRUE, [round(each) for each in SAID]),
            "reliability": reliability(TRUE, SAID),
        }
        shown = {name: each._repr_html_() for name, each in found.items()}
    tree = ho.TreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["low"] * 2 + ["high"] * 2)
    return shown | {"tree": tree._repr_html_inner()}


@pytest.fixture(scope="module")
def notebook(browser: Browser, pages: dict[str, Path]) -> Iterator[Page]:
    """All pieces in one page, with every fold open."""
    folder = pages["two"].parent
    cells = "".join(f"<div class='cell'>{each}</div>" for each in pieces(folder).values())
    head = "<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>cells</title>"
    (folder / "cells.html").write_text(
        f"<!doctype html><html lang='en'><head>{head}</head><body><main><h1>Cells</h1>{cells}</main></body>",
        encoding="utf-8",
    )
    page = browser.new_page(viewport=WIDE)
    page.goto((folder / "cells.html").as_uri())
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    yield page
    page.close()


def test_pieces_pass_axe_in_light_and_dark(notebook: Page) -> None:
    """axe-core finds nothing wrong with any piece, and contrasts hold in both schemes."""
    assert violations(notebook) == []
    notebook.emulate_media(color_scheme="dark")
    dark = violations(notebook, runOnly=[CONTRAST])
    notebook.emulate_media(color_scheme="light")
    assert dark == []


def test_pieces_fit_a_narrow_cell(notebook: Page) -> None:
    """On a telephone only pictures and tables are scrolled sideways, each in its own box; axe-core agrees."""
    notebook.set_viewport_size(PHONE)
    width = notebook.evaluate("document.documentElement.scrollWidth")
    found = violations(notebook, rules=NO_CONTRAST)
    notebook.set_viewport_size(WIDE)
    assert width <= PHONE["width"]
    assert found == []


def test_nothing_runs_or_leaves(browser: Browser, pages: dict[str, Path]) -> None:
    """No piece holds a script or a picture of elsewhere, and a hostile name is text."""
    html = "".join(pieces(pages["two"].parent).values())
    page = browser.new_page()
    page.set_content(f"<main>{html}</main>")
    assert page.evaluate("document.querySelectorAll('script, img, iframe, link').length") == 0
    assert "<script>alert(1)</script>" in page.evaluate("document.querySelector('main').textContent")
    page.close()
