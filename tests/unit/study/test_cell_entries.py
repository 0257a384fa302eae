"""What the ledger keeps of a cell can be read back, and holds no clock in its results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.ledger.chain import json_number, number_of_json
from heldout.ledger.ledger import Ledger
from heldout.study.cells.cell import run_cell
from heldout.study.cells.cell_entries import cell_entries, shown_setting

from .made_work import key_of, made_work

PENGUINS = ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 3)), target="species")


def _result() -> Any:
    work = made_work(PENGUINS, ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5]}))
    return run_cell(work, key_of(work, "near", work.folds[0]))


def test_a_cell_is_read_back_from_a_ledger(tmp_path: Path) -> None:
    """Results, scores, looks and arrays of a cell come out of the study file as they went in."""
    result = _result()
    with Ledger.create(tmp_path / "some.heldout") as ledger:
        ledger.append(cell_entries(result))
        fact = ledger.fact("cell", result.key.text)
        assert fact is not None
        body = fact.body["result"]
        assert body["chosen"] == result.chosen
        assert body["name"] == "near"
        assert [number_of_json(score) for score in body["choice_scores"]] == result.choice_scores.tolist()
        assert {name: number_of_json(value) for name, value in body["scores"].items()} == result.scores
        assert body["bits"] == result.bits
        arrays = ledger.arrays(fact)
        assert arrays["rows"].tolist() == result.rows.tolist()
        assert arrays["probabilities"].tobytes() == result.predictions["probabilities"].tobytes()
        assert len(ledger.facts("score")) == len(result.scores)
        assert [look.body["what"] for look in ledger.facts("look")] == ["tune", "fit", "score"]


def test_two_runs_of_a_cell_differ_in_the_clock_alone() -> None:
    """Everything outside of "clock" is the same text."""
    first, second = (cell_entries(_result()) for _ in range(2))
    for one, two in zip(first, second, strict=True):
        assert (one.kind, one.key) == (two.kind, two.key)
        assert json.dumps(_without_clock(one.body)) == json.dumps(_without_clock(two.body))
    assert set(first[0].body["clock"]["seconds"]) == {"tune", "fit", "predict"}


def _without_clock(body: Any) -> Any:
    return {name: value for name, value in body.items() if name != "clock"}


@pytest.mark.parametrize("number", [0.5, -3.0, float("inf"), float("-inf"), float("nan")])
def test_every_number_survives_json(number: float) -> None:
    """Infinite scores, such as the log loss of who was sure and wrong, are not lost."""
    back = number_of_json(json.loads(json.dumps(json_number(number), allow_nan=False)))
    assert np.float64(back).tobytes() == np.float64(number).tobytes()


def test_settings_of_any_kind_can_be_written() -> None:
    """Numbers of NumPy, infinities, tuples, estimators and arrays become plain JSON."""
    setting = {
        "k": np.int64(3),
        "bound": float("inf"),
        "layers": (3, np.float64(0.5)),
        "step": ho.Scale(),
        "grid": np.array([1, 2]),
        "weights": {"a": 1.0, 2: None},
    }
    shown = shown_setting(setting)
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown == {
        "k": 3,
        "bound": "inf",
        "layers": [3, 0.5],
        "step": "Scale()",
        "grid": [1, 2],
        "weights": {"a": 1.0, "2": None},
    }
