"""What the documents promise is there: links, chores, snippets and the transcript."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")])
GUIDES = sorted((ROOT / "docs" / "guide").glob("*.md"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of the page points to a file or folder that exists."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", GUIDES, ids=named)
def test_guide_snippets_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of the page run, in order, and give what stands below them."""
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_the_transcript_is_what_the_demo_prints() -> None:
    """The block below `$ make demo` in the README is the output of the demo, line by line."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```text\n\$ make demo\n(.*?)```", readme, flags=re.DOTALL)
    assert block is not None
    demo = ROOT / "examples" / "penguins_study.py"
    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True, check=True)
    assert block.group(1) == done.stdout
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
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(page.name[:4]) for page in pages]
    assert numbers == list(range(1, len(pages) + 1))
    for page in pages:
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert headings == ["Context", "Choice", "Cost"], page.name


def test_every_benchmark_row_is_documented() -> None:
    """Each row that `make bench ROWS=…` can run stands in the benchmarks' page."""
    source = (ROOT / "benchmarks" / "rows.py").read_text(encoding="utf-8")
    rows = re.findall(r"^        (\w+),$", source, flags=re.MULTILINE)
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert len(rows) > 10
    assert [row for row in rows if f"`{row}`" not in page] == []
