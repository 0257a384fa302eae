"""`heldout explain`: the model of a file or of a study, in words and in every other form."""

from __future__ import annotations

import json
import re
import sqlite3
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.study.study_tables import ran_study

import heldout as ho
from heldout.models.pipeline_steps import last_inside

from .predict_cases import cases, invoked


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study, the shipped tree of it, and models of every learner."""
    found = tmp_path_factory.mktemp("explain")
    with ran_study(found) as study:
        study.ship("tree", found / "shipped.model")
    for name, case in cases().items():
        ho.save(case.model, found / f"{name}.model")
    (found / "new.csv").write_text("customer,calls,months,city\nc1,2,20.5,Ulm\nc2,,20.5,Rom\n")
    return found


def explained(folder: Path, *arguments: str) -> str:
    result = invoked("explain", folder / arguments[0], *arguments[1:])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_shipped_model_says_what_it_is(folder: Path) -> None:
    """The text names the file, where the model comes from, what to expect, and shows all of the tree."""
    text = explained(folder, "shipped.model")
    words = " ".join(text.split())
    assert "tree, fitted on all 240 rows after it was chosen on 192; the seal was never opened" in words
    assert "predicts 'churned', one of no, yes" in words
    assert "calls (number), months (number), city (category)" in words
    assert "on the open rows, cross-validated" in words
    assert str(last_inside(ho.load(folder / "shipped.model"))) in text


def test_a_study_shows_its_winner_and_the_readable_one(folder: Path) -> None:
    """Of a study it is the winner; a contender that is recorded beside it is shown by name."""
    winner = " ".join(explained(folder, "a.heldout").split())
    assert "near, the winner of the study, fitted on its 192 open rows." in winner
    assert "The rows stay with the user: none of them is in the study file." in winner
    beside = explained(folder, "a.heldout", "tree")
    assert "predicts 'churned', one of no, yes" in beside
    assert "calls <= 2.5" in beside


@pytest.mark.parametrize("name", list(cases()))
def test_every_learner_is_explained(folder: Path, name: str) -> None:
    """Each model has words of its own, within 80 columns but for its tree or rules."""
    text = explained(folder, f"{name}.model")
    about, _, body = text.partition("\n\n")
    assert all(len(line) <= 80 for line in about.splitlines())
    assert "  from " in about
    assert body.strip()


def test_sql_answers_in_sqlite(folder: Path) -> None:
    """The SELECT gives in SQLite what the model gives here."""
    statement = explained(folder, "shipped.model", "--sql", "--table", "new rows")
    rows = [("c1", 2.0, 20.5, "Ulm"), ("c2", 9.0, 20.5, "Rom")]
    with sqlite3.connect(":memory:") as connection:
        connection.execute('CREATE TABLE "new rows" (customer TEXT, calls REAL, months REAL, city TEXT)')
        connection.executemany('INSERT INTO "new rows" VALUES (?, ?, ?, ?)', rows)
        cursor = connection.execute(statement)
        place = [entry[0] for entry in cursor.description].index("prediction")
        found = [row[place] for row in cursor]
    connection.close()
    kinds = {"customer": "category", "calls": "number", "months": "number", "city": "category"}
    table = ho.read_table(dict(zip(kinds, zip(*rows, strict=True), strict=True)), kinds=kinds)
    assert found == ho.load(folder / "shipped.model").predict(table).tolist()


def test_python_runs_and_json_is_json(folder: Path) -> None:
    """The program answers a row, and the JSON holds the classes."""
    program: dict[str, object] = {}
    exec(explained(folder, "shipped.model", "--python"), program)
    assert program["predict"]({"calls": 1.0}) == "no"  # type: ignore[operator]
    assert json.loads(explained(folder, "shipped.model", "--json"))["classes"] == ["no", "yes"]


def test_rules_of_trees_and_of_rules(folder: Path) -> None:
    """Both readable learners give rules in words; a forest has none, and that is said."""
    assert explained(folder, "shipped.model", "--rules").startswith("If calls is at most 2.5: no")
    assert "Otherwise:" in explained(folder, "rules.model", "--rules")
    result = invoked("explain", folder / "forest.model", "--rules")
    assert result.exit_code == 3
    assert "trees and lists of rules have them" in result.stderr


def test_a_drawing_is_svg(folder: Path) -> None:
    """The picture of a tree is sound SVG without a script, written to a file as a whole."""
    out = folder / "tree.svg"
    explained(folder, "shipped.model", "--svg", "-o", str(out))
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert not [each for each in root.iter() if each.tag.endswith("script")]


def test_onnx_is_written_to_a_file(folder: Path) -> None:
    """ONNX is bytes that ONNX Runtime answers with, and needs -o."""
    import onnxruntime

    table = ho.read_table({"age": [20.0, 30.0, 40.0, 50.0]})
    tree = ho.TreeClassifier.cart(min_leaf=1).fit(table, ["y", "y", "o", "o"])
    ho.save(tree, folder / "age.model")
    explained(folder, "age.model", "--onnx", "-o", str(folder / "age.onnx"))
    session = onnxruntime.InferenceSession((folder / "age.onnx").read_bytes())
    assert session.run(["label"], {"age": np.array([[22.0], [48.0]])})[0].tolist() == ["y", "o"]
    assert invoked("explain", folder / "age.model", "--onnx").exit_code == 2


def test_one_row_is_explained(folder: Path) -> None:
    """--row shows the values, the answer and the way to it, and a row that is not there is refused."""
    text = explained(folder, "shipped.model", "--row", "2", "--data", str(folder / "new.csv"))
    assert "calls: unknown" in text
    assert "the row is split" in text
    result = invoked("explain", folder / "shipped.model", "--row", "9", "--data", folder / "new.csv")
    assert result.exit_code == 3
    assert "there is no row 9" in result.stderr


@pytest.mark.parametrize(
    ("learner", "n_read"),
    [(ho.TreeClassifier(min_leaf=1), 1), (ho.NeighborsClassifier(k=1), 3)],
    ids=["tree", "neighbors"],
)
def test_names_of_strangers_appear_as_plain_words(folder: Path, learner: Any, n_read: int) -> None:
    """Line ends, terminal codes and letters that the screen lacks cannot break the words of a row."""
    names = ("new\nline", "\x1b[31mred", "é")
    table = ho.read_table({name: [1.0, 2.0, 3.0, 4.0] for name in names})
    ho.save(learner.fit(table, ["é", "é", "\x1b", "\x1b"]), folder / "odd.model")
    (folder / "odd.csv").write_text('"new\nline",\x1b[31mred,é\n1,1,1\n', encoding="utf-8")
    shown = invoked(
        "explain", folder / "odd.model", "--row", "1", "--data", folder / "odd.csv", charset="ascii"
    )
    answered = invoked(
        "predict", folder / "odd.model", folder / "odd.csv", "-o", folder / "odd.out.csv", charset="ascii"
    )
    for result in (shown, answered):
        assert result.exit_code == 0, result.output
        assert "\x1b" not in result.output
        assert result.output.isascii()
    assert len(shown.output.partition("prediction")[0].splitlines()) == 1 + n_read


def test_neighbors_of_a_row_are_shown(folder: Path) -> None:
    """A prepared model of neighbors names the nearest rows of one row."""
    (folder / "rows.csv").write_text(cases()["neighbors"].text, encoding="utf-8")
    text = explained(folder, "neighbors.model", "--row", "1", "--data", str(folder / "rows.csv"))
    assert "prediction: " in text
    assert "=c" in text.partition("prediction: ")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sql", "--svg"), "One form at a time: --sql or --svg."),
        (("--row", "1"), "--row and --data belong together"),
        (("--table", "x"), "--table is for --sql."),
        (("--row", "1", "--data", "new.csv", "--sql"), "choose one"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(
    folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    """Options that contradict each other end with 2 and a sentence."""
    result = invoked("explain", folder / "shipped.model", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.heldout", "treee"), "did you mean 'tree'?"),
        (("a.heldout", "--sql"), "heldout ship"),
        (("shipped.model", "tree"), "a model file holds one model"),
        (("nothing.model",), "there is no such model file"),
        (("forest.model", "--svg"), "trees have one"),
        (("ridge.model", "--sql"), "an export holds a learner, and not the steps before it"),
    ],
)
def test_what_cannot_be_shown_is_refused(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    """Refusals have three parts, and end with 3."""
    result = invoked("explain", folder / arguments[0], *arguments[1:])
    assert result.exit_code == 3
    assert said in result.stderr
    assert "fix:" in result.stderr


@pytest.fixture(scope="module")
def rare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with studies of a table with 12% positives, of which a tree or rules are the winner."""
    found = tmp_path_factory.mktemp("rare")
    generator = np.random.default_rng(3)
    age, debt = generator.normal(size=(2, 600)).round(3)
    signal = age + 0.9 * generator.normal(size=600)
    y = np.where(signal > np.quantile(signal, 0.88), "yes", "no")
    lines = ["age,debt,y", *(f"{a},{d},{each}" for a, d, each in zip(age, debt, y, strict=True))]
    for name in ("tree", "rules"):
        (found / f"{name}.csv").write_text("\n".join([*lines, ""]))
        options = ("--target", "y", "--contenders", name, "--folds", "3", "--repeats", "1", "--quiet")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(found)
            done = invoked("run", f"{name}.csv", *options)
        assert done.exit_code == 0, done.output
    return found


