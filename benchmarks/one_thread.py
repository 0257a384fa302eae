"""Holds the libraries that compute for NumPy, SciPy and faiss to one thread."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_thread() -> Iterator[None]:
    """BLAS and OpenMP use one thread; libraries that come in later are not held."""
    if importlib.util.find_spec("faiss"):
        import faiss

        faiss.omp_set_num_threads(1)
    with threadpool_limits(limits=1):
        yield
