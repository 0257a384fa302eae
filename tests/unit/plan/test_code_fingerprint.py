"""Code without a version is known by what it says or does: old results are not taken for new."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

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


def test_compiled_functions_cannot_be_seen() -> None:
    """What is compiled and has no version has no fingerprint."""
    assert code_fingerprint(len) is None


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
