"""Names and pages use the words of docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
MODULES = sorted((ROOT / "src" / "heldout").rglob("*.py"))
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])

# Words that stand in no name of the package: each has a better one, or says nothing of what it names.
NOT_IN_NAMES = {
    "answer", "answers", "answered", "place", "places", "spot", "spots", "chances", "told", "said", "asked",
    "heard", "parted", "settled", "house",
}  # fmt: skip
# The results that a look at sealed rows can have: "answers" is the word of adaptive data analysis.
ANSWERS_OF_LOOKS = {"answers", "n_answers", "_n_answers", "bits_of_answers", "most_answers"}
# Phrases of our own that pages do not use, with what they say instead.
NOT_IN_PAGES = {
    r"\bclass(?:es)? to spot\b": "positive class",
    r"\bout-of-(?:fold|bag) answers?\b": "out-of-fold predictions",
    r"\banswers? for new rows\b": "predictions for new rows",
    r"\b(?:the|a|every|each|which|in) rooms?\b(?! (?:for|left|to))": "package",
    r"\bthe house\b(?! votes)": "architecture, repository",
    r"\bunknown values?\b": "missing value",
    r"\bhow often (?:a|each) row counts\b": "sample weight",
}


def names(path: Path) -> Iterator[tuple[int, str]]:
    """Every name that a module gives: functions, classes, parameters, fields, locals."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def words(name: str) -> set[str]:
    """The words of a name, whichever way they are joined."""
    return set(re.findall(r"[a-z]+", re.sub(r"[A-Z]", lambda match: f"_{match.group().lower()}", name)))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_a_name_is_cut_into_its_words() -> None:
    """CamelCase and underscores are cut alike, and a longer word is not its part."""
    assert words("FoldAnswers") == {"fold", "answers"}
    assert words("replace_placement") == {"replace", "placement"}


def test_names_use_the_words_of_the_field() -> None:
    """No function, class, parameter, field or local is named by a word that the glossary replaces."""
    odd = [
        f"{shown(path)}:{line} {name}"
        for path in MODULES
        for line, name in names(path)
        if words(name) & NOT_IN_NAMES and name not in ANSWERS_OF_LOOKS
    ]
    assert odd == []


def test_files_are_named_for_what_one_searches() -> None:
    """No file or folder of the package has a word in its name that the glossary replaces."""
    odd = [shown(path) for path in MODULES if words("_".join(path.parts[-2:])) & NOT_IN_NAMES]
    assert odd == []


@pytest.mark.parametrize("phrase", NOT_IN_PAGES)
def test_pages_use_the_words_of_the_field(phrase: str) -> None:
    """No page, the glossary itself left aside, has a phrase for which there is a common one."""
    odd = [
        f"{shown(page)}:{number} {match.group()!r}: say {NOT_IN_PAGES[phrase]!r}"
        for page in PAGES
        if page != GLOSSARY
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        for match in re.finditer(phrase, line, flags=re.IGNORECASE)
    ]
    assert odd == []


def test_the_glossary_has_every_word_that_is_replaced() -> None:
    """Whoever is refused a word finds it in the last column of the glossary, beside the right one."""
    rows = [
        line.split("|") for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    replaced = " ".join(row[-2] for row in rows)
    for word in ("answer", "place", "spot", "chance", "room", "house", "gap", "unknown"):
        assert word in replaced
