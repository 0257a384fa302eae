"""What a model file holds of neighbors."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.neighbors.learned_metric import METRICS, SPARSE_METRICS
from heldout.learners.neighbors.neighbors_base import NeighborsBase
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.models.model_archive import (
    ArrayMembers,
    Forms,
    check_finite,
    damaged,
    read_arrays,
    read_sizes,
    short,
    write_arrays,
)
from heldout.models.records.learner_record import (
    CLASSES,
    LearnerRecord,
    check_classes,
    check_factors,
    set_attributes,
)
from heldout.models.records.tree_record import require

_WEIGHTS: Forms = {"feature_weights_": ("<f8", ("n_columns",))}
# What each metric has learned from the rows.
_LEARNED: dict[str, Forms] = {
    "gower": {"ranges_": ("<f8", ("n_numbers",))},
    "mahalanobis": {"center_": ("<f8", ("n_columns",)), "factor_": ("<f8", ("n_columns", "n_columns"))},
}
_WITH_LEVELS = ("gower", "hamming")


class NeighborsRecord(LearnerRecord[NeighborsBase]):
    """A NeighborsRegressor, or what a NeighborsClassifier shares with it: the rows, and the metric."""

    # The attribute with the answer of each row, and its type
    targets: ClassVar[tuple[str, str]] = ("targets_", "<f8")
    plain = frozenset({"metric_"})
    shaped = frozenset(
        {"numbers_", "levels_", "targets_", "feature_weights_", "ranges_", "center_", "factor_"}
    )
    rebuilt = frozenset({"_points"})
    parts = frozenset({"rows"})

    def check_writable(self, model: NeighborsBase) -> None:
        if callable(model.weights):
            raise RequestError(
                "a model file holds nothing that is executed, and weights is a function",
                where=f"{type(model).__name__}(weights={model.weights!r:.60})",
                fix='use weights="uniform", "inverse" or "gaussian", or keep the rows and fit again',
            )

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        metric = attributes.get("metric_")
        if type(metric) is not str or metric not in METRICS:
            raise damaged("the metric is none that this version knows", short(metric))

    def write_parts(self, model: NeighborsBase) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = write_rows(StoredRows(model.numbers_, model.levels_))
        forms = self._forms(model.metric_)
        return {"rows": record}, members | write_arrays("rows", vars(model), forms)

    def read_parts(self, model: NeighborsBase, parts: dict[str, Any], members: ArrayMembers) -> None:
        schema, metric = model.inputs_, model.metric_
        n_columns = len(schema.columns)
        n_levels = schema.n_categories if metric in _WITH_LEVELS else 0
        n_numbers = n_columns - n_levels
        rows = read_rows(parts["rows"], members, n_numbers, n_levels, metric == "gower")
        if rows.is_sparse and metric not in SPARSE_METRICS:
            raise damaged("the metric cannot compare sparse rows", metric)
        if n_levels:
            check_levels(rows.levels, schema, -1 if metric == "gower" else 0)
        sizes = {"n_rows": rows.n_rows, "n_columns": n_columns, "n_numbers": n_numbers}
        arrays = read_arrays("rows", self._forms(metric), sizes, members)
        self._check_targets(arrays[self.targets[0]], model)
        _check_metric(arrays)
        set_attributes(model, {"numbers_": rows.numbers, "levels_": rows.levels, **arrays})

    def _forms(self, metric: str) -> Forms:
        name, dtype = self.targets
        return {name: (dtype, ("n_rows",)), **_WEIGHTS, **_LEARNED.get(metric, {})}

    def _check_targets(self, targets: NDArray[Any], model: NeighborsBase) -> None:
        require(np.isfinite(targets), "a target is not a finite number")


class NeighborsClassifierRecord(NeighborsRecord):
    """A NeighborsClassifier: its rows answer with the places of their classes."""

    targets = ("class_codes_", "<i4")
    plain = NeighborsRecord.plain | CLASSES | {"n_classes_", "class_factors_"}
    shaped = NeighborsRecord.shaped - {"targets_"} | {"class_codes_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_factors(attributes)

    def _check_targets(self, targets: NDArray[Any], model: NeighborsBase) -> None:
        require((targets >= 0) & (targets < model.n_classes_), "a row has a class that is none")


def _check_metric(arrays: dict[str, Any]) -> None:
    weights = arrays["feature_weights_"]
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise damaged("the weights of the columns are no weights", "feature_weights_")
    if "ranges_" in arrays:
        require(arrays["ranges_"] >= 0, "the range of a column is negative or no number")
    if "factor_" in arrays:
        check_finite(arrays, ("center_", "factor_"), "the covariance")
        is_lower = np.array_equal(arrays["factor_"], np.tril(arrays["factor_"]))
        if not is_lower or not (np.diag(arrays["factor_"]) > 0).all():
            raise damaged("the covariance has no factor such as this", "factor_")


_DTYPES = ("<f8", "<f4")
# The sizes that the JSON declares, and the least that each can be; sparse rows store some of their cells.
_SIZES = {"n_rows": 1, "n_stored": 0}
_LEVELS: Forms = {"levels": ("<i4", ("n_rows", "n_levels"))}


def write_rows(rows: StoredRows) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the rows in JSON, and their arrays as members of the file."""
    numbers, dtype = rows.numbers, rows.numbers.dtype.newbyteorder("<").str
    n_stored = int(numbers.nnz) if rows.is_sparse else 0
    record = {
        "is_sparse": rows.is_sparse,
        "dtype": dtype,
        "sizes": {"n_rows": rows.n_rows, "n_stored": n_stored},
    }
    parts = {"numbers": numbers, "levels": rows.levels}
    if rows.is_sparse:
        parts |= {"stored": numbers.data, "columns": numbers.indices, "row_begin": numbers.indptr}
    return record, write_arrays("rows", parts, {**_number_forms(rows.is_sparse, dtype), **_LEVELS})


