"""One thread for linear algebra while a cell is computed: sums in another order would be other bits.

BLAS and OpenMP may cut a sum by the number of threads. A cell gives the same numbers on any machine load,
in any number of workers, so they get one; workers compute different cells at the same time instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from heldout.study.runners.one_thread import one_thread, thread_controller


@contextmanager
def one_algebra_thread() -> Iterator[None]:
    """Compute with one thread of BLAS and OpenMP inside the block.

    >>> with one_algebra_thread():
    ...     1 + 1
    2
    """
    with one_thread(_libraries()):
        yield


# The libraries are found once: to look for them takes a hundred times as long as to set them.
_libraries = cache(thread_controller)
