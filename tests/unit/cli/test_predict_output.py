"""Where `heldout predict` writes: whole files, never over what is needed, in a form that the name says."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest

import heldout as ho

from .predict_cases import invoked

STUDY = b"SQLite format 3\0".ljust(68, b"\0") + b"HELD and more"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A tree that asks for the age alone, and a file of one row beside it."""
    tree = ho.TreeClassifier(min_leaf=1, smoothing=0).fit(
        ho.read_table({"age": [20.0, 50.0]}), ["young", "old"]
    )
    ho.save(tree, tmp_path / "age.model")
    (tmp_path / "in.csv").write_text("age,x\n25,a\n")
    return tmp_path / "age.model"


def test_no_input_is_ever_overwritten(model: Path) -> None:
    """The rows and the model stay, also behind a link."""
    path = model.parent / "in.csv"
    path.write_text("age,x\n25,a\n")
    link = model.parent / "link.csv"
    link.symlink_to(path)
    for out in (path, link, model):
        result = invoked("predict", model, path, "-o", out)
        assert result.exit_code == 3
        assert "itself" in result.stderr
    assert path.read_text() == "age,x\n25,a\n"


def test_a_failure_leaves_the_older_file(model: Path) -> None:
    """A file of earlier predictions is replaced only by a whole new one."""
    out = model.parent / "out.csv"
    out.write_text("older\n")
    path = model.parent / "in.csv"
    path.write_text("age,x\n25,a\nold,b\n")
    assert invoked("predict", model, path, "-o", out).exit_code == 3
    assert out.read_text() == "older\n"


def test_a_place_that_is_not_there_is_refused(model: Path) -> None:
    """The error names the place where nothing can be written."""
    path = model.parent / "in.csv"
    path.write_text("age,x\n25,a\n")
    result = invoked("predict", model, path, "-o", model.parent / "nowhere" / "out.csv")
    assert result.exit_code == 3
    assert "a file cannot be written here" in result.stderr


def test_a_study_is_no_model_file_and_no_table(model: Path, tmp_path: Path) -> None:
    """Whoever names the study instead of the model is told to ship it first; it has no rows either."""
    (tmp_path / "a.heldout").write_bytes(STUDY)
    result = invoked("predict", tmp_path / "a.heldout", tmp_path / "in.csv", "-o", tmp_path / "o.csv")
    assert result.exit_code == 3
    assert "ship its winner first: heldout ship" in result.stderr
    result = invoked("predict", model, tmp_path / "a.heldout", "-o", tmp_path / "o.csv")
    assert result.exit_code == 3
    assert "FILE holds the rows to predict, and this is a study" in result.stderr


@pytest.mark.parametrize("name", ["other.csv", "age2.model"])
def test_no_study_and_no_model_file_is_ever_overwritten(model: Path, name: str) -> None:
    """A slip in -o does not cost a study or a model, whatever it is called and whichever command writes."""
    kept = model.parent / name
    kept.write_bytes(STUDY if name == "other.csv" else model.read_bytes())
    before = kept.read_bytes()
    for command in (("predict", model, model.parent / "in.csv"), ("explain", model, "--svg")):
        result = invoked(*command, "-o", kept)
        assert result.exit_code == 3
        assert "the output would replace a" in result.stderr or "are written as CSV" in result.stderr
    assert kept.read_bytes() == before


def test_an_explanation_does_not_replace_what_it_explains(model: Path) -> None:
    """`heldout explain` overwrites neither the model nor the rows."""
    rows = model.parent / "in.csv"
    for out in (model, rows):
        before = out.read_bytes()
        result = invoked("explain", model, "--row", "1", "--data", rows, "-o", out)
        assert result.exit_code == 3
        assert "itself" in result.stderr
        assert out.read_bytes() == before


@pytest.mark.parametrize("name", ["o.xlsx", "o.feather", "o.csv.zip", "o.parquet.gz", "o.tsv", "o.heldout"])
def test_a_name_that_asks_for_another_form_is_refused(model: Path, name: str) -> None:
    """No CSV file is written under the name of something else, and commas are not called tabs."""
    result = invoked("predict", model, model.parent / "in.csv", "-o", model.parent / name)
    assert result.exit_code == 3
    assert "-o '" in result.stderr
    assert sorted(os.listdir(model.parent)) == ["age.model", "in.csv"]


def test_tabs_may_be_called_tabs(model: Path) -> None:
    """A file with tabs is written as one."""
    (model.parent / "in.tsv").write_text("age\tx\n25\ta\n")
    out = model.parent / "o.tsv"
    assert invoked("predict", model, model.parent / "in.tsv", "-o", out).exit_code == 0
    assert out.read_text().splitlines()[1] == "25\ta\tyoung\t0\t1"


def test_a_link_stays_a_link(model: Path) -> None:
    """The file that a link leads to is written, also where it was not there."""
    link = model.parent / "link.csv"
    link.symlink_to(model.parent / "far.csv")
    assert invoked("predict", model, model.parent / "in.csv", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert (model.parent / "far.csv").read_text().endswith("25,a,young,0,1\n")


def test_a_folder_is_refused(model: Path) -> None:
    """A folder is no file to write to."""
    result = invoked("predict", model, model.parent / "in.csv", "-o", model.parent)
    assert result.exit_code == 3
    assert "Is a directory" in result.stderr


def test_pipes_are_read_and_written(model: Path) -> None:
    """What is no file, as a shell makes it of <(…) and >(…), is read once and never replaced."""
    come, go = model.parent / "come", model.parent / "go"
    os.mkfifo(come)
    os.mkfifo(go)
    with (
        subprocess.Popen(["timeout", "20", "sh", "-c", "cat in.csv > come"], cwd=model.parent),
        subprocess.Popen(["timeout", "20", "cat", go], stdout=subprocess.PIPE) as reader,
    ):
        assert invoked("predict", model, come, "-o", go).exit_code == 0
        assert reader.stdout is not None
        assert reader.stdout.read().endswith(b"25,a,young,0,1\n")
    assert go.is_fifo()


@pytest.mark.parametrize("name", ["o.csv", "o.csv.gz", "o.parquet"])
def test_a_disk_without_room_is_said_and_leaves_nothing(
    model: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot grow is an error that names it, with no trace and no half of a file."""
    monkeypatch.chdir(model.parent)
    Path("in.csv").write_text("age,x\n" + "25,a\n" * 2000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        result = invoked("predict", model, "in.csv", "-o", name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.exit_code == 3, result.stderr
    assert f"where: '{name}'" in result.stderr
    assert "Exception ignored" not in capfd.readouterr().err
    assert sorted(os.listdir()) == ["age.model", "in.csv"]


def test_a_failure_on_the_way_to_parquet_says_one_thing(
    model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The writer of Parquet does not complain of a stream that was thrown away."""
    (model.parent / "in.csv").write_text("age,x\n25,a\nold,b\n")
    result = invoked("predict", model, model.parent / "in.csv", "-o", model.parent / "o.parquet")
    assert result.exit_code == 3
    assert "column 'age' holds text" in result.stderr
    assert "Exception ignored" not in capfd.readouterr().err
    assert not (model.parent / "o.parquet").exists()
