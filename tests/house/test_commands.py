"""Every command and every block of code in README.md and in docs/ does what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from .page_blocks import Block, blocks_of, commands_of
from .page_runner import ROOT, PageRunner, is_as_shown

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = ("python", "console", "sql", "toml", "json")

# What no test runs, and why: the page, and the reason that stands above the block.
NOT_RUN = {
    ("README.md", "installs into an environment"),
    ("docs/guide/pictures.md", "a piece of a page"),
    ("docs/guide/terminal.md", "tests/unit/cli/test_demo.py compares it"),
}


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def with_blocks(pages: list[Path]) -> list[Path]:
    """The pages with something to run."""
    return [
        page for page in pages if any(block.language in RUN for block in blocks_of(page.read_text("utf-8")))
    ]


@pytest.mark.parametrize("page", with_blocks(PAGES), ids=named)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, Python, SQL and settings run from top to bottom and give what stands below them."""
    monkeypatch.chdir(tmp_path)
    runner = PageRunner(page, tmp_path)
    runner.run()
    assert runner.complaints == [], "\n".join(runner.complaints)


def test_what_is_not_run_has_a_reason_that_is_known_here() -> None:
    """Blocks that no test runs are exactly those of the list above, each with the reason in its page."""
    found = {
        (named(page), block.remarks["not run"])
        for page in PAGES
        for block in blocks_of(page.read_text("utf-8"))
        if "not run" in block.remarks
    }
    assert found == NOT_RUN


def test_commands_stand_where_they_are_run() -> None:
    """No block that is only read shows a command, except those of the list above."""
    hidden = [
        f"{named(page)}:{block.line}"
        for page in PAGES
        for block in blocks_of(page.read_text("utf-8"))
        if block.language not in RUN and "not run" not in block.remarks
        if any(line.startswith(("$ ", ">>> ")) for line in block.text.split("\n"))
    ]
    assert hidden == []


def test_remarks_belong_to_the_block_below() -> None:
    """A remark holds for the next block alone, and only if nothing but blanks stands between."""
    page = "<!-- exit: 3 -->\n```console\n$ false\n```\n\n<!-- exit: 4 -->\nWords.\n```toml\na = 1\n```\n"
    assert blocks_of(page) == [Block("console", "$ false\n", 3, {"exit": "3"}), Block("toml", "a = 1\n", 9)]


def test_a_command_may_go_on_and_shows_what_stands_below() -> None:
    """A backslash at the end of a line goes on; the lines up to the next command are its output."""
    found = commands_of("$ printf 'a\\n' \\\n    b\na\n\nb\n$ true\n")
    assert [(command.words, command.shown) for command in found] == [
        ("printf 'a\\n' \\\n    b", "a\n\nb"),
        ("true", ""),
    ]


@pytest.mark.parametrize(
    ("shown", "said", "is_alike"),
    [("a ... c", "a b\nb c", True), ("a", "a", True), ("a", "a b", False), ("a\n...\nz", "a\nb\nz", True)],
)
def test_dots_stand_for_any_text_and_nothing_else_does(shown: str, said: str, is_alike: bool) -> None:
    """What a page shows is compared letter for letter, but for its dots."""
    assert is_as_shown(shown, said) is is_alike


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("```console\n$ echo a\nb\n```", "shown:\nb\nsaid:\na"),
        ("```console\n$ exit 3\n```", "ended with 3"),
        ("```python\n>>> 1 + 1\n3\n```", "Expected:\n    3\nGot:\n    2"),
        ("```r\nx <- 1\n```", "nothing runs 'r'"),
    ],
)
def test_what_is_wrong_in_a_page_is_found(block: str, complaint: str, tmp_path: Path) -> None:
    """A page that shows something else than what comes is complained about, with place and difference."""
    page = tmp_path / "page.md"
    page.write_text(block, encoding="utf-8")
    runner = PageRunner(page, tmp_path)
    runner.run()
    assert len(runner.complaints) == 1
    assert complaint in runner.complaints[0]
