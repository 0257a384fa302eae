"""The data section: kinds, gaps, distributions by class, what the reader noticed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import mutual_info_score

import heldout as ho
from heldout.ledger.study_facts import ProfileFact
from heldout.report.data.data_facts import (
    MOST_PICTURES,
    chance_deviations,
    data_facts,
    entropy_bits,
    shared_bits,
)
from heldout.report.data.data_page import data_cards, data_figure, data_page, data_takeaway
from heldout.report.render import render
from heldout.report.summarize import summarize

from .ledger_stand_in import study


def described(profile: dict[str, Any], models: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """What the page shows of a profile, of which a test says what matters to it."""
    usual = {"kind": "classification", "reason": "", "target": "y", "positive": None}
    empty: dict[str, Any] = {"classes": [], "class_counts": []}
    return data_facts(study(), ProfileFact.from_dict(usual | empty | profile), models)


def test_bits_are_the_mutual_information_without_chance() -> None:
    """Shared bits are scikit-learn's mutual information less what independent counts share on average."""
    random = np.random.default_rng(0)
    classes, levels = random.integers(0, 3, 400), random.integers(0, 5, 400)
    levels[classes == 1] = 4
    counts = [[int(((classes == c) & (levels == v)).sum()) for v in range(5)] for c in range(3)]
    expected = mutual_info_score(classes, levels) / np.log(2) - 2 * 4 / (2 * 400 * np.log(2))
    assert shared_bits(counts) == pytest.approx(expected)


def test_what_says_nothing_shares_about_nothing() -> None:
    """Over many columns of noise the bits are a small part of what they would be uncorrected."""
    random = np.random.default_rng(1)
    found, plain = [], []
    for _ in range(200):
        classes, levels = random.integers(0, 3, 150), random.integers(0, 20, 150)
        counts = [[int(((classes == c) & (levels == v)).sum()) for v in range(20)] for c in range(3)]
        found.append(shared_bits(counts))
        plain.append(mutual_info_score(classes, levels) / np.log(2))
    assert np.mean(found) < np.mean(plain) / 4


def test_deviations_are_those_of_pearsons_test() -> None:
    """Deviations are those of the p-values of SciPy's chi-square test, within a twentieth."""
    random = np.random.default_rng(3)
    for strength in (0.0, 0.1, 0.2, 0.3):
        classes = random.integers(0, 3, 300)
        levels = np.where(random.random(300) < strength, classes, random.integers(0, 6, 300))
        counts = [[int(((classes == c) & (levels == v)).sum()) for v in range(6)] for c in range(3)]
        p_value = float(stats.chi2_contingency(counts, correction=False).pvalue)
        assert chance_deviations(counts) == pytest.approx(stats.norm.isf(p_value), rel=0.05, abs=0.05)
    assert chance_deviations([[5, 5]]) == chance_deviations([]) == 0.0


def test_noise_is_seldom_taken_for_more() -> None:
    """Of tables whose columns say nothing, about one in twenty has a column that seems to."""
    random = np.random.default_rng(4)
    n_wrong = 0
    for _ in range(200):
        classes = random.integers(0, 2, 120)
        columns = []
        for name in "abcde":
            bins = random.integers(0, 20, 120)
            columns.append(
                column(name, [np.bincount(bins[classes == c], minlength=20).tolist() for c in (0, 1)])
            )
        profile = {"n_rows": 120, "classes": ["n", "y"], "class_counts": [60, 60], "columns": columns}
        n_wrong += "no column" not in data_takeaway(described(profile))
    assert n_wrong <= 20