@pytest.mark.slow
def test_leaves_say_what_is_decided_at_the_threshold(rare: Path) -> None:
    """Text, rules, drawing and page have "yes" where most rows are "no", with the probability beside it."""
    text = explained(rare, "tree.heldout")
    assert re.search(r": yes \(\d+/(\d+); \d+(\.\d+)?% yes\)", text)
    assert "It predicts yes from a probability of" in text
    assert "most likely" not in text
    leaves = re.findall(r": yes \((\d+)/(\d+); ", text)
    assert any(2 * int(wrong) > int(n_rows) for n_rows, wrong in leaves)
    rules = explained(rare, "tree.heldout", "--rules")
    assert rules.count(": yes (") == text.count(": yes (")
    drawing = explained(rare, "tree.heldout", "--svg")
    assert drawing.count(">yes<") > 1
    assert "yes from a probability of" in drawing
    page = (rare / "tree.html").read_text(encoding="utf-8")
    assert "yes from a probability of" in page
    assert "most likely" not in page


@pytest.mark.slow
def test_a_row_is_explained_as_it_is_predicted(rare: Path) -> None:
    """Of every row the end of the explanation is the prediction above it."""
    predictions = set()
    for row in range(1, 40):
        told = explained(rare, "tree.heldout", "--row", str(row), "--data", str(rare / "tree.csv"))
        predicted = re.search(r"^prediction: (\w+)$", told, re.MULTILINE)
        ended = re.search(r"^So the prediction is (\w+)", told, re.MULTILINE)
        assert predicted
        assert ended
        assert predicted[1] == ended[1]
        predictions.add((predicted[1], float(re.search(r"probability of yes: <?([\d.]+)", told)[1]) < 0.5))  # type: ignore[index]
    assert ("yes", True) in predictions  # less likely than "no", and predicted