def read_rows(
    record: object, members: ArrayMembers, n_numbers: int, n_levels: int, allows_unknown: bool
) -> StoredRows:
    """The rows, checked."""
    if type(record) is not dict or set(record) != {"is_sparse", "dtype", "sizes"}:
        raise damaged("the rows are not described as they should be", short(record))
    is_csr, dtype = record["is_sparse"], record["dtype"]
    if type(is_csr) is not bool or type(dtype) is not str or dtype not in _DTYPES:
        raise damaged("the rows have an unknown form", f"{short(is_csr)}, {short(dtype)}")
    sizes = read_sizes(record["sizes"], _SIZES, "the rows")
    if sizes["n_stored"] and not is_csr:
        raise damaged("the rows have an unknown form", f"{sizes['n_stored']} stored cells")
    sizes |= {"n_numbers": n_numbers, "n_levels": n_levels, "n_begins": sizes["n_rows"] + 1}
    arrays = read_arrays("rows", {**_number_forms(is_csr, dtype), **_LEVELS}, sizes, members)
    numbers = _sparse_numbers(arrays, n_numbers) if is_csr else arrays["numbers"]
    values = arrays["stored"] if is_csr else numbers
    is_allowed = ~np.isinf(values) if allows_unknown else np.isfinite(values)
    require(is_allowed.ravel(), "a row has a number that is none")
    return StoredRows(numbers, arrays["levels"])


def check_levels(levels: NDArray[np.int32], schema: InputSchema, lowest: int) -> None:
    """Each level is one of its column; -1 stands for unknown, where that is allowed."""
    n_levels = np.array([len(column.levels) for column in schema.columns if column.is_category], np.int64)
    require(((levels >= lowest) & (levels < n_levels)).ravel(), "a row has a level that its column has not")


def _number_forms(is_csr: bool, dtype: str) -> Forms:
    if not is_csr:
        return {"numbers": (dtype, ("n_rows", "n_numbers"))}
    return {
        "stored": (dtype, ("n_stored",)),
        "columns": ("<i4", ("n_stored",)),
        "row_begin": ("<i8", ("n_begins",)),
    }


def _sparse_numbers(arrays: dict[str, NDArray[Any]], n_columns: int) -> Any:
    """A csr_array whose cells stand once and in order."""
    from scipy.sparse import csr_array  # takes 0.1 s

    columns, begin = arrays["columns"], arrays["row_begin"]
    check_cells(columns, begin, n_columns)
    return csr_array((arrays["stored"], columns, begin.astype(np.int32)), shape=(len(begin) - 1, n_columns))


def check_cells(columns: NDArray[np.int32], begin: NDArray[np.int64], n_columns: int) -> None:
    """Rows follow one another and hold all cells that are stored, each once and in order."""
    require((begin >= 0) & (begin <= len(columns)), "a row lies outside the cells that are stored")
    require(np.diff(begin) >= 0, "a row ends before it begins")
    require(np.array([begin[0] == 0, begin[-1] == len(columns)]), "the rows do not hold all cells")
    require((columns >= 0) & (columns < n_columns), "a cell is in no column")
    is_first = np.zeros(len(columns) + 1, dtype=np.bool_)
    is_first[begin] = True
    is_later = columns[1:] > columns[:-1]
    require(
        is_later | is_first[1:-1][: len(is_later)], "the cells of a row are not in the order of the columns"
    )
