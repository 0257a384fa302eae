"""Exact nearest neighbors by Euclidean distance: each program's search, fitted and ready to be asked.

`fit` is off the clock for all of them, the building of a peer's tree too.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

import heldout as ho
from benchmarks.accelerated import accelerated
from benchmarks.outcome import OURS

Positions = NDArray[np.int64]
Cells = NDArray[Any]


@dataclass
class Searches:
    """Searches by name of the program; what their fit took; and why others do not take part."""

    work: dict[str, Callable[[], Positions]] = field(default_factory=dict)
    fit_seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, fitted: Callable[[], Callable[[], Positions]]) -> None:
        start = time.perf_counter()
        self.work[name] = fitted()
        self.fit_seconds[name] = time.perf_counter() - start


def neighbor_searches(references: Cells, queries: Cells, k: int, trees: Sequence[str] = ()) -> Searches:
    """The searches for k neighbors of each query; `trees` are those of the peers that take part as well."""
    found = Searches()
    heldout_search(references[:9], queries[:1], 1)  # loads what is loaded at first use
    found.add(OURS, partial(heldout_search, references, queries, k))
    for method in ("brute", *trees):
        found.add(f"scikit-learn {method}", partial(sklearn_search, references, queries, k, method))
    if importlib.util.find_spec("sklearnex"):
        importlib.import_module("sklearnex.neighbors")
        for method in [method for method in ("brute", *trees) if method != "ball_tree"]:
            found.add(f"intelex {method}", partial(intelex_search, references, queries, k, method))
    else:
        found.notes.append("scikit-learn-intelex is left out: it is not installed")
    if importlib.util.find_spec("faiss"):
        found.add("faiss", partial(faiss_search, references, queries, k))
    else:
        found.notes.append("faiss is left out: it is not installed")
    return found


def heldout_search(references: Cells, queries: Cells, k: int) -> Callable[[], Positions]:
    """Heldout's own; the classes play no part."""
    classes = np.arange(len(references)) % 2
    model = ho.NeighborsClassifier(k=k, metric="l2", n_jobs=1).fit(references, classes)

    def search() -> Positions:
        _, positions = model.kneighbors(queries)
        return np.asarray(positions, dtype=np.int64)

    return search


def sklearn_search(references: Cells, queries: Cells, k: int, method: str) -> Callable[[], Positions]:
    """By brute force, or with one of its trees."""
    model = NearestNeighbors(n_neighbors=k, algorithm=method, n_jobs=1).fit(references)

    def search() -> Positions:
        positions: Positions = model.kneighbors(queries)[1]
        return positions

    return search


def intelex_search(references: Cells, queries: Cells, k: int, method: str) -> Callable[[], Positions]:
    """oneDAL's, by brute force or with its kd-tree; every search is proved to be oneDAL's."""
    from sklearnex.neighbors import NearestNeighbors as OneDalNeighbors

    with accelerated():
        model = OneDalNeighbors(n_neighbors=k, algorithm=method, n_jobs=1).fit(references)

    def search() -> Positions:
        with accelerated():
            positions: Positions = model.kneighbors(queries)[1]
        return positions

    return search


def faiss_search(references: Cells, queries: Cells, k: int) -> Callable[[], Positions]:
    """A flat index; it knows float32 only, which is made off the clock."""
    import faiss

    index = faiss.IndexFlatL2(references.shape[1])
    index.add(np.ascontiguousarray(references, dtype=np.float32))
    asked = np.ascontiguousarray(queries, dtype=np.float32)

    def search() -> Positions:
        positions: Positions = index.search(asked, k)[1]
        return positions

    return search


def exact_positions(references: Cells, queries: Cells, k: int) -> Positions:
    """In float64, differences squared and added column by column; of equal distances the first row wins."""
    columns = references.T.astype(np.float64)
    found = np.empty((len(queries), k), dtype=np.int64)
    for index, query in enumerate(queries.astype(np.float64)):
        distances = np.zeros(len(references))
        for column, value in zip(columns, query, strict=True):
            distances += (column - value) ** 2
        nearest = np.flatnonzero(distances <= np.partition(distances, k - 1)[k - 1])
        found[index] = nearest[np.argsort(distances[nearest], kind="stable")][:k]
    return found
