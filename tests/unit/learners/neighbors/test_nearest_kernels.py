"""The search for neighbors equals brute force with NumPy: the same rows in the same order, the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

from heldout.native.neighbors import nearest, nearest_mixed, nearest_sparse

from .plain_nearest import plain_distances, plain_gower, plain_nearest

METRICS = ("l1", "l2", "linf", "hamming", "cosine")
KINDS = (
    "normal",
    "small_integers",
    "duplicates",
    "constant_columns",
    "huge_offset",
    "subnormal",
    "huge",
    "one_outlier",
    "mixed_scales",
    "clusters",
    "zeros",
)


def rows_of(kind: str, n_rows: int, n_columns: int, generator: np.random.Generator) -> np.ndarray:
    """Rows that are hard in one way."""
    X = generator.standard_normal((n_rows, n_columns))
    if kind == "small_integers":
        return generator.integers(0, 3, (n_rows, n_columns)).astype(float)
    if kind == "duplicates":
        return X[generator.integers(0, max(1, n_rows // 5), n_rows)]
    if kind == "constant_columns":
        X[:, ::2] = 0.1
    if kind == "huge_offset":
        X = 1e8 + generator.integers(0, 50, X.shape) * 2.0**-20
    if kind == "subnormal":
        X *= 1e-310
    if kind == "huge":
        X *= 1e200
    if kind == "one_outlier":
        X[n_rows // 2] *= 1e12
    if kind == "mixed_scales":
        X *= 10.0 ** generator.integers(-12, 12, n_columns)
    if kind == "clusters":
        X = 100.0 * X[generator.integers(0, max(1, n_rows // 10), n_rows)] + 1e-7 * X
    if kind == "zeros":
        X[generator.random(n_rows) < 0.5] = 0.0
    return X


def as_type(X: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        return np.ascontiguousarray(np.nan_to_num(X.astype(dtype)))


def assert_same(found: tuple[np.ndarray, np.ndarray], wanted: tuple[np.ndarray, np.ndarray]) -> None:
    """The same indices, and distances with the same bits."""
    np.testing.assert_array_equal(found[0], wanted[0])
    np.testing.assert_array_equal(found[1], wanted[1])
    assert found[0].dtype == np.int32
    assert found[1].dtype == np.float64


@pytest.mark.slow
@settings(max_examples=300)
@given(
    kind=st.sampled_from(KINDS),
    metric=st.sampled_from(METRICS),
    method=st.sampled_from(("auto", "scan", "tree")),
    dtype=st.sampled_from(("float32", "float64")),
    shape=st.tuples(st.integers(2, 400), st.integers(1, 40), st.integers(1, 40)),
    share_of_k=st.sampled_from((0.0, 0.0, 0.02, 0.1, 0.5, 1.0)),
    is_weighted=st.booleans(),
    leaves_own_out=st.booleans(),
    n_threads=st.integers(1, 2),
    seed=st.integers(0, 2**31),
)
def test_nearest_equals_brute_force(
    kind: str,
    metric: str,
    method: str,
    dtype: str,
    shape: tuple[int, int, int],
    share_of_k: float,
    is_weighted: bool,
    leaves_own_out: bool,
    n_threads: int,
    seed: int,
) -> None:
    """Every metric, method, type and hard kind of rows gives the neighbors of brute force, bit for bit."""
    n_references, n_queries, n_columns = shape
    generator = np.random.default_rng(seed)
    X = as_type(rows_of(kind, n_references + n_queries, n_columns, generator), dtype)
    references = np.ascontiguousarray(X[:n_references])
    queries = references if leaves_own_out else np.ascontiguousarray(X[n_references:])
    weights = generator.choice([0.0, 0.3, 1.0, 7.0], n_columns) if is_weighted else None
    k = max(1, int(share_of_k * (n_references - leaves_own_out)))
    found = nearest(
        references,
        queries,
        k,
        metric,
        leaves_own_out=leaves_own_out,
        column_weights=weights,
        method=method,
        n_threads=n_threads,
    )
    distances = plain_distances(references, queries, metric, weights)
    assert_same(found, plain_nearest(distances, k, leaves_own_out))


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", ["normal", "small_integers", "clusters", "huge_offset", "one_outlier"])
@pytest.mark.parametrize("n_columns", [3, 24])
def test_many_rows(kind: str, metric: str, n_columns: int) -> None:
    """With thousands of rows, where survivors are relieved and boxes are pruned, nothing is lost."""
    generator = np.random.default_rng(7)
    X = rows_of(kind, 4_080, n_columns, generator)
    generator.shuffle(X)
    for dtype in ("float32", "float64"):
        typed = as_type(X, dtype)
        references, queries = typed[:4_000].copy(), typed[4_000:].copy()
        wanted = plain_nearest(plain_distances(references, queries, metric), 60)
        for method, k in (("scan", 1), ("tree", 10), ("auto", 60), ("scan", 60), ("tree", 1)):
            found = nearest(references, queries, k, metric, method=method, n_threads=2)
            assert_same(found, (wanted[0][:, :k], wanted[1][:, :k]))


def test_sorted_references() -> None:
    """References that come nearer one by one, or go away, change nothing."""
    steps = np.arange(4_000, dtype=float)[:, None] * np.ones(20)
    for references in (steps, steps[::-1].copy()):
        queries = np.zeros((30, 20))
        distances = plain_distances(references, queries, "l2")
        assert_same(nearest(references, queries, 7, "l2"), plain_nearest(distances, 7))


@settings(max_examples=60)
@given(
    metric=st.sampled_from(METRICS),
    shape=st.tuples(st.integers(1, 12), st.integers(1, 6), st.integers(1, 5)),
    data=st.data(),
)
def test_any_floats(metric: str, shape: tuple[int, int, int], data: st.DataObject) -> None:
    """Whatever finite numbers hypothesis thinks of, the answer is that of brute force."""
    n_references, n_queries, n_columns = shape
    number = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, -1.0, 0.5])
    n = (n_references + n_queries) * n_columns
    numbers = data.draw(st.lists(number, min_size=n, max_size=n))
    X = np.array(numbers).reshape(-1, n_columns)
    references, queries = X[:n_references].copy(), X[n_references:].copy()
    distances = plain_distances(references, queries, metric)
    for method in ("scan", "tree"):
        assert_same(
            nearest(references, queries, n_references, metric, method=method),
            plain_nearest(distances, n_references),
        )


def test_what_is_not_a_number_does_no_harm() -> None:
    """NaN and infinity, which learners refuse, neither crash the core nor come before numbers."""
    X = np.random.default_rng(1).standard_normal((300, 6))
    X[::3, 2] = np.nan
    X[1::7, 4] = np.inf
    for metric in METRICS:
        for method in ("scan", "tree"):
            indices, distances = nearest(X, X, 20, metric, method=method, n_threads=2)
            assert not np.isnan(distances).any()
            assert all(len(set(row)) == 20 for row in indices.tolist())
            if metric in ("l1", "l2", "cosine"):
                wanted = plain_nearest(plain_distances(X, X, metric), 20)
                assert_same((indices, distances), wanted)


@settings(max_examples=100)
@given(
    shape=st.tuples(st.integers(2, 200), st.integers(1, 20), st.integers(0, 6), st.integers(0, 6)),
    share_unknown=st.sampled_from((0.0, 0.1, 0.6, 1.0)),
    leaves_own_out=st.booleans(),
    n_threads=st.integers(1, 2),
    seed=st.integers(0, 2**31),
)
def test_mixed_equals_brute_force(
    shape: tuple[int, int, int, int], share_unknown: float, leaves_own_out: bool, n_threads: int, seed: int
) -> None:
    """Gower's neighbors are those of brute force, with ties, missing values and columns without range."""
    n_references, n_queries, n_numbers, n_levels = shape
    generator = np.random.default_rng(seed)
    n_rows = n_references + n_queries
    numbers = generator.integers(0, 4, (n_rows, n_numbers)) / 3.0
    numbers[generator.random(numbers.shape) < share_unknown] = np.nan
    levels = generator.integers(0, 3, (n_rows, n_levels)).astype(np.int32)
    levels[generator.random(levels.shape) < share_unknown] = -1
    ranges = generator.choice([0.0, 1.0, 2.5], n_numbers)
    of_numbers = generator.choice([0.0, 1.0, 0.7], n_numbers)
    of_levels = generator.choice([0.0, 1.0, 0.7], n_levels)
    kept = slice(0, n_references) if leaves_own_out else slice(n_references, n_rows)
    sides = (numbers[:n_references], levels[:n_references], numbers[kept], levels[kept])
    k = int(generator.integers(1, n_references - leaves_own_out + 1))
    found = nearest_mixed(
        *sides, ranges, of_numbers, of_levels, k, leaves_own_out=leaves_own_out, n_threads=n_threads
    )
    distances = plain_gower(*sides, ranges, of_numbers, of_levels)
    assert_same(found, plain_nearest(distances, k, leaves_own_out))


