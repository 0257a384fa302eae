"""Exports of forests, run and held against `predict`."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import heldout as ho

from .learner_samples import samples
from .run_exports import ends_of_json
from .test_linear_exports import program_of

EVERY = ["calibrated", "forest", "votes", "weighed", "mean forest", "few"]


def rows_with_gaps(X: Any) -> list[dict[str, Any]]:
    """Rows as dicts; what is missing is None."""
    if isinstance(X, np.ndarray):
        return [{f"x{place}": value for place, value in enumerate(row)} for row in X.tolist()]
    columns = {}
    for column in X.columns:
        if column.levels:
            columns[column.name] = [None if code < 0 else column.levels[code] for code in column.values]
        else:
            columns[column.name] = [None if value != value else value for value in column.values.tolist()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def quietly(method: Any, X: Any) -> np.ndarray:
    """Without the warning that gaps are filled by column."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(method(X))


@pytest.mark.parametrize("name", EVERY)
def test_a_forest_has_the_same_answers_in_python(name: str) -> None:
    """The same bits, for gaps and levels that were never seen too."""
    model, X = samples("forests")[name]
    program, rows = program_of(model), rows_with_gaps(X)
    assert [program["predict"](row) for row in rows] == quietly(model.predict, X).tolist()
    if hasattr(model, "classes_"):
        shares = [list(program["predict_proba"](row).values()) for row in rows]
        assert shares == quietly(model.predict_proba, X).tolist()


@pytest.mark.parametrize("name", EVERY)
def test_a_forest_has_the_same_answers_in_json(name: str) -> None:
    """A reader that knows nothing of Heldout adds up the trees and gets the same."""
    model, X = samples("forests")[name]
    read = json.loads(ho.export(model, "json"))
    assert (read["format"], read["version"], len(read["trees"])) == (
        "heldout forest",
        1,
        model.forest_.n_trees,
    )
    told = quietly(model.predict_proba, X).tolist() if read["classes"] is not None else [None] * len(X)
    answers = zip(quietly(model.predict, X).tolist(), told, strict=True)
    for row, (answer, probabilities) in zip(rows_with_gaps(X), answers, strict=True):
        ends = []
        for nodes in read["trees"]:
            ((end, _),) = ends_of_json({"columns": read["columns"], "nodes": nodes}, row)
            ends.append(end)
        if read["classes"] is None:
            assert sum(end["mean"] for end in ends) / len(ends) == answer
            continue
        if read["combine"] == "vote":
            parts = [np.eye(len(read["classes"]))[end["class"]] for end in ends]
        else:
            parts = [np.array(end["probabilities"]) for end in ends]
        shares = sum(parts) / len(ends)
        imaginary = read["smoothing"] * np.array(read["class_shares"])
        smoothed = (shares * len(ends) + imaginary) / (len(ends) + read["smoothing"])
        products = smoothed * (read["class_factors"] or 1.0)
        told = products / np.cumsum(products)[-1] if read["class_factors"] else products
        assert told.tolist() == probabilities
        if read["class_weights"] is not None:
            shares = smoothed * read["class_weights"]
        first = int(np.flatnonzero(shares + read["tie"] >= shares.max())[0])
        assert read["classes"][first] == answer


def test_other_formats_are_refused() -> None:
    """SQL and ONNX would add in another order; the error names what can be had."""
    for format in ("sql", "onnx"):
        with pytest.raises(ho.RequestError, match="tree by tree") as caught:
            ho.export(samples("forests")["forest"][0], format)
        assert "7 trees" in caught.value.where
        assert '"python" or "json"' in caught.value.fix
