"""How many bits it takes to write a fitted model down, also one that is not ours."""

from __future__ import annotations

import io
import math
import pickle
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from heldout.errors import RequestError
from heldout.learners.description_length import class_bits, mean_bits, number_bits, share_bits, tree_bits
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, THRESHOLD


@dataclass(frozen=True)
class ModelLength:
    """How long the description of a model is.

    bits:       its length
    is_pickled: whether a part of it is the length of a compressed pickle, which is no code for its kind
    """

    bits: float
    is_pickled: bool = False


def model_length(model: Any, X: Any) -> ModelLength:
    """The length of a fitted model.

    Ours know their code, and trees, forests and linear models of others get the same one. A pipeline is the
    sum of its steps; a search is what it found. Anything else is the length of its compressed pickle, which
    is written and never loaded.

    X: the rows that it was fitted on
    """
    return _length(model, KnownRows(lambda: X))


def _length(model: Any, rows: KnownRows) -> ModelLength:
    if is_skipped(model):
        return ModelLength(0.0)
    if hasattr(model, "description_bits"):
        return ModelLength(float(model.description_bits()))
    own, parts = 0.0, _steps(model, rows)
    if parts is None:
        found = coded(model, rows)
        if found is None:
            return ModelLength(8.0 * len(zlib.compress(_pickled(model), 9)), is_pickled=True)
        own, parts = found.bits, list(found.parts)
    lengths = [_length(*part) for part in parts]
    return ModelLength(
        math.fsum([own, *(each.bits for each in lengths)]), any(each.is_pickled for each in lengths)
    )


def _steps(model: Any, rows: KnownRows) -> list[tuple[Any, KnownRows]] | None:
    """The steps of a pipeline, or the find of a search, each with the rows that it was fitted on."""
    if type(model) is ThresholdClassifier:  # a threshold belongs to the use of a model
        return [(model.estimator_, rows)]
    if hasattr(model, "best_estimator_"):  # a search keeps its clock times, which are no part of its find
        return [(model.best_estimator_, rows)]
    if not isinstance(getattr(model, "steps", None), list):
        return None
    found = []
    for _, step in model.steps:
        found.append((step, rows))
        rows = rows if is_skipped(step) else rows.behind(step)
    return found


def _pickled(model: Any) -> bytes:
    """A pickle whose length follows from the values alone.

    A common pickle writes an object once and then refers to it, so that equal strings take more or less
    room depending on whether they are one object: a plan that was read from a file would give other bits.
    """
    try:
        return _written(model, is_plain=True)
    except (ValueError, RecursionError):  # it holds itself, which only references can say
        pass
    except Exception as error:
        raise _no_pickle(model, error) from error
    try:
        return _written(model, is_plain=False)
    except Exception as error:
        raise _no_pickle(model, error) from error


def _written(model: Any, is_plain: bool) -> bytes:
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.fast = is_plain
    pickler.dump(model)
    return stream.getvalue()


def _no_pickle(model: Any, error: Exception) -> RequestError:
    return RequestError(
        f"{type(model).__name__} cannot be pickled, so its bits are not known",
        where=f"{type(error).__name__}: {error}"[:200],
        fix="leave functions without a name out of its parameters",
    )


# The numbers that a transformer of scikit-learn learns, by the names that it keeps them under.
_NUMBERS_OF = {
    "StandardScaler": ("mean_", "scale_"),
    "RobustScaler": ("center_", "scale_"),
    "MinMaxScaler": ("min_", "scale_"),
    "MaxAbsScaler": ("scale_",),
    "SimpleImputer": ("statistics_",),
    "PCA": ("mean_", "components_"),
    "TruncatedSVD": ("components_",),
    "OneHotEncoder": (),
    "OrdinalEncoder": (),
    "PolynomialFeatures": (),
    "Normalizer": (),
}


@dataclass(frozen=True)
class Coded:
    """The length of a model, but for parts that are models themselves.

    bits:  of what is its own
    parts: each with the rows that it was fitted on
    """

    bits: float
    parts: tuple[tuple[Any, KnownRows], ...] = ()


