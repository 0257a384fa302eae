"""What `heldout predict` does with columns and values that training did not have, and what it refuses."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import heldout as ho
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.cli.predicting.predict_file import PredictRequest, predict_file

from .predict_cases import cases, csv_text, invoked, read_back

COLUMNS = {
    "city": ["Bonn", "Köln", "Bonn", "Ulm"] * 5,
    "age": [20.0, 30.0, 40.0, 50.0] * 5,
    "paid": ["no", "yes", "no", "yes"] * 5,
}
LEFT = ["no", "no", "yes", "yes"] * 5


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A tree of a category, a number and a boolean, with what its training table said of missing values."""
    tree = ho.TreeClassifier(min_leaf=1, prune=None).fit(ho.read_table(COLUMNS), LEFT)
    ho.save(tree, tmp_path / "left.model", provenance={"reading": {"missing": ["none", ""]}})
    return tmp_path / "left.model"


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    """A forest of the same rows, which reads all three columns; the tree reads the number alone."""
    forest = ho.ForestClassifier(50, random_state=0).fit(ho.read_table(COLUMNS), LEFT)
    ho.save(forest, tmp_path / "reader.model")
    return tmp_path / "reader.model"


def refused(model: Path, content: str | bytes, *options: str) -> str:
    """What is said where nothing is written."""
    path, out = model.parent / "in.csv", model.parent / "out.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    result = invoked("predict", model, path, "-o", out, *options)
    assert not out.exists()
    assert not [name for name in os.listdir(model.parent) if name.startswith(".")]
    assert result.exit_code == 3, result.output
    return result.stderr


def predictions(model: Path, content: str, *options: str) -> tuple[list[str], str]:
    """The predictions, and what was said on stderr."""
    path, out = model.parent / "in.csv", model.parent / "out.csv"
    path.write_text(content, encoding="utf-8")
    result = invoked("predict", model, path, "-o", out, *options)
    assert result.exit_code == 0, result.output
    header, rows = read_back(out)
    return [row[header.index("prediction")] for row in rows], result.stderr


def test_columns_are_found_by_name(model: Path) -> None:
    """Reordered and further columns change no answer."""
    found, _ = predictions(model, "x,age,paid,city\n1,45,yes,Ulm\n2,20,no,Bonn\n")
    assert found == ["yes", "no"]


def test_a_missing_column_is_refused_with_the_near_name(model: Path) -> None:
    """A column that is not there is an error that names it and what may be meant."""
    said = refused(model, "city,agee,paid\nBonn,45,no\n")
    assert "the file lacks 1 column of the model: 'age'" in said
    assert "did you mean 'agee'?" in said
    assert "--absent" in said


def test_an_absent_column_is_unknown_in_every_row(model: Path) -> None:
    """With --absent the answers are those for missing values."""
    found, _ = predictions(model, "city,paid\nBonn,no\n", "--absent", "age")
    row = {"city": ["Bonn"], "age": [float("nan")], "paid": ["no"]}
    unknown = ho.read_table(row, kinds={"paid": "boolean"})
    assert found == ho.load(model).predict(unknown).tolist()


def test_an_absent_column_must_be_one_of_the_model(model: Path) -> None:
    """A slip in --absent is refused with the near name."""
    said = refused(model, "city,paid\nBonn,no\n", "--absent", "agee")
    assert "the model has no column 'agee'" in said
    assert "did you mean 'age'?" in said


def test_an_absent_column_must_be_absent(model: Path) -> None:
    """Values that are there are not passed over in silence."""
    said = refused(model, "city,age,paid\nBonn,45,no\n", "--absent", "age")
    assert "the file has the column 'age', which --absent says it lacks" in said


def test_a_name_twice_is_refused_only_where_the_model_asks_for_it(model: Path) -> None:
    """Two columns of one name are no matter unless the model asks for that name."""
    found, _ = predictions(model, "x,x,city,age,paid\n1,2,Bonn,45,no\n")
    assert found == ["yes"]
    said = refused_after(model, "age,age,city,paid\n45,46,Bonn,no\n")
    assert "2 columns of the file are named 'age', which the model reads" in said


def refused_after(model: Path, content: str) -> str:
    (model.parent / "out.csv").unlink()
    return refused(model, content)


def test_unseen_levels_are_unknown_and_said(reader: Path) -> None:
    """A level that no training row had is answered as a missing value, and named with its first row."""
    found, said = predictions(reader, "city,age,paid\nRom,45,no\nBonn,20,no\nRom,20,no\n")
    assert found == ["yes", "no", "no"]
    assert "column 'city': 2 values that no training row had, unknown to the model: 'Rom' (2 rows," in said
    assert "first row 1 (line 2)" in said
    quiet = invoked("predict", reader, reader.parent / "in.csv", "-o", reader.parent / "out.csv", "--quiet")
    assert quiet.stderr == ""


