"""What comes out of `heldout predict`: the rows as they were, and their answers behind them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.formulas import are_formulas, is_formula
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.cli.predicting.predict_file import PredictRequest, predict_file

from .predict_cases import invoked, read_back

CELLS = (
    "a",
    "b c",
    'say "x"',
    "two\nlines",
    "",
    "1.5",
    "é☃",
    "x,y",
    "-5",
    "=1+1",
    "+a",
    "@b",
    "\ttab",
    " c",
    " =1",
    "＝1",
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A tree that asks for the age alone."""
    table = ho.read_table({"age": [20.0, 30.0, 40.0, 50.0]})
    tree = ho.TreeClassifier(min_leaf=1, prune=None, smoothing=0).fit(table, ["young", "young", "old", "old"])
    ho.save(tree, tmp_path / "age.model")
    return tmp_path / "age.model"


def predicted(model: Path, content: str | bytes, *options: str) -> bytes:
    """The bytes that come out for a CSV file."""
    path, out = model.parent / "in.csv", model.parent / "out.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    result = invoked("predict", model, path, "-o", out, *options)
    assert result.exit_code == 0, result.output
    return out.read_bytes()


def test_rows_stay_byte_for_byte(model: Path) -> None:
    """Quotes, blanks, line ends and columns that the model does not know come out as they went in."""
    found = predicted(model, 'name, age ,"no te"\r\n"A ""x""", 25 ,\r\n b,45,"1,\n2"\r\n')
    added = b",prediction,probability of old,probability of young\r\n"
    assert found == (
        b'name, age ,"no te"' + added + b'"A ""x""", 25 ,,young,0,1\r\n b,45,"1,\n2",old,1,0\r\n'
    )


