"""Class weights of a forest move its decisions; its probabilities of new rows have the table's shares."""

from __future__ import annotations

import numpy as np
import pytest

from .weighed_forests import KINDS, SHARES, judged_ways

N_TABLES = 8


@pytest.mark.parametrize("shares", SHARES.values(), ids=list(SHARES))
def test_the_mean_probability_is_the_share(shares: tuple[float, ...]) -> None:
    """Within .01 over all kinds of tables and within .015 for each, as decision 71 says.

    Log loss and decisions are no worse than where weights are divided out of the mean of all trees.
    """
    offs = []
    for kind in KINDS:
        found = [judged_ways(kind, shares, seed) for seed in range(N_TABLES)]
        chosen = [each["grown without weights"] for each in found]
        divided = [each["divided once, for the mean"] for each in found]
        offs.append(np.mean([each.offs for each in chosen], axis=0))
        assert np.mean([each.log_loss for each in chosen]) <= np.mean([each.log_loss for each in divided])
        gain = np.mean([each.balanced for each in chosen]) - np.mean([each.balanced for each in divided])
        assert gain >= (-0.01 if kind == "noise" else 0.0)  # on noise every decision is a guess
    assert np.abs(offs).max() <= 0.015
    assert np.abs(np.mean(offs, axis=0)).max() <= 0.01
