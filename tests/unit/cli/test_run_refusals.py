"""What a newcomer types wrong is answered so that the next try is right, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from .typed_lines import typed, write_rows

FILES = {
    "empty.csv": "",
    "header.csv": "a,b\n",
    "one.csv": "a\n" + "1\n2\n3\n" * 5,
    "constant.csv": "a,b\n" + "1,x\n2,x\n3,x\n" * 5,
    "ragged.csv": "a,b\n1,x\n2,y,9\n3,x\n",
    "bare.csv": "1,2\n3,4\n5,6\n",
    "many.csv": "a,b\n" + "".join(f"{row % 150},{row}\n" for row in range(300)),
    "notes.json": '{"a": 1}',
    "colons.txt": "size:skin\n1:smooth\n2:rough\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good table and many bad ones."""
    made = tmp_path_factory.mktemp("refusals")
    write_rows(made / "fruit.csv")
    for name, text in FILES.items():
        (made / name).write_text(text)
    (made / "fruit-page").mkdir()
    (made / "mine.html").write_text("<html>mine</html>")
    return made


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("run", 2, "which table? Name its file"),
        ("run fruit.csv", 2, "which column is to be predicted? Say --target with one of 'fruit_id', 'size'"),
        ("run fruits.csv --target ripe", 3, "did you mean 'fruit.csv'?"),
        ("run no/such/fruit.csv --target ripe", 3, "that folder is not there either"),
        ("run . --target ripe", 3, "this is a folder"),
        ("run - --target ripe", 3, "save it first"),
        ("run https://x.org/a.csv --target ripe", 3, "get it first: curl -O https://x.org/a.csv"),
        ("fruit.csv --target ripe", 2, "did you mean: heldout run fruit.csv --target COLUMN"),
        ("run fruit.csv ripe", 2, "extra argument (ripe); to predict a column, say --target ripe"),
        ("run fruit.csv --target ripe size", 2, "extra argument (size)"),
        ("run nit.csv --target ripe", 3, "nothing in the folder has one like it"),
        ("run fruit.csv --target rpie", 3, "did you mean 'ripe'?"),
        ("run fruit.csv --target Ripe", 3, "did you mean 'ripe'?"),
        ("run fruit.csv --target ripe --groups bxo", 3, "where: --groups bxo"),
        ("run fruit.csv --target ripe --time colour", 3, "did you mean 'color'?"),
        ("run fruit.csv --target ripe --time color", 3, "--kind color=date"),
        ("run fruit.csv --target ripe --weights color", 3, "--kind color=number"),
        ("run fruit.csv --target ripe --drop colour", 3, "did you mean 'color'?"),
        ("run fruit.csv --target ripe --drop ripe", 3, "column 'ripe' is dropped"),
        ("run fruit.csv --target ripe --kind bxo=category", 3, "did you mean 'box'?"),
        ("run fruit.csv --target ripe --kind box=catgory", 3, "did you mean 'category'?"),
        ("run fruit.csv --target ripe --kind box", 3, "write --kind zip=category"),
        ("run fruit.csv --target ripe --missing x --missing box=y", 3, "every column or for some"),
        ("run fruit.csv --target ripe --contenders tre", 3, "did you mean 'tree'?"),
        ("run fruit.csv --target ripe --contenders ridge", 3, "'ridge' is not for classification"),
        ("run fruit.csv --target price --contenders rules", 3, "some of baseline, tree, forest, neighbors"),
        ("run fruit.csv --target ripe --contenders ,", 3, "no contender is named"),
        ("run fruit.csv --target ripe --contenders tre --out not/made/", 3, "did you mean 'tree'?"),
        ("run fruit.csv --target ripe --metric acuracy", 3, "did you mean 'accuracy'?"),
        ("run fruit.csv --target ripe --metric mse", 3, "use 'accuracy', or leave --metric out"),
        ("run fruit.csv --target ripe --rigor quik", 2, "'quick', 'standard', 'thorough'"),
        ("run fruit.csv --target ripe --held 20", 3, "say 0.2 for 20%"),
        ("run fruit.csv --target ripe --held much", 2, "--held"),
        ("run fruit.csv --target ripe --held 0.999", 3, "no row is left to learn from"),
        ("run fruit.csv --target ripe --folds 1", 2, "--folds"),
        ("run fruit.csv --target ripe --folds 59", 3, "--folds"),
        ("run fruit.csv --target ripe --contenders xgboost", 3, "any scikit-learn estimator can compete"),
        ("run many.csv --target a --task classification", 3, "use --task regression, or leave --task out"),
        ("run fruit.csv --target ripe --positive yse", 3, "did you mean 'yes'?"),
        ("run fruit.csv --target color --task regression", 3, "--kind color=number"),
        ("run fruit.csv --target ripe --sheet x", 3, "--sheet says nothing about this source"),
        ("run fruit.csv --target ripe --out mine", 3, "no page of Heldout"),
        ("run fruit.csv --target ripe --out mine.html/x", 3, "the folder for the study cannot be made"),
        ("run empty.csv --target a", 3, "the file is empty"),
        ("run header.csv --target a", 3, "say --no-header"),
        ("run one.csv --target a", 3, "no column is left to learn from"),
        ("run constant.csv --target b", 3, "the target 'b' is constant"),
        ("run ragged.csv --target b", 3, "say --delimiter if it is another"),
        ("run bare.csv --target b", 3, "say --no-header (with --names a,b,"),
        ("run notes.json --target a", 3, "save it as CSV first"),
        ("run colons.txt --target skin", 3, "say --delimiter :"),
    ],
)
def test_the_answer_helps(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int, words: str
) -> None:
    """The error names what was meant or how to mend it in options, and no study is left behind."""
    monkeypatch.chdir(folder)
    found = typed(*line.split())
    assert words in found.stderr
    assert (found.exit_code, found.stdout) == (code, "")
    assert list(folder.rglob("*.heldout")) == []
    assert not (folder / "not").exists()
    assert "=None" not in found.stderr


def test_a_study_is_not_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hands a study over hears how to go on with it."""
    import heldout as ho

    monkeypatch.chdir(tmp_path)
    ho.Study.create("fruit.heldout", write_rows(tmp_path / "fruit.csv"), target="ripe").close()
    found = typed("run", "fruit.heldout", "--target", "ripe")
    assert found.exit_code == 3
    assert "heldout report fruit.heldout shows it" in found.stderr


def test_a_file_that_is_no_study_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the study's name that is none is refused, and stays as it is."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    (tmp_path / "fruit.heldout").write_text("my notes\n")
    found = typed("run", "fruit.csv", "--target", "ripe")
    assert found.exit_code == 4
    assert (tmp_path / "fruit.heldout").read_text() == "my notes\n"
