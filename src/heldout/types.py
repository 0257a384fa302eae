"""Types that recur in signatures: what a user hands over, and the arrays that are passed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.arrays import Floats

# Classes or predictions as the user wrote them: words, numbers or booleans.
Labels: TypeAlias = NDArray[Any]


class HasShape(Protocol):
    """Rows and columns: a Table, a pandas, polars or Arrow frame, an array, a sparse matrix."""

    @property
    def shape(self) -> tuple[int, ...]: ...


class SparseMatrix(Protocol):
    """A sparse matrix or array of SciPy's, by rows or by columns."""

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    has_canonical_format: bool

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def T(self) -> SparseMatrix: ...  # noqa: N802
    def __getitem__(self, rows: Any, /) -> Self: ...
    def __matmul__(self, other: NDArray[Any], /) -> NDArray[Any]: ...
    def copy(self) -> Self: ...
    def multiply(self, other: NDArray[Any]) -> SparseMatrix: ...
    def sum_duplicates(self) -> None: ...
    def toarray(self) -> NDArray[Any]: ...
    def tocoo(self) -> Any: ...
    def tocsc(self) -> SparseMatrix: ...
    def tocsr(self) -> SparseMatrix: ...


class Estimator(Protocol):
    """A learner as scikit-learn defines it: parameters, `fit` and `predict`."""

    n_features_in_: int
    feature_names_in_: Labels

    def fit(self, X: Any, y: Any) -> Self: ...
    def predict(self, X: Any) -> Labels: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...


class Classifier(Estimator, Protocol):
    """A fitted classifier, which has probabilities, decision values or both."""

    classes_: Labels

    def decision_function(self, X: Any) -> Floats: ...


# X as users hand it over. Nested lists are array-like; a Table or a frame has a shape.
TableLike: TypeAlias = HasShape | ArrayLike
# Numbers that a learner computes with, dense or sparse.
Matrix: TypeAlias = NDArray[Any] | SparseMatrix
# One value for each row, or nothing: weights, groups.
PerRow: TypeAlias = ArrayLike | None
# One number for each column, in order or by name or position; None for 1 each.
PerColumn: TypeAlias = Mapping[Any, float] | ArrayLike | None
ClassWeight: TypeAlias = Mapping[Any, float] | str | None
RandomState: TypeAlias = int | np.random.RandomState | None
# Columns by name or by position.
ColumnChoice: TypeAlias = str | int | Sequence[str | int] | None
# "auto", or columns by name, by position or by a mask.
CategoryChoice: TypeAlias = str | Sequence[str | int | bool] | NDArray[Any]
# Parameters with lists of values, or a list of settings, each a dict.
SettingsSpace: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]
# X and y of the rows that a tree or rules are pruned by.
Validation: TypeAlias = tuple[TableLike, ArrayLike] | None
# How much a neighbor counts: a name, or a function of the distances, row × neighbor.
NeighborWeights: TypeAlias = str | Callable[[Floats], ArrayLike]
