"""The site of the documentation: warnings are errors, it is whole, and nothing comes from the network."""

from __future__ import annotations

import inspect
import posixpath
import re
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest
from docutils import nodes
from playwright.sync_api import Browser
from sphinx.util.inventory import InventoryFile

from ..browser.accessibility import NO_CONTRAST, violations

ROOT = Path(__file__).parents[2]
PACKAGES = ("heldout", "heldout.metrics", "heldout.stats", "heldout.features", "heldout.datasets")
sys.path.append(str(ROOT / "docs" / "extensions"))


class Links(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.add(given.get("id", ""))
        if tag == "a" and "href" in given:
            self.targets.append(given["href"])
        elif "src" in given:
            self.loaded.append(given["src"])
        elif tag == "link" and "href" in given:
            self.loaded.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made as `make docs` makes it, but for the folder."""
    folder = tmp_path_factory.mktemp("site")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    options = re.search(
        r"sphinx-build (.*) -d build/docs-trees docs build/docs ", makefile, flags=re.MULTILINE
    )
    assert options is not None
    assert {"-n", "-W"} <= set(options.group(1).split())
    command = ["-m", "sphinx", *options.group(1).split(), "-d", str(folder / "trees"), "docs"]
    made = subprocess.run(
        [sys.executable, *command, str(folder / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr[-4000:]
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Links]:
    """The links of each page, by its path in the site."""
    return {
        path.relative_to(site).as_posix(): Links(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def test_the_site_is_built_without_a_warning(site: Path) -> None:
    """Sphinx, for which every warning is an error, makes a page of every Markdown file in docs/."""
    expected = {
        path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")
    }
    assert {path for path in expected if not (site / path).exists()} == set()


def test_what_failed_is_read_again(tmp_path: Path) -> None:
    """Sphinx warns of a page when it reads it; so a build that failed leaves nothing that was read."""
    (tmp_path / "build" / "docs-trees").mkdir(parents=True)
    (tmp_path / "sphinx-build").symlink_to("/bin/false")
    words = [
        "make",
        "-f",
        str(ROOT / "Makefile"),
        "-o",
        "installed",
        "-o",
        ".venv/group-docs",
        "docs",
        "BIN=.",
    ]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "The site is" not in done.stdout
    assert not (tmp_path / "build" / "docs-trees").exists()


def test_every_link_of_the_site_leads_somewhere(site: Path, pages: dict[str, Links]) -> None:
    """Links between pages find the page, and the place in it."""
    lost: list[str] = []
    for name, page in pages.items():
        for target in page.targets:
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            if "://" in path or path.startswith("mailto:"):
                continue
            place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if not (site / place).exists() or (
                anchor and place in pages and anchor not in pages[place].anchors
            ):
                lost.append(f"{name}: {target}")
    assert lost == []


def test_the_site_loads_nothing_from_elsewhere(site: Path, pages: dict[str, Links]) -> None:
    """Scripts, styles, fonts and images of all pages are files of the site."""
    loaded = {target for page in pages.values() for target in page.loaded}
    assert [target for target in sorted(loaded) if re.match(r"(https?:)?//", target)] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*\)", styles) == []


def test_every_public_name_has_its_place_in_the_reference(site: Path) -> None:
    """Each public name is described, under that name or under the shorter one that it also has."""
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    kinds = ("py:class", "py:exception", "py:function", "py:data")
    described = {name for kind in kinds for name in inventory[kind]}
    missing = []
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, (str, ModuleType)):
                continue
            shorter = f"heldout.{name}" if thing is getattr(import_module("heldout"), name, None) else ""
            if not {f"{package}.{name}", shorter} & described:
                missing.append(f"{package}.{name}")
    assert missing == []


def test_the_reference_shows_parameters_and_examples(site: Path) -> None:
    """A docstring comes out as parameters with their meaning, and examples with their output."""
    page = (site / "reference" / "stats.html").read_text(encoding="utf-8")
    place = page[page.index('id="heldout.stats.rate_interval"') :]
    assert re.search(r"<strong>n_hits</strong> -- how many", place)
    assert "clopper_pearson 0.1153 0.3596" in re.sub(r"<[^>]*>", "", place)


def test_inline_code_leads_to_the_reference(site: Path) -> None:
    """What a page of the guide calls `ho.Task` is a link to the description of it."""
    page = (site / "guide" / "studies.html").read_text(encoding="utf-8")
    assert 'href="../reference/tables.html#heldout.Task"' in page


def test_types_of_signatures_lead_to_public_names(site: Path) -> None:
    """A type in a signature is a link where it is a public class."""
    page = (site / "reference" / "studies.html").read_text(encoding="utf-8")
    signature = page[page.index('id="heldout.default_contenders"') :][:3000]
    assert 'href="tables.html#heldout.Task"' in signature


def test_formulas_are_drawn_by_the_browser_alone() -> None:
    """A formula becomes MathML, inline and as a block, with no trace of LaTeX and no script."""
    mathml = import_module("mathml")
    formula = nodes.math("", r"\frac{p}{1 - p}")
    assert re.search(r"<mfrac>.*<mi>p</mi>.*</mfrac>", mathml.drawn(formula, is_block=False), flags=re.DOTALL)
    assert 'display="block"' in mathml.drawn(formula, is_block=True)


@pytest.mark.parametrize(
    ("scheme", "names", "rules"),
    [
        ("light", ["index.html", "reference/models.html", "study-file.html"], NO_CONTRAST),
        ("dark", ["study-file.html"], {}),
    ],
)
def test_the_site_can_be_read_by_everybody(
    browser: Browser, site: Path, scheme: Literal["light", "dark"], names: list[str], rules: dict[str, Any]
) -> None:
    """In a browser axe-core finds nothing wrong with typical pages; a telephone shows their whole width."""
    page = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    wrong, widths = [], set()
    for name in names:
        page.goto((site / name).as_uri())
        wrong += [f"{name}: {each}" for each in violations(page, rules=rules)]
        widths.add(page.evaluate("document.documentElement.scrollWidth"))
    page.close()
    assert wrong == []
    assert widths == {360}


EXTENSIONS = ["mathml", "outside_pages", "public_names", "reachable"]


@pytest.mark.parametrize("module", EXTENSIONS)
def test_extensions_explain_themselves(module: str) -> None:
    """The examples in the docstrings of the site's extensions hold."""
    import doctest

    results = doctest.testmod(import_module(module))
    assert results.failed == 0
    assert inspect.getdoc(import_module(module))
