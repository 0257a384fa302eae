"""A problem with categories as a pandas frame, the form that all programs can start from."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.problem import Numbers, Problem


def mixed_frame(X: Numbers, problem: Problem) -> pd.DataFrame:
    """One column per input: numbers as they are, categories with all levels of the problem."""
    columns = {}
    for position, n_levels in enumerate(problem.levels):
        if n_levels:
            names = [f"level {level:03}" for level in range(n_levels)]
            codes = np.nan_to_num(X[:, position], nan=-1).astype(int)
            columns[f"category_{position}"] = pd.Categorical.from_codes(codes, categories=names)
        else:
            columns[f"number_{position}"] = X[:, position]
    return pd.DataFrame(columns)
