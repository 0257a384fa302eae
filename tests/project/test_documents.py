"""What the documents promise is there: links, chores, decisions, lessons."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")])


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of the page points to a file or folder that exists."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_the_lesson_of_a_study_runs(tmp_path: Path) -> None:
    """examples/penguins_study.py tells the story of the demo in Python, and leaves a study and a model."""
    lesson = ROOT / "examples" / "penguins_study.py"
    words = [sys.executable, str(lesson), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "on the 69 held rows: accuracy" in " ".join(done.stdout.split())
    assert {path.suffix for path in tmp_path.iterdir()} == {".heldout", ".html", ".model"}
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_every_chore_is_documented() -> None:
    """Each target of the Makefile's menu stands in CONTRIBUTING.md."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    chores = set(re.findall(r"^([a-z-]+):.*## ", makefile, flags=re.MULTILINE)) - {"menu"}
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert {"demo", "test", "check", "bench", "sanitize", "clean"} <= chores
    assert [chore for chore in sorted(chores) if f"`make {chore}`" not in page] == []


def test_decisions_are_numbered_and_have_three_parts() -> None:
    """Decision pages count from 0001 without a gap, each with context, choice and cost."""
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [int(page.name[:4]) for page in pages]
    assert numbers == list(range(1, len(pages) + 1))
    for page in pages:
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert headings == ["Context", "Choice", "Cost"], page.name


def test_every_decision_is_in_the_picture_of_the_house() -> None:
    """Each decision is linked from docs/architecture.md."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [decision.name for decision in pages if f"(decisions/{decision.name})" not in page] == []


def test_the_invented_customers_are_those_of_the_script(tmp_path: Path) -> None:
    """examples/make_churn.py writes, to the last byte, the tables that the README reads."""
    script = ROOT / "examples" / "make_churn.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    for name in ("churn.csv", "new.csv"):
        assert (tmp_path / name).read_bytes() == (ROOT / "examples" / "tables" / name).read_bytes()


def test_every_benchmark_row_is_documented() -> None:
    """Each row that `make bench ROWS=…` can run stands in the benchmarks' page."""
    source = (ROOT / "benchmarks" / "rows.py").read_text(encoding="utf-8")
    rows = re.findall(r"^        (\w+),$", source, flags=re.MULTILINE)
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert len(rows) > 10
    assert [row for row in rows if f"`{row}`" not in page] == []