def test_markers_of_training_stand_for_missing(model: Path) -> None:
    """What the training table said of missing values holds for new rows, and --missing overrides it."""
    path, out = model.parent / "in.csv", model.parent / "out.csv"
    path.write_text("city,age,paid\nBonn,none,no\n")
    assert invoked("predict", model, path, "-o", out).exit_code == 0
    result = invoked("predict", model, path, "-o", out, "--missing", "?")
    assert result.exit_code == 3
    assert "column 'age' holds text where numbers are needed" in result.stderr


@pytest.mark.parametrize(
    "reading", [3, {"decimal": "x"}, {"missing": "none"}, {"header": True}, {"day_first": 1}]
)
def test_a_file_that_says_nonsense_of_its_reading_is_refused(tmp_path: Path, reading: Any) -> None:
    """What a model file claims of its training table is checked before it is followed."""
    tree = ho.TreeClassifier(min_leaf=1).fit(ho.read_table({"age": [20.0, 50.0]}), ["y", "o"])
    ho.save(tree, tmp_path / "odd.model", provenance={"reading": reading})
    assert "in a way that cannot be followed" in refused(tmp_path / "odd.model", "age\n25\n")


def test_text_where_a_number_is_needed_is_refused_with_its_line(model: Path) -> None:
    """A column of another kind than in training is an error that names the first value and its line."""
    said = refused(model, "city,age,paid\nBonn,20,no\nBonn,old,no\n")
    assert "column 'age' holds text where numbers are needed" in said
    assert "where: first 'old' in row 2 (line 3)" in said
    assert "the model has a number there: clean those rows, or name what is missing with --missing" in said
    assert "--kind" not in said


def test_booleans_are_matched_by_meaning(reader: Path) -> None:
    """A boolean may be spelled otherwise than in training; words that mean neither are refused."""
    assert predictions(reader, "city,age,paid\nBonn,45,TRUE\nBonn,45,FALSE\n")[0] == ["yes", "yes"]
    said = refused_after(reader, "city,age,paid\nBonn,45,perhaps\n")
    assert "boolean column 'paid' has other levels than at fit" in said


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_boolean_word_beside_a_known_one_is_unknown_and_said(tmp_path: Path, form: str) -> None:
    """Of 0 and 2 only 0 says which it is: 2 is unknown and named, however the file is cut."""
    columns = {"paid": [0, 2, 0, 2], "row": [1, 2, 3, 4]}
    path, out = tmp_path / f"in.{form}", tmp_path / "out.csv"
    if form == "csv":
        path.write_text(csv_text(columns))
    else:
        pyarrow.parquet.write_table(pa.table(columns), path)
    tree = ho.TreeClassifier(min_leaf=1, smoothing=0).fit(
        ho.read_table({"paid": ["no", "yes"] * 5}), ["a", "b"] * 5
    )
    found = predict_file(tree, ByteSource(path, "in"), PredictRequest(str(out), size=ChunkSize(1, n_rows=1)))
    assert [row[3] for row in read_back(out)[1]] == ["1", "0.5", "1", "0.5"]
    assert found.unseen.sentences()[0].startswith(
        "column 'paid': 2 values that no training row had, unknown to the model: '2' (2 rows, first row 2"
    )


def test_learners_that_take_no_gaps_say_so_with_the_row(tmp_path: Path) -> None:
    """An error of the learner in a later chunk says which rows of the file are meant."""
    line = ho.LinearRegressor().fit(ho.read_table({"x": [1.0, 2.0, 4.0]}), [1.0, 2.0, 3.0])
    path = tmp_path / "in.csv"
    path.write_text("x,y\n1,a\n2,b\n3,c\n,d\n")
    request = PredictRequest(str(tmp_path / "out.csv"), size=ChunkSize(5))
    with pytest.raises(ho.DataError, match="Input X contains NaN") as error:
        predict_file(line, ByteSource(path, "in.csv"), request)
    assert "in rows 3 to 4 of the file" in error.value.where
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "the file is empty"),
        ("city,age,paid\nBonn,20\n", "a row has too few fields"),
        ('city,age,paid\nBonn,20,"no\n', "a quote is opened and not closed"),
        ('city,age,paid\n"Bonn"x,20,no\n', "text follows a closing quote"),
        (b"city,age,paid\nK\xf6ln,20,no\n", "the file is not UTF-8"),
        ("<!doctype html><html></html>", "a page of HTML"),
        (b"\x1f\x8b\x08broken", "the gzip file is damaged"),
    ],
)
def test_damaged_files_are_refused(model: Path, content: Any, said: str) -> None:
    """What is wrong with a file is said in three parts, and nothing is written."""
    words = refused(model, content)
    assert said in words
    assert "fix:" in words