def test_rules_and_their_page_have_the_probability(rare: Path) -> None:
    """Every rule of the list ends in the probability that the threshold is compared with."""
    text = explained(rare, "rules.heldout", "--rules").strip().split("\n")
    assert all(line.endswith("% yes)") for line in text[:-1])
    assert text[-1].startswith("It predicts yes from a probability of")
    page = (rare / "rules.html").read_text(encoding="utf-8")
    assert len(re.findall(r"wrong; [<>]?[\d.]+% yes</span>", page)) == len(text) - 1


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study of rules that overlap, decided by a threshold, and its page."""
    found = tmp_path_factory.mktemp("ruled")
    generator = np.random.default_rng(8)
    a, b = generator.normal(size=(2, 500)).round(2)
    is_rare = ((a > 0.8) & (b > 0.2)) | ((a < -1.0) & (b < 0)) | (generator.random(500) < 0.03)
    lines = [f"{x},{z},{'yes' if rare else 'no'}" for x, z, rare in zip(a, b, is_rare, strict=True)]
    (found / "rules.csv").write_text("\n".join(["a,b,y", *lines, ""]))
    options = ("--target", "y", "--contenders", "rules", "--folds", "3", "--repeats", "1", "--quiet")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found)
        done = invoked("run", "rules.csv", *options)
    assert done.exit_code == 0, done.output
    return found


@pytest.mark.slow
def test_the_rule_that_predicts_a_row_is_shown(ruled: Path) -> None:
    """Of every row the rule that is named is in the list, and has the class that is predicted."""
    *listed, default, _ = explained(ruled, "rules.heldout", "--rules").strip().split("\n")
    numbers = set()
    for row in range(1, 40):
        told = explained(ruled, "rules.heldout", "--row", str(row), "--data", str(ruled / "rules.csv"))
        predicted = re.search(r"^prediction: (\w+)$", told, re.MULTILINE)
        rule = re.search(r"^Rule (\d+) of \d+ is the first that the row meets:\n(.*)$", told, re.MULTILINE)
        assert predicted
        text = default.replace("Otherwise", f"The row meets no rule of {len(listed)}")
        if rule is None:
            assert text in told
            assert f": {predicted[1]} (" in text
            continue
        numbers.add(int(rule[1]))
        assert rule[2] == listed[int(rule[1]) - 1]
        assert f": {predicted[1]} (" in rule[2]
    assert len(numbers) > 1


def test_percentages_of_rules_are_told_from_counts(ruled: Path) -> None:
    """A rule counts all rows that it covers, and its probability those that come to it: the page says so."""
    page = (ruled / "rules.html").read_text(encoding="utf-8")
    assert "Percentages are of rows that no rule above takes." in page
    assert "A row is counted for every rule that covers it" in page


def test_a_level_that_training_never_saw_is_marked_once(tmp_path: Path) -> None:
    """A row is shown with the columns that the model reads, and a word that is new to it is marked."""
    table = ho.read_table({"city": ["Rom", "Rom", "Ulm", "Ulm"] * 5, "age": [1.0, 2.0] * 10})
    tree = ho.TreeClassifier(min_leaf=1).fit(table, ["no", "no", "yes", "yes"] * 5)
    ho.save(tree, tmp_path / "city.model")
    (tmp_path / "new.csv").write_text("city,age\nBonn,1\n")
    told = explained(tmp_path, "city.model", "--row", "1", "--data", str(tmp_path / "new.csv"))
    assert told.split("prediction")[0] == "row 1\n  city: Bonn (in no training row)\n"
