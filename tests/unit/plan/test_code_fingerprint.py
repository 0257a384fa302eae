"""Code without a version is known by what it says or does: old results are not taken for new."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from heldout.plan.code_fingerprint import code_fingerprint

CLASS = """
from sklearn.base import BaseEstimator, ClassifierMixin
class Base(ClassifierMixin, BaseEstimator):
    def fit(self, X, y): return self
    def predict(self, X): return [{answer}] if X in {{"a", "b", "c"}} else [0]
class Own(Base):
    def __init__(self, c=1): self.c = c
"""


def made(answer: int, as_file: str = "<input>") -> Any:
    """A class as a notebook makes it: from text, in no file."""
    space: dict[str, Any] = {"__name__": "no_such_module"}
    exec(compile(CLASS.format(answer=answer), as_file, "exec"), space)
    return space["Own"]


def test_code_in_no_file_is_known_by_what_it_does() -> None:
    """The same text gives the same fingerprint from any cell; another base class gives another."""
    first = code_fingerprint(made(1))
    assert first is not None
    assert first == code_fingerprint(made(1, "<another cell>"))
    assert first != code_fingerprint(made(2))


def test_functions_in_no_file() -> None:
    """A function of a notebook is known by what it does."""
    functions: list[Any] = []
    for text in ("def f(x): return x + 1", "def f(x): return x + 2"):
        space: dict[str, Any] = {}
        exec(text, space)
        functions.append(space["f"])
    first, second = map(code_fingerprint, functions)
    assert first is not None
    assert first != second


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    depth = 3", "    depth = 4"),
        ("    steps = {'a': [1, 2]}", "    steps = {'a': [1, 3]}"),
        ("    def near(self, p=1): return p", "    def near(self, p=2): return p"),
        ("    def near(self, *, p=1): return p", "    def near(self, *, p=2): return p"),
        ("    @property\n    def size(self): return 1", "    @property\n    def size(self): return 2"),
        ("    @classmethod\n    def of(cls): return 1", "    @classmethod\n    def of(cls): return 2"),
    ],
)
def test_everything_in_a_class_counts(before: str, after: str) -> None:
    """A class in no file is another one when a constant, a default or a property is changed."""
    found = []
    for text in (before, before, after):
        space: dict[str, Any] = {"__name__": "no_such_module"}
        exec(f"class Own:\n    def fit(self): return self\n    seen = {{'b', 'a'}}, object()\n{text}", space)
        found.append(code_fingerprint(space["Own"]))
    assert found[0] is not None
    assert found[0] == found[1] != found[2]


def test_compiled_functions_cannot_be_seen() -> None:
    """What is compiled and has no version has no fingerprint."""
    assert code_fingerprint(len) is None


@pytest.mark.slow
def test_a_class_of_a_script() -> None:
    """A plan with a class of a script, in no file, is read by it again, under any hash seed."""
    script = CLASS.format(answer=1) + (
        "import heldout as ho\n"
        "plan = ho.Plan(ho.Contender('own', Own()))\n"
        "again = ho.Plan.from_json(plan.to_json(), allow=['__main__'])\n"
        "print(again.digest, again.digest == plan.digest, again.notes)\n"
    )
    printed = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        printed.append(ran.stdout.split(maxsplit=1))
    assert printed[0] == printed[1]
    assert printed[0][1].strip() == "True ()"
