"""The stub of the compiled module says what the compiled module is."""

from __future__ import annotations

import ast
from pathlib import Path

from nanobind.stubgen import StubGen

from heldout import _native

STUB = Path(__file__).parents[2] / "src" / "heldout" / "_native.pyi"


class BareGenerics(ast.NodeTransformer):
    """Forget what a list, a dict or an array holds where nanobind cannot know it and the stub may say it."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = ast.unparse(node.value)
        is_open = name in {"list", "dict"} or (name == "NDArray" and ast.unparse(node.slice) == "Any")
        return node.value if is_open else self.generic_visit(node)


def signatures(source: str) -> dict[str, str]:
    """Every class, function, method and attribute of a stub, with its parameters and their types."""
    body = BareGenerics().visit(ast.parse(source)).body
    found = _members(body)
    for node in body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}": text for name, text in _members(node.body).items()}
    return found


def _members(body: list[ast.stmt]) -> dict[str, str]:
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = "class"
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = ast.unparse(node.annotation)
    return found


def test_the_stub_equals_the_compiled_module() -> None:
    """Names and parameters with their types in _native.pyi are those that nanobind reads from the module."""
    generator = StubGen(_native)
    generator.put(_native)
    assert signatures(STUB.read_text(encoding="utf-8")) == signatures(generator.get())