def test_advice_names_no_option_that_is_not_there(model: Path) -> None:
    """A line above the header is advised of with an option; a database of many tables has none here."""
    said = refused(model, "report of May\ncity,age,paid\nBonn,20,no\n")
    assert "say --skip-lines 1" in said
    with closing(sqlite3.connect(model.parent / "many.db")) as database:
        database.executescript("CREATE TABLE a (x); CREATE TABLE b (x);")
    result = invoked("predict", model, model.parent / "many.db", "-o", model.parent / "o.csv")
    assert result.exit_code == 3
    assert "the database has 2 tables" in result.stderr
    assert "save the rows as a CSV file with a line of names above them" in result.stderr
    assert "--table" not in result.stderr + said


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("report of May\ncity,age,paid\nRom,45,no\nBonn,20,no\n", ("--skip-lines", "1")),
        ("city,age,paid\n# a remark, of two\nRom,45,no\nBonn,20,no\n", ("--comment", "#")),
        ("Rom,45,no\nBonn,20,no\n", ("--no-header", "--names", "city,age,paid")),
    ],
    ids=["title", "remark", "no names"],
)
def test_lines_that_are_no_rows_are_read_as_in_a_run(
    model: Path, text: str, options: tuple[str, ...]
) -> None:
    """Titles, remarks and files without names get the predictions of the same rows in a plain file."""
    plain, _ = predictions(model, "city,age,paid\nRom,45,no\nBonn,20,no\n")
    path, out = model.parent / "odd.csv", model.parent / "odd.predicted.csv"
    path.write_text(text)
    result = invoked("predict", model, path, "-o", out, *options)
    assert result.exit_code == 0, result.output
    header, rows = read_back(out)
    assert [row[header.index("prediction")] for row in rows] == plain


def test_columns_that_no_prediction_depends_on_may_lack(tmp_path: Path) -> None:
    """A tree that asks for one column answers a file that has that column alone, and names what it reads."""
    table = ho.read_table({"age": [20.0, 30.0, 40.0, 50.0], "hue": [1.0, 2.0, 2.0, 1.0]})
    tree = ho.TreeClassifier(min_leaf=1, prune=None).fit(table, ["no", "no", "yes", "yes"])
    ho.save(tree, tmp_path / "age.model")
    found, _ = predictions(tmp_path / "age.model", "age\n22\n45\n")
    assert found == ["no", "yes"]
    (tmp_path / "out.csv").unlink()
    said = refused(tmp_path / "age.model", "hue\n1\n")
    assert "lacks 1 column of the model: 'age'" in said
    assert "the model reads 1 column," in said


def test_columns_that_no_prediction_depends_on_may_hold_anything(tmp_path: Path) -> None:
    """What a tree never reads is not refused for a word that is new, nor noted, nor asked to be unique."""
    columns = {"age": [20.0, 30.0, 40.0, 50.0], "paid": ["yes", "no", "no", "yes"]}
    tree = ho.TreeClassifier(min_leaf=1, prune=None).fit(ho.read_table(columns), ["no", "no", "yes", "yes"])
    ho.save(tree, tmp_path / "age.model")
    found, said = predictions(tmp_path / "age.model", "age,paid,paid\n22,maybe,1\n45,,2\n")
    assert found == ["no", "yes"]
    assert "paid" not in said


def test_json_beside_rows_on_stdout_is_a_usage_error(model: Path) -> None:
    """Rows and JSON cannot both go to stdout."""
    result = invoked("predict", model, "-", "--json", input="city,age,paid\n")
    assert result.exit_code == 2
    assert "name a file with -o" in result.stderr


def test_a_baseline_needs_no_columns(tmp_path: Path) -> None:
    """A model that looks at nothing answers rows of any file."""
    ho.save(cases()["baseline"].model, tmp_path / "base.model")
    (tmp_path / "in.csv").write_text("whatever\n1\n2\n")
    assert (
        invoked("predict", tmp_path / "base.model", tmp_path / "in.csv", "-o", tmp_path / "o.csv").exit_code
        == 0
    )
    assert len(read_back(tmp_path / "o.csv")[1]) == 2


def test_a_transformer_answers_nothing(tmp_path: Path) -> None:
    """A model file of a preparation alone is refused with a reason."""
    ho.save(ho.Scale().fit(ho.read_table({"x": [1.0, 2.0]})), tmp_path / "scale.model")
    (tmp_path / "in.csv").write_text("x\n1\n")
    result = invoked("predict", tmp_path / "scale.model", tmp_path / "in.csv", "-o", tmp_path / "o.csv")
    assert result.exit_code == 3
    assert "holds a Scale, which prepares rows and predicts nothing" in result.stderr
