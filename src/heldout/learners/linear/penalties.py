"""Which penalties are looked at where the user names none, and what may be named."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.learners.linear.ridge_spectrum import RidgeSpectrum

Floats = NDArray[np.float64]

N_SEARCHED = 50
N_DRAWN = 60
MOST_FREE, LEAST_FREE = 0.99, 0.1


def given_alphas(alphas: Any) -> Floats:
    """The penalties that the user names: finite numbers of at least 0, in any order."""
    try:
        values = np.array(alphas, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refused(f"alphas={alphas!r:.60}") from error
    if values.ndim != 1 or not len(values):
        raise _refused(f"alphas has the shape {values.shape}")
    is_refused = ~(np.isfinite(values) & (values >= 0))
    if is_refused.any():
        first = int(is_refused.argmax())
        raise _refused(f"alphas[{first}] is {values[first]:g}")
    return values


def searched_alphas(spectrum: RidgeSpectrum) -> Floats:
    """Penalties from almost none to one that leaves almost nothing, each larger by the same factor."""
    if spectrum.rank == 0:
        return np.ones(1)
    ends = [MOST_FREE * spectrum.rank, min(LEAST_FREE, 0.1 * spectrum.rank)]
    lowest, highest = (spectrum.alpha_of(df) for df in ends)
    return np.geomspace(lowest, highest, N_SEARCHED)


def drawn_alphas(spectrum: RidgeSpectrum) -> Floats:
    """Penalties from 0 on, at which the effective degrees of freedom fall in equal steps."""
    if spectrum.rank == 0:
        return np.zeros(1)
    steps = spectrum.rank * np.arange(N_DRAWN, 0, -1) / N_DRAWN
    return np.array([spectrum.alpha_of(float(df)) for df in steps])


def _refused(where: str) -> RequestError:
    return RequestError(
        "alphas must be a list of finite numbers of at least 0",
        where=where,
        fix="write for instance alphas=[0.1, 1.0, 10.0]",
    )
