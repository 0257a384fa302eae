"""The exported Python program: how rows are read, and how large it may be."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.table.column import category_column

from .model_samples import deep_tree, sample_models


def program_of(model: Any) -> dict[str, Any]:
    """The exported program, executed without any builtin module at hand."""
    program: dict[str, Any] = {}
    exec(ho.export(model, "python"), program)
    return program


def test_the_program_is_deterministic() -> None:
    """Another process, with another order of sets, writes the same program."""
    code = (
        "import heldout as ho; from heldout.table.column import category_column;"
        "t = ho.Table([category_column('w', list('abcdefgh'))]);"
        "print(ho.export(ho.TreeClassifier.cart(prune=None).fit(t, [0, 1] * 4), 'python'))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert "predict" in runs[0]


def test_missing_values_have_three_spellings() -> None:
    """None, NaN and an absent key are the same."""
    program = program_of(ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0], [3.0]], [0, 1, 1]))
    answers = [program["predict_proba"](row) for row in ({}, {"x0": None}, {"x0": float("nan")})]
    assert answers[0] == answers[1] == answers[2]


def test_dates_have_several_spellings() -> None:
    """A datetime, with a zone too, a date, ISO text and days since 1970 are the same moment."""
    table = ho.Table([ho.Column("at", "date", np.array([18_320.0, 18_321.0]))])
    tree = ho.TreeRegressor(min_leaf=1, prune=None).fit(table, [0.0, 1.0])
    tree.tree_.grown.threshold[0] = 18_320.5
    predict = program_of(tree)["predict"]
    west = datetime.timezone(datetime.timedelta(hours=-5))
    for late in (
        datetime.datetime(2020, 2, 28, 12, 0, 0, 1),
        datetime.datetime(2020, 2, 28, 7, 0, 0, 1, tzinfo=west),
        datetime.date(2020, 2, 29),
        "2020-02-28 12:00:00.000001",
        "2020-02-28T12:01",
        "2020-02-29",
        18_321,
    ):
        assert predict({"at": late}) == 1.0
    for early in (
        datetime.datetime(2020, 2, 28, 12),
        datetime.datetime(2020, 2, 28, 7, tzinfo=west),
        datetime.date(2020, 2, 28),
        "2020-02-28T12:00:00",
        "1066-10-14",
        18_320.5,
    ):
        assert predict({"at": early}) == 0.0
    for wrong in ("2020-02-30", "2020-13-01", "yesterday", "", "2021-02-29"):
        with pytest.raises(ValueError, match="needs a date"):
            predict({"at": wrong})


def test_dates_of_text_are_those_of_datetime() -> None:
    """The program's own calendar agrees with the standard library's over two thousand years."""
    days_of_text = program_of(ho.TreeClassifier().fit([[1.0], [2.0]], [0, 0]))["_days_of_text"]
    for ordinal in range(1, datetime.date(2300, 1, 1).toordinal(), 37):
        text = datetime.date.fromordinal(ordinal).isoformat()
        assert days_of_text("at", text) == ordinal - 719_163


def test_words_may_be_numbers() -> None:
    """A category of words that look like numbers takes the numbers too."""
    table = ho.Table([category_column("zip", ["7", "8", "7", "8"])])
    predict = program_of(ho.TreeClassifier.cart(prune=None).fit(table, [0, 1, 0, 1]))["predict"]
    assert [predict({"zip": value}) for value in ("7", 7, 7.0, np.int64(8), "8")] == [0, 0, 0, 1, 1]


def test_values_that_make_no_sense_are_errors() -> None:
    """Text where a number is needed, and infinity, which predict refuses as well."""
    predict = program_of(ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], [0, 1]))["predict"]
    assert predict({"x0": "1"}) == 0
    for wrong in ("tall", "", float("inf"), [1]):
        with pytest.raises(ValueError, match="column 'x0'"):
            predict({"x0": wrong})


@pytest.mark.slow
def test_a_deep_tree_runs() -> None:
    """A table of nodes has no nesting: twenty thousand levels are walked in a loop."""
    predict = program_of(deep_tree(20_000))["predict"]
    assert [predict({"x0": value}) for value in (0.0, 19_000.0, 1e9)] == [1.0, 38_001.0, 40_000.0]


def test_every_sample_compiles_without_imports() -> None:
    """No program names a module."""
    for model in sample_models().values():
        source = str(ho.export(model, "python"))
        assert not any(line.lstrip().startswith(("import ", "from ")) for line in source.splitlines())
