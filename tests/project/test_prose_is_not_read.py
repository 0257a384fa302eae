"""Nothing is decided by looking at a sentence: what a sentence says is a typed field somewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "heldout"
_TESTS = ("startswith", "endswith", "removesuffix", "partition", "rpartition", "find", "index")
# Files in which words are looked at, and why there is no field to ask instead.
ALLOWED = {
    "features/class_balance.py": "scikit-learn tells labels from numbers by its message alone",
    "features/discretize.py": "scikit-learn tells labels from numbers by its message alone",
    "learners/neighbors/row_inputs.py": "NumPy tells which value is no number by its message alone",
    "ledger/run_lock.py": "a lock file is read by people too, and one of something else must not be quoted",
    "study/ship.py": "a column tells the order of day and month in the reason for its kind alone",
    "table/read_csv.py": "Arrow tells lines that are too long from other errors by its message alone",
}


def test_no_sentence_is_read() -> None:
    """No words with a blank between them are looked for in a text, but in the files that say why."""
    found = {f"{name}:{line}" for name, line in _places() if name not in ALLOWED}
    assert found == set(), "make what was looked for a field, and the sentence from it"


def test_the_exceptions_are_needed() -> None:
    """Each file that may look at words does so."""
    assert {name for name, _ in _places()} >= set(ALLOWED)


def _places() -> Iterator[tuple[str, int]]:
    """Where words are looked for in a text: file and line."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                is_test = node.func.attr in _TESTS and any(_has_words(each) for each in node.args)
            elif isinstance(node, ast.Compare):
                is_in = isinstance(node.ops[0], ast.In | ast.NotIn)
                is_test = is_in and _has_words(node.left) and not _is_collection(node.comparators[0])
            else:
                continue
            if is_test:
                yield path.relative_to(PACKAGE).as_posix(), node.lineno


def _has_words(node: ast.expr) -> bool:
    """Whether it is a text of several words, or begins or ends one."""
    if isinstance(node, ast.Tuple):
        return any(_has_words(each) for each in node.elts)
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(" " in text and any(letter.isalpha() for letter in text) for text in texts)


def _is_collection(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict)
