"""Names of the arrays that go through every package, so that each is written once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]  # indices of rows, from 0
Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]
