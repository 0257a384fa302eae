"""Rows in random order within their strata.

The random bits are those of PCG64 itself, whose stream NumPy keeps the same (its `permutation` and `shuffle`
may change), and the order is that of whole numbers without ties. So a seed gives the same rows with any
version and on any machine, and a study can find its held rows again.
"""

from __future__ import annotations

import numpy as np

from heldout.split.row_facts import Codes


def shuffled(strata: Codes, n_strata: int, key: tuple[int, ...]) -> Codes:
    """Positions of all rows, stratum by stratum, random within each.

    strata:   the stratum of each row, from 0 without gaps
    n_strata: how many there are
    key:      the seed and whatever tells this shuffling from others with the same seed

    >>> shuffled(np.array([1, 0, 1, 0, 0]), 2, key=(0,)).tolist()
    [3, 1, 4, 2, 0]
    """
    n_rows = len(strata)
    row_bits = max(n_rows - 1, 1).bit_length()
    stratum_bits = max(n_strata - 1, 0).bit_length()
    random = np.random.PCG64(np.random.SeedSequence(key)).random_raw(n_rows)
    # One number holds stratum, chance and row, from the top: sorting it sorts by all three.
    random >>= np.uint64(row_bits + stratum_bits)
    random <<= np.uint64(row_bits)
    random |= np.arange(n_rows, dtype=np.uint64)
    if stratum_bits:
        random |= strata.astype(np.uint64) << np.uint64(64 - stratum_bits)
    random.sort()
    random &= np.uint64((1 << row_bits) - 1)
    return random.astype(np.intp)