@pytest.mark.slow
@settings(max_examples=100)
@given(
    metric=st.sampled_from(("l1", "l2", "cosine")),
    shape=st.tuples(st.integers(2, 300), st.integers(1, 20), st.integers(1, 60)),
    density=st.sampled_from((0.0, 0.02, 0.2, 1.0)),
    scale=st.sampled_from((1.0, 1e-310, 1e200)),
    is_small_integers=st.booleans(),
    is_weighted=st.booleans(),
    leaves_own_out=st.booleans(),
    n_threads=st.integers(1, 2),
    seed=st.integers(0, 2**31),
)
def test_sparse_equals_dense(
    metric: str,
    shape: tuple[int, int, int],
    density: float,
    scale: float,
    is_small_integers: bool,
    is_weighted: bool,
    leaves_own_out: bool,
    n_threads: int,
    seed: int,
) -> None:
    """Sparse rows have the neighbors, and the distances to the bit, of the same rows written out."""
    n_references, n_queries, n_columns = shape
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n_references + n_queries, n_columns))
    if is_small_integers:
        X = np.round(X)
    X = np.where(generator.random(X.shape) < density, X, 0.0) * scale
    references = X[:n_references]
    queries = references if leaves_own_out else X[n_references:]
    weights = generator.choice([0.0, 0.3, 1.0, 7.0], n_columns) if is_weighted else None
    k = int(generator.integers(1, n_references - leaves_own_out + 1))
    options: dict[str, Any] = {"leaves_own_out": leaves_own_out, "column_weights": weights}
    found = nearest_sparse(
        csr_array(references), csr_array(queries), k, metric, n_threads=n_threads, **options
    )
    distances = plain_distances(references, queries, metric, weights)
    assert_same(found, plain_nearest(distances, k, leaves_own_out))


