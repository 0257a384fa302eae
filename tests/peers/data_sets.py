"""Weka's own data sets, as they come with its Debian package, and the folds that all programs share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import heldout as ho

EXAMPLES = Path("/usr/share/doc/weka/examples")
N_FOLDS = 10
SEEDS = (1, 2, 3, 4, 5)

CLASS_OF = {
    "iris": "class",
    "breast-cancer": "Class",
    "credit-g": "class",
    "diabetes": "class",
    "glass": "Type",
    "ionosphere": "class",
    "labor": "class",
    "segment-challenge": "class",
    "soybean": "class",
    "vote": "Class",
    "weather.nominal": "play",
    "weather.numeric": "play",
    "contact-lenses": "contact-lenses",
}
WITH_FOLDS = tuple(name for name in CLASS_OF if name != "contact-lenses")


@dataclass(frozen=True, eq=False)
class DataSet:
    """Inputs with their kinds, and the class of each row as a word."""

    name: str
    path: Path
    target: str
    X: ho.Table
    y: NDArray[np.str_]

    @property
    def frame(self) -> pd.DataFrame:
        """The inputs for programs that take no table of ours: numbers, and levels as words."""
        columns: dict[str, Any] = {
            column.name: np.asarray(column)
            if column.kind == "number"
            else pd.Series(column.labels(), dtype=object)
            for column in self.X.columns
        }
        return pd.DataFrame(columns)

    def folds(self, seed: int) -> NDArray[np.int64]:
        """The number of each row's fold: every class is dealt out in turn, at random within the class.

        Dealing goes on where the class before stopped, so that folds differ by one row at most.
        """
        generator = np.random.default_rng(seed)
        shuffled = generator.permutation(len(self.y))
        dealt = shuffled[np.argsort(self.y[shuffled], kind="stable")]
        fold_of_row = np.empty(len(self.y), dtype=np.int64)
        fold_of_row[dealt] = np.arange(len(self.y)) % N_FOLDS
        return fold_of_row


@cache
def data_set(name: str) -> DataSet:
    """The data set of this name, read from Weka's ARFF file."""
    return read_data_set(name, EXAMPLES / f"{name}.arff", CLASS_OF[name])


def read_data_set(name: str, path: Path, target: str) -> DataSet:
    """A data set from any ARFF file."""
    table = ho.read_table(path)
    return DataSet(name, path, target, table.drop(target), np.array(table[target].labels(), dtype=np.str_))
