"""The page: one file, no script, nothing fetched, every name escaped."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.ledger.verdict_facts import CurveFact
from heldout.report.method_lines import command_line
from heldout.report.render import render
from heldout.report.summarize import summarize
from heldout.stats.interval import Interval

from .ledger_stand_in import (
    StandInCheck,
    StandInLedger,
    failure,
    opening,
    small_study,
    standing,
    verdict,
)

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Elements(HTMLParser):
    """Every element of a page with its attributes, and whether all are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page_of(ledger: StandInLedger) -> str:
    return render(summarize(ledger))


def full_study() -> StandInLedger:
    """A study with everything that a page can show."""
    ledger = small_study()
    line = {"label": "test rows", "means": [0.8, 0.9], "lows": [0.7, 0.85], "highs": [0.9, 0.95]}
    result = {
        "title": "Learning curve of tree",
        "text": "It rises.",
        "takeaway": "It rises.",
        "remarks": "",
        "caption": "",
        "x_values": [10, 20],
        "lines": [line],
    }
    ledger.kept += [opening("tree", 1, 0.947), opening("forest", 2, 0.951, "the reviewers asked")]
    ledger.put("k", CurveFact("learning", {}, result | {"x": "rows", "y": "accuracy"}))
    ledger.put("f", failure("svm", "did not converge"))
    return ledger


def test_the_page_is_well_formed() -> None:
    """Every element is closed where it should be, and there is one heading and one main part."""
    elements = Elements(page_of(full_study()))
    assert elements.wrong == []
    assert elements.open == []
    tags = [tag for tag, _ in elements.found]
    assert tags.count("h1") == tags.count("main") == 1


def test_the_page_runs_and_fetches_nothing() -> None:
    """There is no script, no handler, no address; the policy forbids all but inline style and data images."""
    elements = Elements(page_of(full_study()))
    assert not {"script", "iframe", "object", "embed", "link", "base", "form"} & {
        tag for tag, _ in elements.found
    }
    for _, attributes in elements.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "srcset")]
        assert (attributes.get("href") or "#").startswith("#")
    policies = [a for tag, a in elements.found if tag == "meta" and a.get("http-equiv")]
    [policy] = [each["content"] for each in policies]
    assert policy is not None
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["style-src"] == "'unsafe-inline'"
    assert allowed["img-src"] == "data:"
    assert set(allowed) == {"default-src", "style-src", "img-src", "base-uri", "form-action"}


def test_style_fetches_nothing() -> None:
    """No style sheet imports or points anywhere."""
    styles = re.findall(r"<style>(.*?)</style>", page_of(full_study()), flags=re.DOTALL)
    assert styles
    assert not any("@import" in style or "url(" in style for style in styles)


def test_everything_is_on_the_page() -> None:
    """Winner, number with interval, looks, contenders, comparisons, settings, digest and head are shown."""
    text = " ".join(" ".join(Elements(page_of(full_study())).text).split())
    for words in (
        "accuracy 0.955 95% interval 0.934 to 0.976",
        "tree is the simplest within one standard error of the best",
        "The seal was opened 2 times",
        "the reviewers asked",
        "0.961 (0.941 to 0.981)",
        "forest and baseline",
        "behind the best by",
        "p < 0.001, adjusted",
        "prune_alpha = 0.01 in 20 of 30 folds",
        "Learning curve of tree",
        "did not converge",
        "What the number does not say",
        "d" * 64,
        "f" * 64,
    ):
        assert words in text, words


def test_a_broken_chain_is_the_first_thing_said() -> None:
    """Where the chain is broken the page warns above the verdict."""
    page = page_of(replace(small_study(), check=StandInCheck(False, ("fact 3 was changed",))))
    assert page.index("do not believe this page") < page.index("Verdict")
    assert "fact 3 was changed" in page


def test_no_verdict_is_a_page_too() -> None:
    """A study that has not run gives a page that says so."""
    assert "there is no verdict yet" in page_of(StandInLedger(small_study().kept[:3]))