def test_sparse_many_rows() -> None:
    """Thousands of sparse rows, as a text has them, lose no neighbor."""
    generator = np.random.default_rng(3)
    shape = (3_000, 120)
    X = np.where(generator.random(shape) < 0.05, generator.integers(1, 5, shape), 0).astype(float)
    for metric in ("l1", "l2", "cosine"):
        found = nearest_sparse(csr_array(X), csr_array(X[:60]), 9, metric, n_threads=2)
        assert_same(found, plain_nearest(plain_distances(X, X[:60], metric), 9))


def test_sparse_forms() -> None:
    """Other sparse formats, doubled entries and columns without order mean the same rows."""
    rows = coo_array((np.ones(5), ([0, 0, 1, 2, 2], [3, 3, 1, 2, 0])), shape=(3, 4))
    wanted = nearest(rows.toarray(), rows.toarray(), 3, "l2")
    assert_same(nearest_sparse(rows, rows, 3, "l2"), wanted)
    unsorted = csr_array((np.array([1.0, 2.0]), np.array([3, 0]), np.array([0, 2])), shape=(1, 4))
    assert_same(nearest_sparse(rows, unsorted, 3, "l2"), nearest(rows.toarray(), unsorted.toarray(), 3, "l2"))
    assert unsorted.indices.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "at least 1"),
        ({"k": 5}, "larger than the number"),
        ({"k": 4, "leaves_own_out": True}, "larger than the number"),
        ({"column_weights": np.ones(3)}, "a weight for each column"),
        ({"queries": np.ones((2, 3))}, "differ in their columns"),
        ({"queries": np.ones((2, 2)), "leaves_own_out": True}, "the queries are the references"),
        ({"metric": "l3"}, "does not know"),
        ({"method": "ball"}, "does not know"),
    ],
)
def test_shapes_that_do_not_fit(change: dict[str, Any], message: str) -> None:
    """What does not fit together is refused by the core, never read."""
    request: dict[str, Any] = {
        "references": np.ones((4, 2)),
        "queries": np.ones((4, 2)),
        "k": 1,
        "metric": "l2",
    }
    with pytest.raises(ValueError, match=message):
        nearest(**(request | change))


def test_no_queries() -> None:
    """No query gets no answer, and no columns leave all rows equally near."""
    assert nearest(np.ones((3, 2)), np.ones((0, 2)), 2, "l2")[0].shape == (0, 2)
    for method in ("scan", "tree"):
        for metric in ("l1", "l2", "linf"):
            found = nearest(np.ones((3, 0)), np.ones((1, 0)), 2, metric, method=method)
            assert [part.tolist() for part in found] == [[[0, 1]], [[0.0, 0.0]]]


@pytest.mark.slow
def test_plain_vectors_give_the_same_bits() -> None:
    """With HELDOUT_PLAIN=1, in a process of its own, these tests of brute force hold as well."""
    many = "many_rows and 24 and (l2 or cosine or l1) and (normal or clusters or one_outlier)"
    chosen = f"equals_brute_force or sorted_references or ({many})"
    python = [sys.executable, *(["-S"] if sys.flags.no_site else [])]
    run = subprocess.run(
        [*python, "-m", "pytest", "-v", "-p", "no:cacheprovider", str(Path(__file__)), "-k", chosen],
        env={**os.environ, "HELDOUT_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout
