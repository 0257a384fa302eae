"""How X enters an image transformer: an array of images, or a table with a column of file names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import DataError, RequestError
from heldout.features.images.image_arrays import images_from_arrays
from heldout.features.images.image_files import FileImages
from heldout.features.images.images import Images
from heldout.features.transformer_inputs import same_kinds
from heldout.inputs.array_checks import has_kinds
from heldout.inputs.input_schema import InputColumn, InputSchema, check_names, record_names
from heldout.inputs.training_inputs import refuse_empty
from heldout.table.column import STRING_KINDS, Column
from heldout.table.frames import table_from_frame
from heldout.table.selection import unknown_column
from heldout.table.table import Table
from heldout.text.words import first_few, shorten
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.features.images.image_transformer import ImageTransformer

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
    place: int | None = None


def entry_at_fit(transformer: ImageTransformer, X: TableLike) -> ImageEntry:
    """X at fit; of a table it sets `n_features_in_` and `feature_names_in_`."""
    for name in ("n_features_in_", "feature_names_in_"):
        transformer.__dict__.pop(name, None)
    if not has_kinds(X):
        return ImageEntry(images_from_arrays(X, type(transformer).__name__), InputSchema(()))
    table = _filled_table(transformer, X)
    place = _place_of_names(table, transformer.column, type(transformer).__name__)
    record_names(transformer, X)
    columns = _with_text(table, place)
    schema = InputSchema(tuple([InputColumn(each.name, each.kind, each.levels) for each in columns]))
    return ImageEntry(_files(columns[place], transformer.folder), schema, columns, place)


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
    place = schema.names.index(name)
    columns = same_kinds(_with_text(table, place), schema)
    return ImageEntry(_files(columns[place], transformer.folder), schema, columns, place)


def _filled_table(transformer: ImageTransformer, X: TableLike) -> Table:
    table = X if isinstance(X, Table) else table_from_frame(X)
    if table.n_rows == 0 or table.n_columns == 0:
        refuse_empty(transformer, table)
    return table


def _with_text(table: Table, place: int) -> tuple[Column, ...]:
    """The columns, with the file names as text, whatever kind of words they were read as."""
    columns = list(table.columns)
    if columns[place].kind != "text" and columns[place].kind in _KINDS_OF_NAMES:
        names = np.array([*columns[place].labels(), None], dtype=object)[:-1]
        columns[place] = Column(columns[place].name, "text", names)
    return tuple(columns)


def _files(column: Column, folder: str | Path | None) -> FileImages:
    return FileImages(tuple(column.values.tolist()), folder, column.name)


def _place_of_names(table: Table, wanted: str | None, caller: str) -> int:
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
