"""What the image transformers share: arrays or file names in, one row of numbers for each image out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.images.image_arrays import images_from_arrays
from heldout.features.images.image_files import FileImages
from heldout.features.images.images import Images
from heldout.features.transformer_inputs import input_names, same_kinds
from heldout.features.transformer_outputs import leaving_columns, made_by
from heldout.inputs.array_checks import has_kinds
from heldout.inputs.input_schema import InputColumn, InputSchema, check_names, record_names
from heldout.inputs.training_inputs import refuse_empty
from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.readable_learner import ReadableLearner
from heldout.table.column import STRING_KINDS, Column
from heldout.table.frames import table_from_frame
from heldout.table.selection import unknown_column
from heldout.table.table import Table
from heldout.text.words import first_few, shorten
from heldout.types import PerRow, TableLike


class ImageTransformer(TransformerMixin, ReadableLearner):  # type: ignore[misc]
    """Turns images into numbers. What it learns comes from the images of `fit` alone.

    Subclasses have the parameters `column` (the name of the column of file names) and `folder` (where
    relative names are looked for). `fit` sets inputs_ (the columns of a table, none for an array),
    file_column_ (its name, None for an array), image_shape_ and n_rows_.
    """

    _learned = "inputs_"
    _parameters: ClassVar[tuple[Parameter, ...]] = ()

    column: str | None
    folder: str | Path | None
    inputs_: InputSchema
    file_column_: str | None
    image_shape_: tuple[int, ...] | None
    n_rows_: int

    def fit(self, X: TableLike, y: PerRow = None) -> Self:
        """Look at the training images.

        Parameters
        ----------
        X
            an array n × rows × columns (× channels), or a Table or frame with a column of file names
        y
            not looked at
        """
        check_parameters(self, self._parameters)
        self._check_index()
        entry = entry_at_fit(self, X)
        self._learn(entry.images)
        self.n_rows_ = len(entry.images)
        self.file_column_ = None if entry.index is None else entry.columns[entry.index].name
        self.inputs_ = entry.schema
        return self

    def transform(self, X: TableLike) -> Any:
        """One row of numbers for each image; in a Table they stand where the file names stood.

        Parameters
        ----------
        X
            in the form of fit
        """
        self._check_is_fitted()
        entry = entry_after_fit(self, X)
        features = self._features(entry.images)
        if entry.index is None:
            return features
        return leaving_columns(self, X, "table", self._columns(entry, features))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> NDArray[Any]:
        """The names of the columns that leave.

        Where a name is also that of another column of the table, all features are called after the column of
        file names too, as in "photo: perimeter".

        Parameters
        ----------
        input_features
            of a table the names of the columns that come; left out, those of fit
        """
        self._check_is_fitted()
        names = self._feature_names()
        if self.file_column_ is None:
            return np.array(names, dtype=object)
        came = input_names(self, input_features)
        index = came.index(self.file_column_)
        others = {*came[:index], *came[index + 1 :]}
        if not others.isdisjoint(names):
            names = [f"{self.file_column_}: {name}" for name in names]
        return np.array([*came[:index], *names, *came[index + 1 :]], dtype=object)

    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned: none where no number is."""
        self._check_is_fitted()
        return 0.0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = False
        return tags

    @abstractmethod
    def _learn(self, images: Images) -> None:
        """Set `image_shape_` and what else is learned."""

    @abstractmethod
    def _features(self, images: Images) -> NDArray[np.float64]:
        """Images × features."""

    @abstractmethod
    def _feature_names(self) -> list[str]:
        """The names of the features, in order."""

    def _columns(self, entry: ImageEntry, features: NDArray[np.float64]) -> list[Column]:
        names, index = self.get_feature_names_out().tolist(), entry.index or 0
        lines = np.ascontiguousarray(features.T)
        made = [
            Column(names[index + line], "number", numbers, reason=made_by(self))
            for line, numbers in enumerate(lines)
        ]
        return [*entry.columns[:index], *made, *entry.columns[index + 1 :]]

    def _check_index(self) -> None:
        """`column` and `folder` are free words, so the table of parameters cannot say what they may be."""
        given = (("column", self.column, str), ("folder", self.folder, str | Path))
        for name, value, kind in given:
            if value is not None and not isinstance(value, kind):
                raise InputTypeError(
                    f"{name} must be None or {'a name' if name == 'column' else 'a path'}",
                    where=f"{type(self).__name__}({name}={value!r:.60})",
                    fix=f"set {name} to a string",
                )