def test_default_name_and_words(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without -o the file stands here under the name of the input, and one line says so."""
    monkeypatch.chdir(model.parent)
    Path("new.csv").write_text("age\n25\n")
    result = invoked("predict", "age.model", "new.csv")
    assert result.stdout == (
        "new.predicted.csv: 1 row, with 'prediction', 'probability of old' and 'probability of young' added\n"
    )
    assert Path("new.predicted.csv").read_text().endswith("25,young,0,1\n")


def test_what_stands_above_the_header_stays(model: Path) -> None:
    """A byte order mark, the `sep=` line of Excel and comments stay where they were."""
    found = predicted(model, b"\xef\xbb\xbfsep=;\n# made by hand\nname;age\nx;25\n")
    assert found.startswith(b"\xef\xbb\xbfsep=;\n# made by hand\nname;age;prediction;")
    assert found.endswith(b"\nx;25;young;0;1\n")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_kept(model: Path, line_end: str) -> None:
    """A file has one kind of line end after prediction, that of its header, also behind the last row."""
    found = predicted(model, line_end.join(["age,x", "25,a", "45,b"]))
    assert found.decode().split(line_end)[1:] == ["25,a,young,0,1", "45,b,old,1,0", ""]


def test_delimiters_at_the_end_of_rows(model: Path) -> None:
    """Where each row ends in a delimiter, the header gets a field for it, and answers stand right."""
    found = predicted(model, "name,age\nx,25,\ny,45,\n").decode().splitlines()
    assert found[0].startswith("name,age,,prediction,")
    assert found[1] == "x,25,,young,0,1"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_other_encodings_come_out_as_utf8(model: Path, encoding: str) -> None:
    """A text in another encoding keeps its characters and is written as UTF-8."""
    options = ("--encoding", encoding) if encoding == "latin-1" else ()
    found = predicted(model, "name,age\nKöln,25\n".encode(encoding), *options)
    assert found.decode("utf-8").splitlines()[1] == "Köln,25,young,0,1"


def test_a_single_column_keeps_its_blank_lines_as_unknown_values(model: Path) -> None:
    """A blank line of a one-column file is a row without a value, as `read_table` takes it."""
    found = predicted(model, "age\n25\n\n45\n\n").decode().splitlines()
    assert len(found) == 4
    assert found[2].startswith(",")


def test_a_file_without_rows_gets_its_header(model: Path) -> None:
    """No rows is no error: a nightly job may have nothing to answer."""
    found = predicted(model, "name,age\n")
    assert found == b"name,age,prediction,probability of old,probability of young\n"


def test_names_that_are_taken_get_another(model: Path) -> None:
    """A column `prediction` of the file stays, and the new one has a name of its own, which is said."""
    path = model.parent / "in.csv"
    path.write_text("age,prediction,probability of old\n25,x,y\n")
    result = invoked("predict", model, path, "-o", model.parent / "out.csv")
    header, rows = read_back(model.parent / "out.csv")
    assert header == [
        "age", "prediction", "probability of old",
        "prediction (2)", "probability of old (2)", "probability of young",
    ]  # fmt: skip
    assert rows == [["25", "x", "y", "young", "0", "1"]]
    assert "the new one is 'prediction (2)'" in result.stderr
    assert (
        "the file has a column 'probability of old': the new one is 'probability of old (2)'" in result.stderr
    )


@pytest.mark.slow
@given(
    rows=st.lists(st.lists(st.sampled_from(CELLS), min_size=2, max_size=2), min_size=1, max_size=12),
    n_bytes=st.integers(1, 200),
    is_raw=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cells_come_out_as_they_went_in(
    model: Path, rows: list[list[str]], n_bytes: int, is_raw: bool, line_end: str
) -> None:
    """Python's csv module reads the same cells before and after, formulas with an apostrophe unless --raw."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=line_end)
    writer.writerows([["a", "age", "b"], *([left, "30", right] for left, right in rows)])
    path, out = model.parent / "in.csv", model.parent / "out.csv"
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    request = PredictRequest(str(out), is_raw=is_raw, size=ChunkSize(n_bytes))
    found = predict_file(ho.load(model), ByteSource(path, path.name), request)
    runs = ("=1+1", "+a", "@b", "\ttab", " =1", "＝1")
    want = [[cell if is_raw or cell not in runs else f"'{cell}" for cell in row] for row in rows]
    assert [[row[0], row[2]] for row in read_back(out)[1]] == want
    assert found.n_guarded == (0 if is_raw else sum(cell in runs for row in rows for cell in row))


def test_quotes_inside_values_are_kept(model: Path) -> None:
    """A quote in the middle of a value, which is no quoting, stays, also beside a formula."""
    found = predicted(model, 'size,age\n5" wide,25\n=x"y,45\n').decode().splitlines()
    assert found[1:] == ['5" wide,25,young,0,1', "'=x\"y,45,old,1,0"]


def test_formulas_are_counted_and_headers_too(model: Path) -> None:
    """Cells that a spreadsheet would run are made harmless, counted on stderr, and left with --raw."""
    path = model.parent / "in.csv"
    path.write_text("=cmd(),age\n-x,25\n-7,25\n")
    result = invoked("predict", model, path, "-o", model.parent / "out.csv")
    assert "2 cells that a spreadsheet would run as a formula" in result.stderr
    header, rows = read_back(model.parent / "out.csv")
    assert header[0] == "'=cmd()"
    assert [row[0] for row in rows] == ["'-x", "-7"]
    assert predicted(model, "=cmd(),age\n-x,25\n", "--raw").startswith(b"=cmd(),age,")


RUN = (
    "=1",
    "-x",
    "@x",
    "+49-30",
    "- item",
    "-",
    "\tx",
    "\rx",
    "\nx",
    "＝1",
    "＋a",
    "－1",
    "＠a",
    "  -x",
    " \t=1",
)
HARMLESS = (
    *(
        "-5",
        "+3.5",
        "-1e3",
        "+49 30 1234",
        "-.5",
        "-1.234,5",
        "-1'000",
        "-5 %",
        "-$5",
        " - 5",
        "-inf",
        "-5\n",
    ),
    *("a=b", "'=1", "", " ", "ﬁx", "−5"),
)


def test_both_ways_to_find_formulas_agree() -> None:
    """One text and a whole column are judged alike: signed numbers are harmless, signed text is not."""
    texts = [*RUN, *HARMLESS]
    wanted = [True] * len(RUN) + [False] * len(HARMLESS)
    assert [is_formula(text) for text in texts] == wanted
    assert are_formulas(pa.chunked_array([texts])).tolist() == wanted


def test_classes_that_are_formulas_are_guarded(tmp_path: Path) -> None:
    """A class of a hostile training table is harmless in the answers too."""
    tree = ho.TreeClassifier(min_leaf=1, smoothing=0).fit(ho.read_table({"x": [1.0, 2.0]}), ["=evil()", "+5"])
    ho.save(tree, tmp_path / "age.model")
    found = predicted(tmp_path / "age.model", "x\n1\n2\n").decode().splitlines()
    assert [line.split(",")[1] for line in found[1:]] == ["'=evil()", "+5"]


def test_stdin_to_stdout(model: Path) -> None:
    """A dash reads stdin and writes stdout, where nothing but rows appears."""
    result = invoked("predict", model, "-", input="age,x\n25,a\n")
    assert result.stdout == "age,x,prediction,probability of old,probability of young\n25,a,young,0,1\n"


def test_json_says_what_was_done(model: Path) -> None:
    """--json gives a machine the same facts."""
    path = model.parent / "in.csv"
    path.write_text("age,x\n25,=a\n,b\n")
    result = invoked("predict", model, path, "-o", model.parent / "out.csv", "--json")
    facts = json.loads(result.stdout)
    assert facts["n_rows"] == 2
    assert facts["n_guarded"] == 1
    assert facts["missing"] == {"age": 1}
    assert facts["unused"] == ["x"]


def test_packed_in_and_out(model: Path) -> None:
    """A .csv.gz is read, and one is written where the name asks for it."""
    path, out = model.parent / "in.csv.gz", model.parent / "out.csv.gz"
    path.write_bytes(gzip.compress(b"age\n25\n"))
    assert invoked("predict", model, path, "-o", out).exit_code == 0
    assert gzip.decompress(out.read_bytes()).endswith(b"25,young,0,1\n")


def test_parquet_keeps_types_and_text(model: Path) -> None:
    """To Parquet columns keep their types, text is left as it is, and the answers are typed."""
    path, out = model.parent / "in.parquet", model.parent / "out.parquet"
    table = pa.table({"age": pa.array([25, None], pa.int8()), "note": ["=a", "b"]})
    pyarrow.parquet.write_table(table, path)
    assert invoked("predict", model, path, "-o", out).exit_code == 0
    found = pyarrow.parquet.read_table(out)
    assert found.select(["age", "note"]).equals(table)
    assert found["prediction"].to_pylist()[0] == "young"
    assert found["probability of old"].type == pa.float64()


def test_typed_columns_become_a_csv_with_harmless_cells(model: Path) -> None:
    """From Parquet to CSV formulas are guarded, and numbers say every digit."""
    path, out = model.parent / "in.parquet", model.parent / "out.csv"
    note = pa.array(["=a"]).dictionary_encode()
    table = pa.table({"age": [25.125], "note": note, "bytes": [b"=b"], "gap": [None]})
    pyarrow.parquet.write_table(table, path)
    assert invoked("predict", model, path, "-o", out).exit_code == 0
    assert read_back(out)[1] == [["25.125", "'=a", "'=b", "", "young", "0", "1"]]


def test_decimal_commas_are_answered_with_decimal_commas(tmp_path: Path) -> None:
    """In a file with decimal commas the answers have them too, as the same spreadsheet reads both."""
    line = ho.LinearRegressor().fit(ho.read_table({"x": [1.0, 2.0, 4.0]}), [0.25, 0.5, 1.0])
    ho.save(line, tmp_path / "age.model")
    found = predicted(tmp_path / "age.model", "x;n\n2,5;a\n1.000,5;b\n").decode().splitlines()
    predictions = [line.split(";")[2] for line in found[1:]]
    assert np.allclose([float(text.replace(",", ".")) for text in predictions], [0.625, 250.125])
    assert all("," in text for text in predictions)
