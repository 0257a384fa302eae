"""One table by every door that needs another library, and a study of numbers: for the oldest versions too."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import heldout as ho

COLUMNS = {
    "city": ["Oslo", "Rome", None, "Oslo", "Rome", "Ulm"] * 10,
    "weight": [70.5, 81.25, 64.0, None, 90.0, 77.5] * 10,
    "smokes": [True, False, True, True, None, False] * 10,
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(place: Path) -> dict[str, object]:
    """The table as files and frames, by door."""
    frame = pa.table(COLUMNS)
    pyarrow.parquet.write_table(frame, place / "table.parquet", row_group_size=7)
    pyarrow.feather.write_feather(frame, place / "table.feather", chunksize=7)
    rows = [
        ["" if cell is None else str(cell) for cell in row] for row in zip(*COLUMNS.values(), strict=True)
    ]
    (place / "table.csv").write_text(
        "\n".join(map(",".join, [list(COLUMNS), *rows])) + "\n", encoding="utf-8"
    )
    (place / "table.arff").write_text(
        "@relation t\n@attribute city {Oslo, Rome, Ulm}\n@attribute weight real\n"
        "@attribute smokes {True, False}\n@data\n"
        + "\n".join(",".join(cell or "?" for cell in row) for row in rows)
        + "\n"
    )
    with sqlite3.connect(place / "table.sqlite") as connection:
        connection.execute("CREATE TABLE t (city TEXT, weight REAL, smokes BOOLEAN)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", list(zip(*COLUMNS.values(), strict=True)))
    connection.close()
    files = {name: place / f"table.{name}" for name in ("parquet", "feather", "csv", "arff", "sqlite")}
    return {**files, "frame": frame, "dictionary": COLUMNS}


def test_every_door_leads_to_the_same_table(place: Path) -> None:
    """Files and frames give the same kinds and the same values."""
    for door, source in written(place).items():
        table = ho.read_table(source)
        assert table["city"].labels() == COLUMNS["city"], door
        assert table["smokes"].labels() == [
            None if value is None else str(value).lower() for value in COLUMNS["smokes"]
        ], door
        np.testing.assert_array_equal(
            table["weight"].values, [np.nan if value is None else value for value in COLUMNS["weight"]], door
        )


def test_numbers_are_predicted_from_a_file_to_a_model(place: Path) -> None:
    """Linear and other models of a number compete, and the shipped one answers for new rows."""
    random = np.random.default_rng(5)
    x, z = random.normal(size=120), random.choice(["a", "b", "?"], 120)
    frame = pa.table({"x": x, "z": z, "y": 3 * x + (z == "a") + random.normal(0, 0.1, 120)})
    study = ho.Study.create("numbers.heldout", ho.read_table(frame), target="y", seed=3)
    linear = ho.Contender("linear", ho.LinearRegressor())
    result = study.run(ho.Plan([*ho.default_contenders(study.task), linear], folds=ho.KFold(3)))
    assert result.verdict.beats_baseline
    study.ship(result.verdict.winner, "numbers.model")
    pyarrow.feather.write_feather(frame.drop_columns(["y"]), place / "new.feather", chunksize=7)
    from heldout.cli.main import main

    with pytest.raises(SystemExit) as ended:
        main(["predict", "numbers.model", "new.feather", "-o", "new.csv", "-q"])
    assert ended.value.code == 0
    predicted = ho.read_table("new.csv")["prediction"].values.astype(np.float64)
    assert np.corrcoef(predicted, frame["y"].to_numpy())[0, 1] > 0.95
