"""The singular value decomposition of a matrix, also where the fast way gives up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def singular_values(matrix: Floats, full_matrices: bool = False) -> tuple[Floats, Floats, Floats]:
    """U, S and Vᵀ.

    LAPACK's divide and conquer, which NumPy calls, gives up on some matrices of many dependent columns, such
    as levels of categories that go together. QR iterations are slower and find the same.

    >>> singular_values(np.diag([3.0, 4.0]))[1]
    array([4., 3.])
    """
    try:
        left, values, right = np.linalg.svd(matrix, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        from scipy.linalg import svd

        left, values, right = svd(matrix, full_matrices=full_matrices, lapack_driver="gesvd")
    return left, values, right
