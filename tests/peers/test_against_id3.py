"""ID3 trees beside Weka's Id3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import heldout as ho

from .data_sets import data_set
from .plain_tree import PlainTree, parting, plain_tree
from .weka_trees import Job, weka_fits

N_TABLES = 200


@pytest.mark.parametrize("name", ["weather.nominal", "contact-lenses"])
def test_the_tree_is_that_of_id3(name: str) -> None:
    """On Weka's own nominal tables both ask the same questions."""
    data = data_set(name)
    fits = weka_fits([Job(name, data.path, data.target, learner="Id3", options="")])
    ours = plain_tree(ho.TreeClassifier.id3().fit(data.X, data.y))
    assert parting(ours, fits[name, None, None].tree) is None


def test_the_trees_of_random_tables_are_those_of_id3(tmp_path: Path) -> None:
    """On 200 random tables both ask the same questions; where two columns gain the same, either will do."""
    tables = {f"table {seed}": random_table(seed) for seed in range(N_TABLES)}
    jobs = []
    for name, table in tables.items():
        path = tmp_path / f"{name}.arff"
        path.write_text(arff_text(table))
        jobs.append(Job(name, path, "target", learner="Id3", options=""))
    fits = weka_fits(jobs)
    partings = {
        name: parting_but_for_ties(table, fits[name, None, None].tree) for name, table in tables.items()
    }
    assert {name: place for name, place in partings.items() if place} == {}


def parting_but_for_ties(table: pd.DataFrame, theirs: PlainTree) -> str | None:
    """Where Heldout's tree of the table and theirs part, unless the columns asked there gain the same.

    ID3 treats the rows below a branch like a table of their own. So below such a tie, Heldout's tree of
    the rows in each of their branches must be their subtree.
    """
    waiting = [(table, id3_tree(table), 0, 0)]
    for rows, ours, our_index, their_index in waiting:
        our_node, their_node = ours[our_index], theirs[their_index]
        is_tied = our_node.attribute != their_node.attribute
        if is_tied and not gain_the_same(rows, our_node.attribute, their_node.attribute):
            return f"{len(rows)} rows: ask {our_node.attribute}, they {their_node.attribute}"
        if our_node.attribute is None and not our_node.answers & their_node.answers:
            return f"{len(rows)} rows: answer {our_node.answers}, they {their_node.answers}"
        for level, child in their_node.branches.items():
            below = rows[rows[their_node.attribute] == level]
            branch = (id3_tree(below), 0) if is_tied else (ours, our_node.branches[level])
            waiting.append((below, *branch, child))
    return None


def id3_tree(table: pd.DataFrame) -> PlainTree:
    return plain_tree(ho.TreeClassifier.id3().fit(table.drop(columns="target"), table["target"].astype(str)))


def gain_the_same(table: pd.DataFrame, ours: str | None, theirs: str | None) -> bool:
    """Do both columns gain the same information, to the last digits?"""
    if ours is None or theirs is None:
        return False
    return abs(information_gain(table, ours) - information_gain(table, theirs)) < 1e-12


def information_gain(table: pd.DataFrame, column: str) -> float:
    """How many bits the column tells about the target."""
    counts = pd.crosstab(table[column], table["target"]).to_numpy(dtype=float)
    shares = counts / counts.sum()
    expected = shares.sum(axis=1, keepdims=True) * shares.sum(axis=0, keepdims=True)
    is_there = shares > 0
    return float((shares[is_there] * np.log2(shares[is_there] / expected[is_there])).sum())


def random_table(seed: int) -> pd.DataFrame:
    """Categories of 2 to 5 levels; the class hangs on some of them and on chance."""
    generator = np.random.default_rng(seed)
    n_rows, n_columns, n_classes = generator.integers((20, 2, 2), (400, 9, 5))
    levels = generator.integers(2, 6, n_columns)
    codes = np.column_stack([generator.choice(n, n_rows, p=generator.dirichlet(np.ones(n))) for n in levels])
    effects = [generator.normal(size=(n, n_classes)) for n in levels]
    scores = sum(effect[codes[:, column]] for column, effect in enumerate(effects))
    target = (scores + generator.gumbel(size=scores.shape)).argmax(axis=1)
    columns = {
        f"column {column}": [f"level {code}" for code in codes[:, column]] for column in range(n_columns)
    }
    return pd.DataFrame(columns | {"target": [f"class {code}" for code in target]}, dtype="category")


def arff_text(table: pd.DataFrame) -> str:
    """The table as ARFF, its levels in the order in which Heldout has them."""
    declared = [
        f"@attribute '{name}' {{{','.join(repr(level) for level in table[name].cat.categories)}}}"
        for name in table.columns
    ]
    rows = [",".join(repr(cell) for cell in row) for row in table.itertuples(index=False)]
    return "\n".join(["@relation random", *declared, "@data", *rows, ""])
