"""A shipped model knows how its training table was read, and new rows are read so."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

import heldout as ho
from heldout.cli.main import program
from heldout.models import read_provenance
from heldout.study.ship import found_reading
from heldout.study.study import Study


@pytest.mark.parametrize(
    ("columns", "options", "found"),
    [
        ({"x": ["1,5", "2,25"]}, {}, {"decimal": ","}),
        ({"x": ["1.5", "2.25"]}, {}, {}),
        ({"x": ["31/01/2024", "02/03/2024"]}, {}, {"day_first": True}),
        ({"x": ["01/31/2024", "02/03/2024"]}, {}, {"day_first": False}),
        ({"x": ["31/01/2024", "02/03/2024"], "y": ["01/31/2024", "02/03/2024"]}, {}, {}),
        ({"x": ["2024-01-31", "2024-03-02"]}, {"missing": ["-"]}, {"missing": ["-"]}),
        ({"x": ["1,5", "2,25"]}, {"decimal": ".", "drop": ["y"]}, {"decimal": "."}),
    ],
)
def test_what_was_found_or_said_is_kept(columns: dict, options: dict, found: dict) -> None:
    """The decimal mark and the order of dates that the reader found, and what the user said before them."""
    assert found_reading(ho.read_table(columns), options) == found


def test_a_few_new_rows_are_read_as_many_were(tmp_path: Path) -> None:
    """Where training had decimal commas, 1.234 in a single new row is over a thousand."""
    rows = [
        f"{'1.2' if place % 2 else '9.8'}{place:02},5;{'low' if place % 2 else 'high'}" for place in range(60)
    ]
    (tmp_path / "many.csv").write_text("amount;level\n" + "\n".join(rows) + "\n")
    with Study.create(tmp_path / "a.heldout", tmp_path / "many.csv", "level", held=0.2) as study:
        plan = ho.Plan((ho.Contender("tree", ho.TreeClassifier()),), folds=ho.KFold(2), tuning=ho.KFold(2))
        study.run(plan, n_jobs=1, progress=False)
        study.ship("tree", tmp_path / "level.model")
    assert read_provenance(tmp_path / "level.model")["reading"] == {"decimal": ","}
    (tmp_path / "new.csv").write_text("amount\n1.234\n9.812\n")
    out = tmp_path / "out.csv"
    arguments = ["predict", tmp_path / "level.model", tmp_path / "new.csv", "-o", out]
    assert CliRunner().invoke(program, [str(each) for each in arguments]).exit_code == 0
    with out.open(newline="") as file:
        answers = [row["prediction"] for row in csv.DictReader(file)]
    assert answers == ["low", "high"]