_KINDS_OF_NAMES = (*STRING_KINDS, "category")


@dataclass(frozen=True, eq=False)
class ImageEntry:
    """X inside an image transformer.

    images:  the images
    schema:  the columns of a table, as they are to be remembered; none for an array
    columns: these columns
    place:   which of them has the file names; None for an array
    """

    images: Images
    schema: InputSchema
    columns: tuple[Column, ...] = ()
    index: int | None = None


def entry_at_fit(transformer: ImageTransformer, X: TableLike) -> ImageEntry:
    """X at fit; of a table it sets `n_features_in_` and `feature_names_in_`."""
    for name in ("n_features_in_", "feature_names_in_"):
        transformer.__dict__.pop(name, None)
    if not has_kinds(X):
        return ImageEntry(images_from_arrays(X, type(transformer).__name__), InputSchema(()))
    table = _filled_table(transformer, X)
    index = _index_of_names(table, transformer.column, type(transformer).__name__)
    record_names(transformer, X)
    columns = _with_text(table, index)
    schema = InputSchema(tuple([InputColumn(each.name, each.kind, each.levels) for each in columns]))
    return ImageEntry(_files(columns[index], transformer.folder), schema, columns, index)


def entry_after_fit(transformer: ImageTransformer, X: TableLike) -> ImageEntry:
    """X after fit, in the form of fit and with the same columns."""
    schema, name = transformer.inputs_, transformer.file_column_
    if has_kinds(X) != (name is not None):
        came, known = ("a table", "an array of images") if name is None else ("an array", "a table")
        raise DataError(
            f"{came} came, and {known} at fit",
            where=f"X is a {type(X).__name__}",
            fix=f"hand over {known} here too, or fit {type(transformer).__name__} anew",
        )
    if name is None:
        return ImageEntry(images_from_arrays(X, type(transformer).__name__), schema)
    table = _filled_table(transformer, X)
    check_names(transformer, table)
    index = schema.names.index(name)
    columns = same_kinds(_with_text(table, index), schema)
    return ImageEntry(_files(columns[index], transformer.folder), schema, columns, index)


def _filled_table(transformer: ImageTransformer, X: TableLike) -> Table:
    table = X if isinstance(X, Table) else table_from_frame(X)
    if table.n_rows == 0 or table.n_columns == 0:
        refuse_empty(transformer, table)
    return table


def _with_text(table: Table, index: int) -> tuple[Column, ...]:
    """The columns, with the file names as text, whatever kind of words they were read as."""
    columns = list(table.columns)
    if columns[index].kind != "text" and columns[index].kind in _KINDS_OF_NAMES:
        names = np.array([*columns[index].labels(), None], dtype=object)[:-1]
        columns[index] = Column(columns[index].name, "text", names)
    return tuple(columns)


def _files(column: Column, folder: str | Path | None) -> FileImages:
    return FileImages(tuple(column.values.tolist()), folder, column.name)


def _index_of_names(table: Table, wanted: str | None, caller: str) -> int:
    """Where the column of file names stands: the one that was named, or the only one with words."""
    if wanted is not None:
        if wanted not in table.names:
            raise unknown_column(wanted, table.names)
        kind = table.kinds[wanted]
        if kind not in _KINDS_OF_NAMES:
            raise DataError(
                f"column '{wanted}' is {kind}, which is no file name",
                where=f"{caller}(column={wanted!r})",
                fix="name the column of file names",
            )
        return table.names.index(wanted)
    found = [name for name, kind in table.kinds.items() if kind in _KINDS_OF_NAMES]
    if len(found) == 1:
        return table.names.index(found[0])
    shown = first_few([f"'{shorten(name, 30)}'" for name in (found or table.names)], 6)
    if not found:
        raise DataError(
            "the table has no column of file names",
            where=f"none of {shown} is text, identifier or category",
            fix="hand over an array of images, or a table with their file names",
        )
    raise RequestError(
        f"{len(found)} columns may be the file names",
        where=shown,
        fix=f"say which: {caller}(column={found[0]!r})",
    )
