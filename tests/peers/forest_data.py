"""The data sets on which forests are compared: Weka's tables, and numbers that come with scikit-learn."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import heldout as ho

from .data_sets import DataSet, data_set

FROM_WEKA = (
    "iris",
    "breast-cancer",
    "credit-g",
    "diabetes",
    "glass",
    "ionosphere",
    "labor",
    "segment-challenge",
    "soybean",
    "vote",
)
FROM_SKLEARN = {"wine": load_wine, "breast-cancer-wisconsin": load_breast_cancer, "digits": load_digits}
FOREST_SETS = (*FROM_WEKA, *FROM_SKLEARN)


@cache
def forest_data(name: str) -> DataSet:
    """A data set by its name."""
    if name in FROM_WEKA:
        return data_set(name)
    bunch = FROM_SKLEARN[name](as_frame=True)
    frame = bunch.data.rename(columns=lambda column: str(column).replace(" ", "_"))
    return DataSet(name, Path(), "target", ho.read_table(frame), bunch.target.to_numpy().astype(np.str_))


def filled(data: DataSet) -> pd.DataFrame:
    """The inputs for programs that take no gaps: the median of a number, the most frequent level."""
    frame = data.frame
    return frame.apply(
        lambda column: column.fillna(
            column.median() if pd.api.types.is_numeric_dtype(column) else column.mode()[0]
        )
    )
