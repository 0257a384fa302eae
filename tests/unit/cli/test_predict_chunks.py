"""Answers do not depend on how a file is cut into chunks: they are those of the whole table."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.cli.predicting.predict_file import PredictRequest, predict_file
from heldout.cli.predicting.predictions import label_text

from .predict_cases import cases, invoked, read_back, whole_answers

# Their sums are left to libraries, which add in an order that hangs on the number of rows (model-files.md).
SUMS = ("ridge", "least squares")


def check_same_question(model: Any, path: Path, out: Path, name: str) -> None:
    """The file of answers says what the model says of the whole table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predictions, chances = whole_answers(model, path)
    header, rows = read_back(out)
    first = header.index("prediction")
    if isinstance(predictions[0], float):
        found = np.array([float(row[first]) for row in rows])
        within = 1e-13 if name in SUMS else 0.0
        assert np.abs(found - predictions).max() <= within
    else:
        said = [label_text(label) for label in predictions]
        assert [row[first].removeprefix("'") for row in rows] == said
    if chances is not None:
        assert np.array_equal(np.array([row[first + 1 :] for row in rows], dtype=float), chances)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(cases()))
def test_every_learner_answers_as_for_the_whole_table(tmp_path: Path, name: str) -> None:
    """The command and `ho.load(model).predict` on the whole table give the same, for every learner."""
    case, path = cases()[name], tmp_path / "new.csv"
    path.write_text(case.text, encoding="utf-8", newline="")
    ho.save(case.model, tmp_path / "a.model")
    result = invoked("predict", tmp_path / "a.model", path, "-o", tmp_path / "out.csv")
    assert result.exit_code == 0, result.output
    check_same_question(ho.load(tmp_path / "a.model"), path, tmp_path / "out.csv", name)


@pytest.mark.slow
@given(name=st.sampled_from(sorted(cases())), n_bytes=st.integers(1, 4000))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_chunks_of_any_size_give_the_same_answers(tmp_path: Path, name: str, n_bytes: int) -> None:
    """However a file is cut, each row has the answer that it has in the whole table."""
    case, path, out = cases()[name], tmp_path / "new.csv", tmp_path / "out.csv"
    path.write_text(case.text, encoding="utf-8", newline="")
    request = PredictRequest(str(out), size=ChunkSize(n_bytes, n_rows=1 + n_bytes % 7))
    found = predict_file(case.model, ByteSource(path, path.name), request)
    assert found.n_rows == case.text.count("\n") - 1
    check_same_question(case.model, path, out, name)


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_typed_files_give_the_same_answers(tmp_path: Path, form: str) -> None:
    """Rows from Parquet and Feather, a few at a time, are answered as those of the CSV file."""
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    case, path = cases()["tree alone"], tmp_path / "new.csv"
    path.write_text(case.text, encoding="utf-8", newline="")
    table = pyarrow.csv.read_csv(path)
    typed = tmp_path / f"new.{form}"
    if form == "parquet":
        pyarrow.parquet.write_table(table, typed, row_group_size=10)
    else:
        pyarrow.feather.write_feather(table, typed, chunksize=10)
    request = PredictRequest(str(tmp_path / "out.csv"), size=ChunkSize(n_rows=3))
    assert predict_file(case.model, ByteSource(typed, typed.name), request).n_rows == 41
    check_same_question(case.model, path, tmp_path / "out.csv", "tree alone")
