"""How many threads a learner may use."""

from __future__ import annotations

from typing import Any

from heldout.learners.parameters import Parameter, check_parameters

N_JOBS = Parameter("n_jobs", choices=(None,), number="integer", is_not_0=True)


def n_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` means: None is one, -1 all processors.

    >>> n_threads(None), n_threads(2)
    (1, 2)
    """
    if n_jobs is None or n_jobs == 1:
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def threads_of(learner: Any) -> int:
    """How many threads the learner may use now; `n_jobs` may have been set after `fit`."""
    check_parameters(learner, (N_JOBS,))
    return n_threads(learner.n_jobs)
