"""Fingerprints of rows."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import DataError
from heldout.split import Fold, rows_digest


@given(rows=st.lists(st.integers(0, 10**12), unique=True), seed=st.integers(0, 9))
def test_order_and_type_leave_no_trace(rows: list[int], seed: int) -> None:
    """The digest is that of the set of rows, made by hand from a header and little-endian numbers."""
    shuffled = np.random.default_rng(seed).permutation(np.array(rows, dtype=np.int64))
    by_hand = f"heldout rows 1\n{len(rows)}\n".encode()
    by_hand += b"".join(row.to_bytes(8, "little") for row in sorted(rows))
    assert rows_digest(shuffled) == hashlib.sha256(by_hand).hexdigest()
    assert rows_digest(rows) == rows_digest(shuffled.astype(">i8"))


def test_other_rows_have_another_digest() -> None:
    """One row more, less or different changes the digest."""
    digests = {rows_digest(rows) for rows in ([], [0], [0, 1], [0, 2], [1, 2], [0, 1, 2])}
    assert len(digests) == 6


@pytest.mark.parametrize("rows", [[1, 1], [[1, 2]], [0.5], ["a"], [True, False]])
def test_what_is_no_set_of_rows_is_refused(rows: list[object]) -> None:
    """Repeated rows, tables, fractions, words and masks are refused in three parts."""
    with pytest.raises(DataError) as caught:
        rows_digest(rows)
    assert caught.value.where
    assert caught.value.fix


def test_the_digest_of_a_fold_tells_its_parts_apart() -> None:
    """The same rows in other parts are another fold; repeat and number are no part of it."""
    first, second, third = np.array([0, 1]), np.array([2, 3]), np.array([4])
    folds = [
        Fold(0, 0, first, second),
        Fold(0, 0, second, first),
        Fold(0, 0, first, second, third),
        Fold(0, 0, first, third, second),
        Fold(0, 0, first, np.array([2, 3, 4])),
    ]
    assert len({fold.digest for fold in folds}) == 5
    assert Fold(3, 2, first, second).digest == folds[0].digest


def test_a_fold_says_what_it_is() -> None:
    """A fold prints its counts and becomes a dict without rows."""
    fold = Fold(1, 2, np.arange(5), np.array([7]), np.array([5, 6]))
    assert str(fold) == "repeat 2, fold 3: 5 rows to learn from, 2 to choose by, 1 row to judge by"
    assert fold.to_dict() == {
        "repeat": 1,
        "number": 2,
        "n_train": 5,
        "n_validation": 2,
        "n_test": 1,
        "digest": fold.digest,
    }
