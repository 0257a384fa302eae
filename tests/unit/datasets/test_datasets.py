"""The embedded tables are what they say they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout import datasets
from heldout.datasets.load_dataset import DATASETS

# name: rows, columns, missing values, kinds, first 16 digits of the digest
FACTS: dict[str, tuple[int, int, int, dict[str, int], str]] = {
    "house_votes": (435, 17, 392, {"category": 17}, "f751a607fd81ce72"),
    "penguins": (344, 8, 19, {"category": 3, "number": 5}, "e81d4dd229352065"),
    "play_tennis": (14, 6, 0, {"identifier": 1, "category": 5}, "c2ffcbeade6fd9cc"),
    "play_tennis_wind": (14, 6, 0, {"identifier": 1, "category": 4, "number": 1}, "4cb87445edd892c1"),
    "prostate": (97, 10, 0, {"number": 9, "category": 1}, "9dcd808e991b7077"),
    "soybean": (683, 36, 2337, {"category": 36}, "9c1b1f2a357ee0aa"),
    "travel_mode": (840, 9, 0, {"identifier": 1, "category": 2, "number": 6}, "d059b0b2218e4358"),
}


def test_every_table_is_listed() -> None:
    """names() is the list of what is embedded, and each is checked here."""
    assert set(datasets.names()) == set(FACTS)
    assert len(set(datasets.names())) == len(DATASETS)


@pytest.mark.parametrize("name", FACTS)
def test_a_table_has_its_rows_kinds_and_digest(name: str) -> None:
    """Shape, kinds, missing values and digest are the pinned ones."""
    n_rows, n_columns, n_missing, kinds, digest = FACTS[name]
    table = datasets.load(name)
    assert table.shape == (n_rows, n_columns)
    assert Counter(table.kinds.values()) == kinds
    assert table.kinds == dict(datasets.describe(name).kinds)
    assert sum(column.n_missing for column in table.columns) == n_missing
    assert table.digest[:16] == digest


@pytest.mark.parametrize("name", FACTS)
def test_a_table_says_where_it_is_from(name: str) -> None:
    """Source, licence and citation are there, and print within 80 characters."""
    record = datasets.describe(name)
    assert all((record.title, record.about, record.source, record.licence, record.citation))
    lines = str(record).splitlines()
    assert lines[0].startswith(f"{name}: ")
    assert max(len(line) for line in lines) <= 80


@pytest.mark.parametrize("name", FACTS)
def test_a_table_makes_a_task(name: str) -> None:
    """The target that is recorded can be predicted from what is left."""
    record = datasets.describe(name)
    task = ho.Task(datasets.load(name), record.target, groups=record.groups or None)
    assert task.kind == ("regression" if name == "prostate" else "classification")
    assert task.X.n_columns >= 4


def test_an_unknown_table_gets_a_suggestion() -> None:
    """A misspelled name is refused with the one that was meant."""
    with pytest.raises(ho.RequestError, match="no embedded table 'pinguins'") as caught:
        datasets.load("pinguins")
    assert caught.value.fix == "did you mean 'penguins'?"


def test_the_embedded_files_stay_small() -> None:
    """All tables together take less than a megabyte, and each has a record."""
    folder = Path(datasets.__file__).parent / "data"
    files = sorted(folder.iterdir())
    assert [file.stem for file in files] == sorted(FACTS)
    assert sum(file.stat().st_size for file in files) < 1_000_000


def entropy(labels: np.ndarray) -> float:
    _, counts = np.unique(labels, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def gain(y: np.ndarray, parts: np.ndarray) -> float:
    inside = sum((parts == part).mean() * entropy(y[parts == part]) for part in np.unique(parts))
    return entropy(y) - float(inside)


def test_play_tennis_has_the_known_gains() -> None:
    """Outlook, temperature, humidity and wind have the gains that are in every textbook."""
    task = ho.Task(datasets.load("play_tennis"), "PlayTennis")
    gains = [gain(task.y, task.X[name].values) for name in task.X]
    assert task.X.names == ("Outlook", "Temperature", "Humidity", "Wind")
    assert gains == pytest.approx([0.246750, 0.029223, 0.151836, 0.048127], abs=1e-6)


@pytest.mark.parametrize(("threshold", "known"), [(12, 0.00049), (10, 0.04813), (8, 0.15184)])
def test_numeric_wind_has_the_known_gains(threshold: float, known: float) -> None:
    """The thresholds of the slides have their gains, and 8 is the best of all."""
    task = ho.Task(datasets.load("play_tennis_wind"), "PlayTennis")
    wind = task.X["Wind"].values
    assert gain(task.y, wind >= threshold) == pytest.approx(known, abs=5e-6)
    assert max(gain(task.y, wind >= cut) for cut in np.unique(wind)) == pytest.approx(0.15184, abs=5e-6)


def test_travellers_have_four_rows_and_one_choice() -> None:
    """Rows of travel_mode belong together: each traveller chose one of four ways."""
    task = ho.Task(datasets.load("travel_mode"), "chosen", groups="individual")
    assert task.groups is not None
    assert set(Counter(task.groups.tolist()).values()) == {4}
    assert set(Counter(task.groups[task.y == "yes"].tolist()).values()) == {1}
    assert "individual" not in task.X


def test_the_corrected_row_of_prostate() -> None:
    """Row 32 has the corrected weight, and the textbook's split is 67 to 30."""
    table = datasets.load("prostate")
    assert table["lweight"].values[31] == pytest.approx(3.804438)
    assert Counter(table["part"].labels()) == {"train": 67, "test": 30}
