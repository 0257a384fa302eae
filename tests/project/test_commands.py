"""Every command and every block of code in README.md and in docs/ does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click import Context
from markdown_it import MarkdownIt

from heldout.cli.main import program

from . import page_runner
from .page_blocks import Block, blocks_of, commands_of
from .page_runner import IS_READ_ONLY, ROOT, PageRunner, is_as_shown, run_command

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = ("python", "console", "sql", "toml", "json")

# What no test runs, and why: the page, and the reason that stands above the block.
NOT_RUN = {
    ("README.md", "installs into an environment"),
    ("docs/guide/pictures.md", "a piece of a page"),
    ("docs/guide/terminal.md", "tests/unit/cli/test_demo.py compares it"),
}


# `heldout rules` and its like are the names of forms of model files there.
FORMATS = {"docs/guide/model-files.md"}


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def with_blocks(pages: list[Path]) -> list[Path]:
    """The pages with something to run, or to complain about because nothing runs it."""
    return [
        page
        for page in pages
        if any(block.language not in IS_READ_ONLY for block in blocks_of(page.read_text("utf-8")))
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


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_of_a_page_is_found(page: Path) -> None:
    """A parser of Markdown finds the same fences, and no code that is only indented."""
    text = page.read_text("utf-8")
    tokens = MarkdownIt("commonmark").parse(text)
    fences = [(token.info.partition(" ")[0], token.content) for token in tokens if token.type == "fence"]
    unseen = len(re.findall(r"^<!-- (?:prepare$|files: )", text, flags=re.MULTILINE))
    found = [(block.language, block.text) for block in blocks_of(text)]
    assert [fence for fence in fences if fence not in found] == []
    assert len(found) == len(fences) + unseen
    assert [token.content for token in tokens if token.type == "code_block"] == []


def test_commands_in_the_text_exist() -> None:
    """What stands between backticks in a sentence or a table names commands and options that are there."""
    known = {name: _options(name) for name in program.list_commands(Context(program))}
    wrong = []
    for page in PAGES:
        for code in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")):
            typed = re.search(r"(?:^|[ (])heldout ([a-z]+)((?: [^|>)\"]*)?)", code)
            if typed is None or "import heldout" in code or named(page) in FORMATS:
                continue
            command, words = typed.group(1), typed.group(2).split()
            asked = {word.partition("=")[0] for word in words if word.startswith("-")}
            if command not in known or asked - known[command]:
                wrong.append(f"{named(page)}: {code}")
    assert wrong == []


def _options(command: str) -> set[str]:
    found = program.get_command(Context(program), command)
    assert found is not None
    return {name for option in found.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}


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
        ("```console\n$ heldout run none.csv --target a | cat\n```", "ended with 3"),
        ("```console\n$ heldout --version | tr a-z A-Z\nheldout ...\n```", "said:\nHELDOUT"),
        ("<!-- exit: 3 -->\n```console\n$ heldout --version\n```", "ended with 0"),
        ("<!-- database: page.sqlite -->\n```sql\nSELECT 1 WHERE 0\n```", "finds no row"),
    ],
)
def test_what_is_wrong_in_a_page_is_found(block: str, complaint: str, tmp_path: Path) -> None:
    """A page that shows something else than what comes is complained about, with place and difference."""
    page = tmp_path / "page.md"
    page.write_text(block, encoding="utf-8")
    (tmp_path / "page.sqlite").touch()
    runner = PageRunner(page, tmp_path)
    runner.run()
    assert len(runner.complaints) == 1
    assert complaint in runner.complaints[0]


@pytest.mark.parametrize(
    ("words", "is_here", "said"),
    [
        ("heldout --version | grep -c held", True, "1\n"),
        ("heldout 'a | b'", True, "'a | b'"),
        ('heldout "a?"', True, "'a?'"),
        ("heldout a? | cat", False, "'ab'"),
        ("heldout x 2>&1 | cat", False, "'x'"),
    ],
)
def test_only_what_a_shell_must_read_is_left_to_it(
    words: str, is_here: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pipes, patterns and redirections count outside of quotes alone, and a line before a pipe runs here."""
    (tmp_path / "ab").mkdir()
    monkeypatch.setattr(page_runner, "program", program if is_here else None)
    done = run_command(words, tmp_path)
    assert said in done.stdout + done.stderr
