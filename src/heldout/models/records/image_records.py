"""What a model file holds of the transformers of images."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from heldout.errors import HeldoutError, RequestError
from heldout.features.images.image_arrays import size_pair
from heldout.features.images.image_transformer import ImageTransformer
from heldout.features.images.patch_grid import fitting_grid
from heldout.inputs.input_schema import InputSchema
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
from heldout.models.records.json_values import ALL_KINDS
from heldout.models.records.learner_record import (
    LearnerRecord,
    check_all_there,
    check_columns,
    check_count,
    set_attributes,
)
from heldout.models.records.tree_record import require

FOLDER = "fitted"
# Each is a column with a name.
MOST_PIXELS = 2**24


class ImageRecord(LearnerRecord[ImageTransformer]):
    """A transformer of images: the columns of a table and which has the file names, or none for an array."""

    size_name: ClassVar[str] = ""  # the parameter of the size that images are brought to; "" if there is none
    plain = frozenset({"n_rows_", "file_column_", "image_shape_"})
    rebuilt = frozenset({"_sklearn_output_config"})
    kinds = ALL_KINDS
    needs_columns = False

    def check_writable(self, model: ImageTransformer) -> None:
        if model.image_shape_ is not None and math.prod(model.image_shape_) > MOST_PIXELS:
            raise RequestError(
                "the images are too large for a model file",
                where=f"{' × '.join(map(str, model.image_shape_))} numbers, {MOST_PIXELS:,} are the most",
                fix="bring them to a smaller size at fit",
            )

    def check_parameters(self, model: ImageTransformer) -> None:
        if not isinstance(model.column, str | None) or not isinstance(model.folder, str | Path | None):
            raise damaged("column is no name, or folder is no path", f"{short(model.column)}")
        if self.size_name:
            try:
                size_pair(type(model).__name__, self.size_name, getattr(model, self.size_name))
            except HeldoutError as error:
                raise damaged(error.what, error.where) from error

    def check_columns(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_all_there(attributes, self.plain)
        name = attributes["file_column_"]
        if not schema.columns:
            if name is not None or {"n_features_in_", "feature_names_in_"} & set(attributes):
                raise damaged("an array of images has no columns", "attribute file_column_")
            return
        check_columns(attributes, schema)
        kinds = {column.name: column.kind for column in schema.columns}
        if type(name) is not str or kinds.get(name) != "text":
            raise damaged("there is no such column of file names", short(name))

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_count(attributes["n_rows_"], "n_rows_", lowest=1)
        shape: Any = attributes["image_shape_"]
        if shape is None and not self.size_name:
            return
        is_shape = type(shape) is tuple and len(shape) in (2, 3) and all(type(n) is int for n in shape)
        if not is_shape or min(shape) < 1 or math.prod(shape) > MOST_PIXELS:
            raise damaged("the shape of the images is none", short(shape))

    def read_parts(self, model: ImageTransformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        shape = model.image_shape_
        if not self.size_name or shape is None:
            return
        size = size_pair(type(model).__name__, self.size_name, getattr(model, self.size_name))
        if size is not None and size != shape[:2]:
            raise damaged("the images have another size than they are brought to", short(shape))
        if model.gray and len(shape) == 3:
            raise damaged("gray images have colors", short(shape))


class PixelRecord(ImageRecord):
    """A PixelFeatures: nothing but the shape of the images."""

    size_name = "size"


class PatchRecord(ImageRecord):
    """A PatchFeatures: the patches of the dictionary, and how many of the sample each stands for."""

    size_name = "image_size"
    plain = ImageRecord.plain | {"n_sampled_", "n_distinct_"}
    shaped = frozenset({"patches_", "shares_"})
    parts = frozenset({"n_patches"})
    forms: ClassVar[Forms] = {
        "patches_": ("<f8", ("n_patches", "n_edge", "n_edge")),
        "shares_": ("<f8", ("n_shares",)),
    }
    colored: ClassVar[Forms] = {
        "patches_": ("<f8", ("n_patches", "n_edge", "n_edge", "n_channels")),
        "shares_": ("<f8", ("n_shares",)),
    }

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        for name in ("n_sampled_", "n_distinct_"):
            check_count(attributes[name], name, lowest=1)

    def write_parts(self, model: ImageTransformer) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {"n_patches": len(model.patches_)}, write_arrays(FOLDER, vars(model), self._forms(model))

    def read_parts(self, model: ImageTransformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read_parts(model, parts, members)
        shape = model.image_shape_
        assert shape is not None, "check_plain refuses images without a shape"
        try:
            grid = fitting_grid(shape, model.size, model.stride)
        except HeldoutError as error:
            raise damaged("the patches do not fit into the images", error.where) from error
        sizes = read_sizes({"n_patches": parts["n_patches"]}, {"n_patches": 1}, "the dictionary")
        n_patches = sizes["n_patches"]
        sizes |= {
            "n_edge": grid.size,
            "n_shares": n_patches + 1,
            "n_channels": shape[2] if len(shape) == 3 else 1,
        }
        arrays = read_arrays(FOLDER, self._forms(model), sizes, members)
        check_finite(arrays, ("patches_", "shares_"), "the dictionary")
        shares = arrays["shares_"]
        require((shares >= 0) & (shares <= 1), "the share of a patch is none")
        # The distance of two patches is a sum of squares.
        require(np.abs(arrays["patches_"]).reshape(n_patches, -1).max(axis=1) < 1e100, "a patch is too large")
        set_attributes(model, arrays)

    def _forms(self, model: ImageTransformer) -> Forms:
        return self.forms if len(model.image_shape_ or ()) == 2 else self.colored
