"""How worker processes begin: forked, where that is safe, else from nothing.

A fork takes milliseconds and shares every page of the table. What it does not take along are threads: a lock
that another thread holds stays locked, and a pool of threads that a library made before the fork is dead
after it. Heldout and scikit-learn are safe: our kernels' threads end with each call, Python, the allocator,
BLAS and Arrow mend themselves after a fork, and OpenMP is held to one thread, which needs no pool.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout.study.cells.work import Work

# Their pools of threads do not survive a fork: a worker would wait for ever.
NOT_FORKABLE = frozenset(
    {
        "catboost",
        "jax",
        "keras",
        "lightgbm",
        "onnxruntime",
        "polars",
        "skorch",
        "tensorflow",
        "torch",
        "xgboost",
    }
)


def start_method_for(work: Work) -> str:
    """ "fork" on Linux, unless a contender is of a library that a fork would break; else "spawn"."""
    if sys.platform != "linux":
        return "spawn"
    parts = (part for contender in work.resolved.contenders for part in _parts(contender))
    return "spawn" if any(packages_of(part) & NOT_FORKABLE for part in parts) else "fork"


def packages_of(thing: Any) -> set[str]:
    """The packages that a thing's class and its ancestors come from.

    >>> packages_of(1.5)
    {'builtins'}
    """
    kind = thing if isinstance(thing, type) else type(thing)
    return {parent.__module__.partition(".")[0] for parent in kind.__mro__ if parent is not object} or {
        "builtins"
    }


def _parts(contender: Any) -> Iterator[Any]:
    """A contender's learner and preparation, what they are made of, and what tuning may put into them."""
    tuned = (value for setting in contender.settings() for value in setting.values())
    for thing in (contender.learner, contender.prepare, *tuned):
        yield thing
        if hasattr(thing, "get_params"):
            yield from thing.get_params(deep=True).values()