def test_an_estimate_without_interval_is_said() -> None:
    """A contender without a score, and a number without ends, are shown as such."""
    broken = replace(standing("tree", math.nan), name="svm", problem="3 of 30 cells failed")
    standings = (*verdict().standings, replace(broken, is_complete=False))
    ledger = small_study()
    ledger.put("v", verdict(number=Interval("accuracy", 0.9, math.nan, math.nan), standings=standings))
    page = page_of(ledger)
    text = " ".join(" ".join(Elements(page).text).split())
    assert "accuracy 0.900 no interval" in text
    assert "3 of 30 cells failed" in page
    assert "unknown" in page


HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> {{ 7*7 }} </style>"


@pytest.mark.parametrize("place", ["target", "winner", "text", "reason", "setting", "error", "curve"])
def test_names_cannot_run(place: str) -> None:
    """A name that is markup stands on the page as text, wherever it comes from."""
    clean, hostile = full_study(), full_study()
    bodies = {fact.kind: fact.body for fact in hostile.kept}
    if place == "target":
        bodies["study"]["roles"]["target"] = HOSTILE
    elif place == "winner":
        bodies["verdict"]["winner"] = bodies["verdict"]["standings"][0]["name"] = HOSTILE
    elif place == "text":
        bodies["verdict"]["sentence"] = HOSTILE
    elif place == "reason":
        bodies["unseal"]["reason"] = HOSTILE
    elif place == "setting":
        bodies["verdict"]["standings"][1]["chosen"] = [[{HOSTILE: HOSTILE}, 30]]
    elif place == "error":
        bodies["failure"]["error"] = HOSTILE
    else:
        bodies["curve"]["result"]["title"] = bodies["curve"]["result"]["text"] = HOSTILE
    elements = Elements(page_of(hostile))
    assert {tag for tag, _ in elements.found} <= {tag for tag, _ in Elements(page_of(clean)).found} | {"li"}
    assert "alert(1)" in "".join(elements.text)
    assert elements.wrong == []
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]


@pytest.mark.slow
@given(st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_any_name_and_number_can_be_shown(name: str, number: float) -> None:
    """Whatever a contender is called and whatever it scores, there is a page, and it is well formed."""
    first, *others = verdict().standings
    named = replace(first, name=name, estimate=Interval("accuracy", number, number, number))
    ledger = small_study()
    ledger.put("v", verdict(standings=(named, *others)))
    assert Elements(page_of(ledger)).wrong == []


def test_the_same_study_gives_the_same_page() -> None:
    """Nothing of the clock or of memory is on the page."""
    assert page_of(full_study()) == page_of(full_study())


def test_a_curve_is_drawn_for_wide_and_for_narrow_screens() -> None:
    """Each curve stands there twice, of which a screen shows one; its caption stands below as text."""
    line = {"label": "test rows", "means": [0.7, 0.8], "lows": [0.6, 0.7], "highs": [0.8, 0.9]}
    drawn = {
        "title": "t",
        "text": "w",
        "takeaway": "w",
        "remarks": "",
        "caption": "bands",
        "x": "rows",
        "y": "accuracy",
        "x_values": [1, 2],
    }
    ledger = small_study()
    ledger.put("c", CurveFact("learning", {}, drawn | {"lines": [line]}))
    page = render(summarize(ledger))
    wide, narrow = page.split('class="chart on-wide"')[1].split('class="chart on-narrow"')
    assert 'width="328"' in narrow
    assert 'width="328"' not in wide
    assert '<p class="muted">bands</p>' in page
    assert "@media (max-width:40rem)" in page


def test_the_line_that_was_typed_is_on_the_page() -> None:
    """What was said on the line or in a settings file is said again, as it can be typed, without defaults."""
    settings = {
        "file": {"value": "my prices.csv", "from": "line"},
        "target": {"value": "price", "from": "/a/heldout.toml"},
        "contenders": {"value": ["tree", "ridge"], "from": "line"},
        "drop": {"value": ["id", "name"], "from": "line"},
        "header": {"value": False, "from": "line"},
        "held": {"value": 0.2, "from": "default"},
    }
    assert command_line(settings) == (
        "heldout run 'my prices.csv' --target price --contenders tree,ridge --drop id --drop name --no-header"
    )
