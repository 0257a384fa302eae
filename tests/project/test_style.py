"""Files and functions stay small, and say what they are for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES_OF_A_FILE = 450
MOST_LINES_OF_A_FUNCTION = 50
FOLDERS = ("src", "tests", "benchmarks", "examples")
PYTHON_FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
NATIVE_FILES = sorted((ROOT / "native").rglob("*.[ch]pp"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    hidden = docstring.end_lineno - docstring.lineno + 1 if docstring and docstring.end_lineno else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - hidden


def test_files_are_short() -> None:
    """No file has more than 450 lines."""
    sizes = {named(path): len(path.read_text("utf-8").splitlines()) for path in PYTHON_FILES + NATIVE_FILES}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES_OF_A_FILE} == {}


def test_functions_are_short() -> None:
    """No Python function has more than 50 lines beside its docstring."""
    sizes = {
        f"{named(path)}:{function.name}": length(function)
        for path in PYTHON_FILES
        for function in functions(path)
    }
    assert {name: size for name, size in sizes.items() if size > MOST_LINES_OF_A_FUNCTION} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_says_what_it_is_for(folder: str) -> None:
    """Each Python file that has code starts with a docstring."""
    silent = [
        named(path)
        for path in PYTHON_FILES
        if path.is_relative_to(ROOT / folder)
        and (text := path.read_text(encoding="utf-8"))
        and ast.get_docstring(ast.parse(text)) is None
    ]
    assert silent == []


def test_every_test_says_what_it_proves() -> None:
    """Each test function has a docstring whose first paragraph is a sentence."""
    silent = [
        f"{named(path)}:{function.name}"
        for path in PYTHON_FILES
        if path.is_relative_to(ROOT / "tests")
        for function in functions(path)
        if function.name.startswith("test_")
        and not (ast.get_docstring(function) or "").split("\n\n")[0].strip().endswith(".")
    ]
    assert silent == []


def test_no_file_is_called_by_what_it_is_not() -> None:
    """No file or folder is called utils, common or helpers."""
    vague = {"utils", "util", "common", "helpers", "helper", "misc"}
    assert [named(path) for path in PYTHON_FILES + NATIVE_FILES if vague & {*path.parts, path.stem}] == []
