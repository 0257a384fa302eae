"""Native libraries keep to one thread while cells run: sums in one order, and no quarrel for cores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_SETTLED: set[int] = set()  # processes that have one thread anyway; a fork copies the set, not the number
VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


@cache
def thread_controller() -> Any:
    """What holds the thread pools of the libraries that are loaded; takes 7 ms to find them, once."""
    import scipy.linalg  # noqa: F401  # brings a BLAS of its own, which has to be there to be held
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread(controller: Any = None) -> Iterator[None]:
    """BLAS and OpenMP with one thread inside the block, and as they were after it.

    With more threads BLAS adds in another order, and the last digits of a score would tell on how many
    workers it was computed.

    controller: what `thread_controller` gave, if it is there already
    """
    if os.getpid() in _SETTLED:
        yield
        return
    with (controller or thread_controller()).limit(limits=1):
        yield


def keep_one_thread(is_held: bool = False) -> None:
    """The same for the whole life of a worker, and for libraries that are loaded later.

    is_held: the parent forked inside `one_thread`. To ask OpenBLAS for one thread after a fork costs 9 ms,
             as it first makes all the threads that the fork has not copied
    """
    for name in VARIABLES:
        os.environ[name] = "1"
    if not is_held:
        thread_controller().limit(limits=1)
    _SETTLED.add(os.getpid())