class KnownRows:
    """The training rows of a model without their targets, as far as the length of the model asks for them.

    make: gives X; called when it is asked for
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def matrix(self) -> Any:
        """The rows, as an array, a sparse matrix or a frame."""
        made = self._make()
        return made if issparse(made) or hasattr(made, "iloc") else np.asarray(made)

    @property
    def n_rows(self) -> int:
        return int(self.matrix.shape[0])

    @cached_property
    def n_values(self) -> NDArray[np.int64]:
        """How many distinct known values each column has."""
        known = [column[~_is_gap(column)] for column in self._columns]
        return np.array([len(set(each.tolist())) for each in known], dtype=np.int64)

    @cached_property
    def has_gaps(self) -> NDArray[np.bool_]:
        """Which columns have missing values."""
        return np.array([bool(_is_gap(column).any()) for column in self._columns], dtype=np.bool_)

    def behind(self, step: Any) -> KnownRows:
        """The rows as a fitted transformer hands them on."""
        return KnownRows(lambda: step.transform(self.matrix))

    def of_columns(self, indices: Any) -> KnownRows:
        """Some of the columns, by position, mask or name."""
        return KnownRows(lambda: _taken(self.matrix, indices))

    @property
    def _columns(self) -> list[NDArray[Any]]:
        if issparse(self.matrix):
            columns = self.matrix.tocsc()
            return [columns[:, [index]].toarray().ravel() for index in range(columns.shape[1])]
        return list(np.asarray(self.matrix).T)


def coded(model: Any, rows: KnownRows) -> Coded | None:
    """The length of a model of others in the code that ours have; None where there is none for its kind.

    rows: that it was fitted on
    """
    if hasattr(model, "tree_"):
        return Coded(_tree(model, rows))
    if hasattr(model, "_predictors") and hasattr(model, "_baseline_prediction"):
        return Coded(_histogram_trees(model, rows))
    if hasattr(model, "estimators_"):
        return _ensemble(model, rows)
    if hasattr(model, "coef_"):
        return Coded(_n_coefficients(model) * number_bits(rows.n_rows))
    if type(model).__module__.startswith("sklearn."):
        return _guess(model, rows) if "Dummy" in type(model).__name__ else _preparation(model, rows)
    return None


def _tree(model: Any, rows: KnownRows) -> float:
    nodes = model.tree_
    is_leaf = nodes.children_left == nodes.children_right
    n_classes = len(model.classes_) if hasattr(model, "classes_") else None
    kinds = np.where(is_leaf, LEAF, THRESHOLD).astype(np.uint8)
    feature = np.where(is_leaf, 0, nodes.feature).astype(np.int32)
    bits = tree_bits(feature, kinds, rows.n_values, nodes.n_node_samples[is_leaf], n_classes)
    return bits + float(np.count_nonzero(rows.has_gaps[feature[~is_leaf]]))  # the side of missing values


def _histogram_trees(model: Any, rows: KnownRows) -> float:
    """HistGradientBoosting: trees whose leaves hold numbers, after a constant for each of them."""
    total = float(np.size(model._baseline_prediction) * mean_bits(rows.n_rows))
    for nodes in (predictor.nodes for stage in model._predictors for predictor in stage):
        is_leaf = nodes["is_leaf"].astype(np.bool_)
        split = np.where(nodes["is_categorical"], LEVEL_SET, THRESHOLD)
        feature = np.where(is_leaf, 0, nodes["feature_idx"]).astype(np.int32)
        kinds = np.where(is_leaf, LEAF, split).astype(np.uint8)
        total += tree_bits(feature, kinds, rows.n_values, nodes["count"][is_leaf], None)
        total += float(np.count_nonzero(rows.has_gaps[feature[~is_leaf]]))
    return total


def _ensemble(model: Any, rows: KnownRows) -> Coded | None:
    """The models that a model holds, with their weights and columns, and what they begin from."""
    if hasattr(model, "final_estimator_"):  # it reads predictions, whose values are not known here
        return None
    members = [part for part in np.ravel(np.asarray(model.estimators_, dtype=object)) if not is_skipped(part)]
    bits = len(members) * number_bits(rows.n_rows) if hasattr(model, "estimator_weights_") else 0.0
    parts = [(member, rows) for member in members]
    if hasattr(model, "estimators_features_"):
        n_columns = int(model.n_features_in_)
        # A bag of columns that were drawn with replacement has no more sets than one without.
        sets = [np.unique(each) for each in model.estimators_features_]
        bits += math.fsum(math.log2(math.comb(n_columns, len(each))) for each in sets)
        drawn = zip(members, model.estimators_features_, strict=True)
        parts = [(member, rows.of_columns(columns)) for member, columns in drawn]
    if not is_skipped(getattr(model, "init_", None)):
        parts.append((model.init_, rows))
    return Coded(bits, tuple(parts))


def _n_coefficients(model: Any) -> int:
    has_intercept = getattr(model, "fit_intercept", True) and hasattr(model, "intercept_")
    return int(np.size(model.coef_) + (np.size(model.intercept_) if has_intercept else 0))


def _guess(model: Any, rows: KnownRows) -> Coded | None:
    if hasattr(model, "constant_"):
        return Coded(float(np.size(model.constant_) * mean_bits(rows.n_rows)))
    if not hasattr(model, "class_prior_"):
        return None
    n_classes = len(model.classes_)
    if model.strategy in ("prior", "stratified"):
        return Coded(float(share_bits(rows.n_rows, n_classes)))
    return Coded(class_bits(n_classes) if model.strategy == "most_frequent" else 0.0)


def _preparation(model: Any, rows: KnownRows) -> Coded | None:
    """A transformer that learns nothing, numbers, or which columns to keep; or several side by side."""
    if hasattr(model, "transformers_"):
        beside = [(part, rows.of_columns(columns)) for _, part, columns in model.transformers_]
        return Coded(0.0, tuple(beside))
    names = _NUMBERS_OF.get(type(model).__name__)
    if names is None or not hasattr(model, "n_features_in_"):
        return None
    n_numbers = sum(np.size(getattr(model, name)) for name in names if getattr(model, name) is not None)
    return Coded(
        0.0 if getattr(model, "strategy", "") == "constant" else n_numbers * number_bits(rows.n_rows)
    )


def is_skipped(part: Any) -> bool:
    """Whether a step does nothing: None, "passthrough", "drop" or "zero"."""
    return part is None or (isinstance(part, str) and part in ("passthrough", "drop", "zero"))


def _is_gap(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    return np.array([value is None or value != value for value in column.tolist()], dtype=np.bool_)


def _taken(X: Any, indices: Any) -> Any:
    if isinstance(indices, slice):
        return X[:, indices] if not hasattr(X, "iloc") else X.iloc[:, indices]
    chosen = np.asarray([indices] if isinstance(indices, str | int) else indices)
    if hasattr(X, "iloc"):
        return X.loc[:, chosen] if chosen.dtype.kind in "OU" else X.iloc[:, chosen]
    return X[:, chosen]