def test_a_class_is_as_uncertain_as_its_entropy() -> None:
    """The bits of a class are its entropy, and empty counts share nothing."""
    assert entropy_bits([1, 1, 2]) == 1.5
    assert (entropy_bits([]), shared_bits([]), shared_bits([[0, 0]])) == (0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The summary of a study that has not run, from a file with things to notice."""
    folder: Path = tmp_path_factory.mktemp("data")
    rows = [f"{n},{n % 7}.5,{'ab'[n % 2]},2024-01-{n % 28 + 1:02d},{'' if n % 4 else n}" for n in range(80)]
    (folder / "t.csv").write_text("id,size,kind,day,gaps\n" + "\n".join(rows) + "\n", encoding="utf-8")
    table = ho.read_table(folder / "t.csv", kinds={"id": "identifier"})
    with ho.Study.create(folder / "t.heldout", table, "kind") as study:
        return summarize(study.ledger) | {"reader": list(table.notes)}


def test_the_open_rows_are_described(summary: dict[str, Any]) -> None:
    """Every column stands there with kind, role and gaps, counted among the open rows alone."""
    data = summary["data"]
    columns = {column["name"]: column for column in data["columns"]}
    assert {name: column["kind"] for name, column in columns.items()} == {
        "id": "identifier",
        "size": "number",
        "kind": "category",
        "day": "date",
        "gaps": "number",
    }
    assert columns["kind"]["role"] == "target"
    assert columns["gaps"]["n_missing"] <= data["n_rows"] == summary["seal"]["n_open"] < 80
    assert sum(data["class_counts"]) == data["n_rows"]


def test_what_the_reader_noticed_is_on_the_page(summary: dict[str, Any]) -> None:
    """Notes of the reader and of the task are in the study file, and the page shows them."""
    assert set(summary["reader"]) <= set(summary["data"]["notes"])
    assert summary["data"]["notes"]
    page = render(summary)
    assert "What the reader noticed" in page
    assert page.index('id="data"') < page.index('id="method"')


def test_cards_show_the_target_first(summary: dict[str, Any]) -> None:
    """Cards come in the order target, then what says most of it; the axis of dates has dates."""
    cards = data_cards(summary["data"])
    assert cards[0]["name"] == "kind"
    assert [level["label"] for level in cards[0]["levels"]] == ["a", "b"]
    assert {card["name"] for card in cards} == {"kind", "size", "day", "gaps"}
    [day] = [card for card in cards if card["name"] == "day"]
    assert re.findall(r">(2024-01-\d\d)<", str(day["axis"]))
    assert any(remark.startswith("median 2024-01-") for remark in day["remarks"])


def test_without_classes_the_models_say_which_columns_are_drawn() -> None:
    """Of more columns than are drawn, those that matter to the winner come first, levels taken together."""
    names = [f"x{number}" for number in range(60)]
    profile = {"n_rows": 9, "columns": [column(name, [[3, 6]]) for name in names]}
    models = [
        {"coefficients": [{"name": "x50 = a", "estimate": -9.0}, {"name": "x7", "estimate": 2.0}]},
        {"columns": ["x40"]},
    ]
    cards = data_cards(described(profile, models))
    assert [card["name"] for card in cards[:5]] == ["x50", "x7", "x40", "x0", "x1"]


def test_the_table_has_every_column(summary: dict[str, Any]) -> None:
    """The table under the pictures has a row for every column, also for those that are not drawn."""
    figure = data_figure(summary["data"])
    assert [row[0] for row in figure.rows] == ["id", "size", "kind", "day", "gaps"]
    assert all(len(row) == len(figure.headings) for row in figure.rows)


def column(name: str, counts: list[list[int]], **more: Any) -> dict[str, Any]:
    """A column of numbers as a profile has it."""
    numbers = {"kind": "number", "role": "input", "n_missing": 0, "quantiles": [0.0, 0.5, 1.0, 1.5, 2.0]}
    return {"name": name, "counts": counts} | numbers | more


def test_the_takeaway_names_what_says_most() -> None:
    """The column with the most bits is named first; where none says anything that is said."""
    profile: dict[str, Any] = {
        "n_rows": 200,
        "classes": ["a", "b"],
        "class_counts": [100, 100],
        "target": "y",
    }
    clear, dull = column("clear", [[100, 0], [0, 100]]), column("dull", [[50, 50], [50, 50]])
    found = data_takeaway(described(profile | {"columns": [dull, clear]}))
    assert found.startswith(
        "Taken alone, clear says most of y: 1.00 of 1.00 bits; the others no more than chance would"
    )
    nothing = data_takeaway(described(profile | {"columns": [dull]}))
    assert nothing == "Taken alone, no column says more of y than chance would."


def test_numbers_without_classes_tell_of_gaps() -> None:
    """Where a number is predicted, the line is about what is missing."""
    columns = [column("x", [[3, 4]], n_missing=3), column("y", [[3, 4]], role="target")]
    data = described({"n_rows": 10, "columns": columns, "target": "y"})
    assert data_takeaway(data) == "1 of 2 columns has missing values: x (30%)."


def test_wide_tables_are_cut_and_say_so() -> None:
    """Of many columns the most telling are drawn, and the page says how many are not."""
    columns = [column(f"x{n}", [[50, 50], [50, 50]]) for n in range(60)]
    columns[40] = column("best", [[100, 0], [0, 100]])
    profile = {"n_rows": 200, "classes": ["a", "b"], "class_counts": [100, 100], "columns": columns}
    page = data_page(described(profile))
    assert len(page["cards"]) == MOST_PICTURES
    assert page["cards"][0]["name"] == "best"
    assert page["undrawn"].startswith("36 columns")


def test_many_classes_share_the_colours_by_size() -> None:
    """With more classes than colours the largest get them, the others are one grey."""
    sizes = list(range(1, 13))
    columns = [column("x", [[size, 0] for size in sizes])]
    classes = [f"c{size}" for size in sizes]
    profile = {"n_rows": 78, "classes": classes, "class_counts": sizes, "columns": columns}
    page = data_page(described(profile))
    assert [each["name"] for each in page["classes"]] == [f"c{n}" for n in range(12, 4, -1)] + ["4 others"]
    assert page["classes"][-1]["n"] == 1 + 2 + 3 + 4


def test_a_category_whose_known_values_are_all_sealed_is_not_drawn() -> None:
    """A column with a value in one row alone, which is sealed, stands in the table and has no picture."""
    empty = {"name": "fee", "kind": "category", "role": "input", "n_missing": 9, "counts": [[]], "levels": []}
    profile = {"n_rows": 9, "columns": [column("size", [[3, 6]]), empty]}
    page = data_page(described(profile))
    assert [card["name"] for card in page["cards"]] == ["size"]
    assert page["undrawn"].startswith("1 column not drawn")


def test_old_files_have_no_data_section() -> None:
    """A study file without a profile gives an empty section."""
    assert data_page({}) == {}


def test_a_wide_table_is_counted_whole() -> None:
    """Of 300 inputs with the target behind them all are counted, and the target is drawn first."""
    columns = [column(f"c{number}", [[3, 2], [2, 3]], n_missing=int(number > 250)) for number in range(300)]
    columns.append(column("ripe", [[5, 0], [0, 5]], role="target", levels=["no", "yes"], n_levels=2))
    profile = {"n_rows": 10, "target": "ripe", "classes": ["no", "yes"], "class_counts": [5, 5]}
    page = data_page(described(profile | {"columns": columns}))
    assert "with 300 input columns" in page["lead"]
    assert page["cards"][0]["name"] == "ripe"
    assert page["gaps"].startswith("49 of 301 columns")
    assert (len(page["table"]["rows"]), page["table"]["caption"][:28]) == (
        200,
        "The first 200 of 301 columns",
    )
    assert (
        page["undrawn"]
        == f"{301 - MOST_PICTURES} columns not drawn here; the table has the first 200 of all."
    )


def test_zeros_and_ones_are_the_ticks_of_a_column_that_holds_nothing_else() -> None:
    """A number that codes two values has a tick at each; there is no 0.4 between them."""
    coded = {"kind": "number", "n_distinct": 2, "quantiles": [0.0, 0.0, 0.0, 1.0, 1.0]}
    made = [column("union", [[6] + [0] * 18 + [4]], **coded), column("age", [[1] * 20], **coded)]
    made[1] |= {"n_distinct": 30, "quantiles": [0.0, 0.2, 0.5, 0.8, 1.0]}
    profile = {"n_rows": 10, "target": "pay", "classes": [], "class_counts": []}
    cards = {card["name"]: card for card in data_page(described(profile | {"columns": made}))["cards"]}
    assert re.findall(r">([\d.]+)</text>", str(cards["union"]["axis"])) == ["0", "1"]
    assert len(re.findall(r">([\d.]+)</text>", str(cards["age"]["axis"]))) > 2


def test_one_column_that_is_not_drawn_is_one() -> None:
    """The sentence about it has the grammar of one."""
    drawn = [column(f"c{n}", [[3, 2], [2, 3]]) for n in range(MOST_PICTURES)]
    more = {"n_rows": 10, "target": "ripe", "classes": ["no", "yes"], "class_counts": [5, 5]}
    target = column("ripe", [[5, 0], [0, 5]], role="target", levels=["no", "yes"], n_levels=2)
    page = data_page(described(more | {"columns": [*drawn, target]}))
    assert page["undrawn"] == "1 column not drawn here; the table has it."
