"""How the package is cut into files, in figures: `python -m tests.project.code_figures`.

The table in docs/architecture.md is what this prints.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "heldout"


def modules() -> dict[str, Path]:
    """Every module of the package by its name; a folder's `__init__` has the folder's name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def importers(paths: dict[str, Path]) -> dict[str, set[str]]:
    """By module, the other modules that import it."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
                for module in (wanted & paths.keys()) - {name}:
                    found[module].add(name)
    return found


def code_lines(path: Path) -> int:
    """Lines that are neither blank nor a comment, nor part of a docstring or of an import."""
    text = path.read_text(encoding="utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            is_docstring and isinstance(node.value.value, str)
        ):
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), start=1)
    return sum(
        number not in left_out and bool(line.strip()) and not line.strip().startswith("#")
        for number, line in lines
    )


def any_parameters(paths: dict[str, Path]) -> tuple[int, int]:
    """How many parameters have the type Any alone, and how many there are, `self` and `cls` left out."""
    n_any = n_all = 0
    for path in paths.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                typed = [each.annotation for each in given if each.annotation is not None]
                n_all += len(typed)
                n_any += sum(ast.unparse(annotation) == "Any" for annotation in typed)
    return n_any, n_all


def figures() -> list[tuple[str, str]]:
    """Each figure with its value, as the table has them."""
    paths = modules()
    lengths = sorted(len(path.read_text(encoding="utf-8").splitlines()) for path in paths.values())
    used_by = importers(paths)
    n_any, n_all = any_parameters(paths)
    native = [path for folder in ("core", "bind") for path in (ROOT / "native" / folder).rglob("*.[ch]pp")]
    return [
        ("Python files in src/", f"{len(paths):,}"),
        ("lines of a file, p50 / p90", f"{lengths[len(lengths) // 2]} / {lengths[len(lengths) * 9 // 10]}"),
        ("files under 40 lines, `__init__` too", f"{sum(length < 40 for length in lengths):,}"),
        ("modules used by exactly one other", f"{sum(len(used_by[name]) == 1 for name in paths):,}"),
        ("parameters typed `Any`", f"{n_any:,} of {n_all:,}"),
        ("lines of code", f"{sum(map(code_lines, paths.values())):,}"),
        ("C++ files in core and bind", f"{len(native):,}"),
    ]


if __name__ == "__main__":
    print("| | |\n|---|---|")
    for name, value in figures():
        print(f"| {name} | {value} |")
