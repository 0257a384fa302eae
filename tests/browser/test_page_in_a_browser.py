"""The page of a study in a real browser: quiet, alone, readable by all, on any width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from heldout.charts.theme import INK

from .accessibility import CONTRAST, NO_CONTRAST, violations
from .made_pages import EMOJI, HEBREW, KINDS, LABELS, LONG, SCRIPT, TARGET

WIDE, PHONE = {"width": 1100, "height": 900}, {"width": 360, "height": 740}
LARGEST = 500_000
OPEN_ALL = "() => document.querySelectorAll('details').forEach(each => { each.open = true })"


@dataclass
class Shown:
    """A page in the browser, with all that happened while it was there."""

    kind: str
    page: Page
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="module", params=KINDS)
def shown(request: Any, browser: Browser, pages: dict[str, Path]) -> Iterator[Shown]:
    """A page in a tab of its own, with everything unfolded that can be."""
    context = browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce")
    found = Shown(request.param, context.new_page())
    found.page.on("request", lambda each: found.requests.append(each.url))
    found.page.on("console", lambda each: found.messages.append(f"{each.type}: {each.text}"))
    found.page.on("pageerror", lambda each: found.messages.append(str(each)))
    found.page.on("dialog", lambda each: (found.dialogs.append(each.message), each.dismiss()))
    found.page.goto(pages[request.param].as_uri())
    found.page.evaluate(OPEN_ALL)
    yield found
    context.close()


# These pages have between them every section, picture and badge; the others have the same colours.
COLOURED = ("two", "many", "number", "thorough")


def test_the_page_is_quiet_and_alone(shown: Shown) -> None:
    """Nothing is said in the console, nothing runs, and the only request is the one for the page itself."""
    assert shown.messages == []
    assert shown.dialogs == []
    assert len(shown.requests) == 1
    assert shown.page.evaluate("document.scripts.length + document.images.length") == 0


def test_the_page_passes_axe_in_light_and_dark(shown: Shown) -> None:
    """axe-core finds nothing wrong, with everything unfolded; contrasts hold in light and in dark."""
    shown.page.set_viewport_size(WIDE)
    assert violations(shown.page, rules=NO_CONTRAST) == []
    # The alarm over a broken chain stands nowhere else.
    where = None if shown.kind in COLOURED else "header"
    light = violations(shown.page, where, runOnly=[CONTRAST])
    shown.page.emulate_media(color_scheme="dark")
    dark = violations(shown.page, where, runOnly=[CONTRAST])
    shown.page.emulate_media(color_scheme="light")
    assert (light, dark) == ([], [])


def test_the_page_fits_a_telephone(shown: Shown) -> None:
    """At 360 pixels nothing has to be scrolled sideways, and axe-core finds nothing wrong there.

    Contrasts are left out, which are those of the wide page and take most of the time.
    """
    shown.page.set_viewport_size(PHONE)
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(shown.page, rules=NO_CONTRAST) == []
    outside = shown.page.evaluate(
        """() => [...document.querySelectorAll('p, li, h1, h2, h3, h4, summary, .chart, .strip')]
        .filter(each => each.checkVisibility() && !each.closest('.wide-table'))
        .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
        .map(each => each.outerHTML.slice(0, 120))"""
    )
    assert outside == []


def test_contents_lead_to_their_sections(shown: Shown) -> None:
    """Every entry of the table of contents leads to a heading, and every section is named in it."""
    links = shown.page.eval_on_selector_all("nav a", "found => found.map(each => each.getAttribute('href'))")
    headings = shown.page.eval_on_selector_all("h2[id]", "found => found.map(each => '#' + each.id)")
    assert set(links) <= set(headings)
    assert {each for each in headings if not each.startswith("#model-")} == set(links)


def test_a_page_is_small(pages: dict[str, Path]) -> None:
    """No page takes more than 500 kB."""
    assert {name: path.stat().st_size for name, path in pages.items() if path.stat().st_size > LARGEST} == {}


def test_hostile_names_are_text(browser: Browser, pages: dict[str, Path]) -> None:
    """Scripts, quotes, Hebrew, emoji and 300 characters in names are read as they are written."""
    page = browser.new_page(viewport=WIDE)
    page.goto(pages["hostile"].as_uri())
    page.evaluate(OPEN_ALL)
    text = page.evaluate("document.body.textContent")
    for name in (
        SCRIPT,
        LONG,
        HEBREW,
        EMOJI,
        TARGET,
        *LABELS,
        "<i>a</i>",
        "b&amp;b",
        "<script>alert(3)</script>",
    ):
        assert name in text, name
    assert "\u202e" not in page.evaluate("document.querySelector('main').innerText")
    assert page.evaluate("document.querySelectorAll('script, img, b, i, iframe').length") == 0
    page.close()


def test_every_figure_has_a_takeaway_and_its_numbers(shown: Shown) -> None:
    """Each figure says in a line what to see, and has its numbers in a table or beside the picture."""
    wanting = shown.page.evaluate(
        """() => [...document.querySelectorAll('figure.figure')]
        .filter(each => !each.querySelector('.takeaway')?.textContent.trim()
            || !each.querySelector('table, .contenders, ol, .columns'))
        .map(each => each.querySelector('h3')?.textContent)"""
    )
    assert wanting == []


def test_it_prints_light_and_without_what_cannot_be_clicked(browser: Browser, pages: dict[str, Path]) -> None:
    """On paper the page is light whatever the screen prefers, contents and folded parts are left out."""
    page = browser.new_page(viewport=WIDE, color_scheme="dark")
    page.goto(pages["two"].as_uri())
    inks = """['html', '.chart svg']
        .map(each => getComputedStyle(document.querySelector(each)).getPropertyValue('--ink').trim())"""
    dark = page.evaluate(inks)
    page.emulate_media(media="print")
    printed = page.evaluate(inks)
    assert (dark, printed) == ([INK.dark] * 2, [INK.light] * 2)
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert page.evaluate("document.querySelector('nav').checkVisibility()") is False
    assert (
        page.evaluate("[...document.querySelectorAll('details')].some(each => each.checkVisibility())")
        is False
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()
