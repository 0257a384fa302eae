"""Work that is mapped from a file is the work that was written, without a copy of its arrays."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from heldout.study.runners import mapped_work
from heldout.study.runners.mapped_work import map_work, write_work

from .made_cells import made_result, made_work


def there_and_back(content: Any) -> Any:
    path = write_work(made_result, content)
    try:
        return map_work(path)[1]
    finally:
        path.unlink()


@pytest.mark.slow
@given(
    st.lists(
        arrays.arrays(
            st.sampled_from([np.float64, np.int32, np.uint8, np.bool_]), arrays.array_shapes(min_side=0)
        ),
        max_size=4,
    )
)
def test_arrays_come_back_as_they_were(content: list[np.ndarray[Any, Any]]) -> None:
    """Any arrays come back with their values, types and shapes, empty ones too."""
    found = there_and_back(content)
    assert len(found) == len(content)
    for before, after in zip(content, found, strict=True):
        assert (before.dtype, before.shape) == (after.dtype, after.shape)
        np.testing.assert_array_equal(before, after)


def test_arrays_lie_in_the_file_and_are_aligned() -> None:
    """An array of the work is no copy: its memory is the mapped file, and begins at a multiple of 64."""
    work = made_work("tree")
    large = np.arange(100_000.0)
    path = write_work(made_result, (work, large))
    assert path.stat().st_size < large.nbytes + 300_000
    found = map_work(path)[1][1]
    path.unlink()
    base = found
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    assert isinstance(base, memoryview | pickle.PickleBuffer)
    assert found.ctypes.data % 64 == 0


def test_writing_into_a_mapped_array_changes_nobody_else() -> None:
    """A learner may write into its input; the file and the other workers keep what they have."""
    path = write_work(made_result, np.zeros(10))
    mine, other = map_work(path)[1], map_work(path)[1]
    mine[:] = 7.0
    assert other.tolist() == [0.0] * 10
    assert map_work(path)[1].tolist() == [0.0] * 10
    path.unlink()


def test_real_work_comes_back() -> None:
    """A plan with its table and folds is the same on the other side."""
    work = made_work("tree")
    found = there_and_back(work)
    assert found.X.digest == work.X.digest
    assert found.resolved.digest == work.resolved.digest
    assert [fold.digest for fold in found.folds] == [fold.digest for fold in work.folds]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_only_the_user_can_read_the_file() -> None:
    """The file holds the user's data: nobody else may open it."""
    path = write_work(made_result, "secret")
    assert path.stat().st_mode & 0o077 == 0
    path.unlink()


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file cannot be written, nothing of it stays behind."""
    monkeypatch.setattr(mapped_work.tempfile, "tempdir", str(tmp_path))

    def full(file: Any, parts: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mapped_work, "_write_parts", full)
    with pytest.raises(OSError, match="No space"):
        write_work(made_result, np.zeros(10))
    assert list(tmp_path.iterdir()) == []
