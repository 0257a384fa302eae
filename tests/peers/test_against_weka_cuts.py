"""Intervals beside those of Weka's filters, of which the supervised one follows Fayyad and Irani."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import heldout as ho
from heldout.table.column import Column, category_column

from .data_sets import CLASS_OF, data_set
from .weka_cuts import CutJob, weka_cuts

N_TABLES = 300


def our_cuts(discretize: ho.Discretize, X: ho.Table, y: NDArray[np.str_]) -> dict[str, list[float]]:
    """The cuts of each column of numbers."""
    discretize.fit(X, y)
    places = zip(discretize.columns_.tolist(), discretize.cuts_, strict=True)
    return {X.columns[place].name: cuts.tolist() for place, cuts in places}


def test_entropy_cuts_weka_s_tables_as_weka_does() -> None:
    """On all tables that come with Weka the cuts are those of its supervised filter."""
    theirs = weka_cuts(CutJob(name, data_set(name).path, data_set(name).target) for name in CLASS_OF)
    n_columns = 0
    for name, by_attribute in theirs.items():
        ours = our_cuts(ho.Discretize(by="entropy"), data_set(name).X, data_set(name).y)
        for attribute, cuts in by_attribute.items():
            n_columns += 1
            assert ours[attribute] == pytest.approx(cuts, rel=1e-12), (name, attribute)
    assert n_columns > 80


def test_width_cuts_weka_s_tables_as_weka_does() -> None:
    """Intervals of equal width have the ends that Weka's unsupervised filter gives them."""
    jobs = [
        CutJob(name, data_set(name).path, data_set(name).target, "unsupervised", "-B 7") for name in CLASS_OF
    ]
    for name, by_attribute in weka_cuts(jobs).items():
        ours = our_cuts(ho.Discretize(n=7), data_set(name).X, data_set(name).y)
        for attribute, cuts in by_attribute.items():
            assert ours[attribute] == pytest.approx(cuts, rel=1e-12, abs=1e-12), (name, attribute)


def test_entropy_cuts_random_tables_as_weka_does(tmp_path: Path) -> None:
    """On random tables with ties and gaps the cuts are the same, wherever one is better than all others.

    Where two are equally good Weka takes one by the rounding of its logarithms; then ours must be the lower.
    """
    tables = {f"table {seed}": random_table(seed) for seed in range(N_TABLES)}
    jobs = []
    for name, table in tables.items():
        path = tmp_path / f"{name}.arff"
        path.write_text(arff_text(table))
        jobs.append(CutJob(name, path, "target"))
    theirs = weka_cuts(jobs)
    n_cuts = n_ties = 0
    for name, table in tables.items():
        classes = np.array(table["target"].labels())
        ours = our_cuts(ho.Discretize(by="entropy"), table.drop("target"), classes)
        for attribute, cuts in theirs[name].items():
            n_cuts += len(cuts)
            if ours[attribute] != pytest.approx(cuts, rel=1e-12):
                n_ties += 1
                values = np.asarray(table[attribute].values)
                is_known = ~np.isnan(values)
                assert are_tied(values[is_known], classes[is_known], ours[attribute], cuts), (name, attribute)
    assert n_cuts > 1000
    assert n_ties < 10


def are_tied(
    values: NDArray[np.float64], classes: NDArray[np.str_], ours: list[float], theirs: list[float]
) -> bool:
    """Whether the first cuts that differ, in the part of the rows that both cut, part the classes alike."""
    shared = sorted(set(ours) & set(theirs))
    our_cut = next(cut for cut in ours if cut not in theirs)
    their_cut = next(cut for cut in theirs if cut not in ours)
    part = np.searchsorted(shared, [our_cut, their_cut])
    if part[0] != part[1]:
        return False
    is_here = np.searchsorted(shared, values) == part[0]
    mixed = [mixedness(values[is_here], classes[is_here], cut) for cut in (our_cut, their_cut)]
    return our_cut < their_cut and abs(mixed[0] - mixed[1]) < 1e-9 * (1 + abs(mixed[0]))


def mixedness(values: NDArray[np.float64], classes: NDArray[np.str_], cut: float) -> float:
    """N·H of the classes on both sides of a cut, added."""
    total = 0.0
    for side in (values <= cut, values > cut):
        counts = np.unique(classes[side], return_counts=True)[1]
        total += counts.sum() * np.log2(counts.sum()) - (counts * np.log2(counts)).sum()
    return total


def random_table(seed: int) -> ho.Table:
    """Numbers with ties and gaps, some of which tell the class."""
    generator = np.random.default_rng(seed)
    n_rows, n_columns, n_classes = generator.integers((10, 1, 2), (600, 6, 6))
    columns = []
    classes = generator.integers(0, n_classes, n_rows)
    for place in range(n_columns):
        values = generator.normal(size=n_rows) + generator.uniform(0, 2) * classes
        if generator.random() < 0.7:
            values = np.round(values * generator.integers(1, 20))
        values[generator.random(n_rows) < 0.1] = np.nan
        columns.append(Column(f"column {place}", "number", values))
    return ho.Table([*columns, category_column("target", [f"class {code}" for code in classes])])


def arff_text(table: ho.Table) -> str:
    """The table as ARFF, with all digits."""
    declared = [f"@attribute '{name}' numeric" for name in table.names[:-1]]
    levels = ",".join(repr(level) for level in table["target"].levels)
    rows = [
        ",".join(
            "?" if cell is None else repr(cell) if place == table.n_columns - 1 else cell
            for place, cell in enumerate(row)
        )
        for row in zip(*(column.labels() for column in table.columns), strict=True)
    ]
    return "\n".join(["@relation random", *declared, f"@attribute target {{{levels}}}", "@data", *rows, ""])
