"""What the image transformers share: arrays or file names in, one row of numbers for each image out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin

from heldout.errors import InputTypeError
from heldout.features.images.image_entry import ImageEntry, entry_after_fit, entry_at_fit
from heldout.features.images.images import Images
from heldout.features.transformer_inputs import names_that_come
from heldout.features.transformer_outputs import leaving_columns, made_by
from heldout.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.readable_learner import ReadableLearner
from heldout.table.column import Column
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
        self._check_place()
        entry = entry_at_fit(self, X)
        self._learn(entry.images)
        self.n_rows_ = len(entry.images)
        self.file_column_ = None if entry.place is None else entry.columns[entry.place].name
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
        if entry.place is None:
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
        came = names_that_come(self, input_features)
        place = came.index(self.file_column_)
        others = {*came[:place], *came[place + 1 :]}
        if not others.isdisjoint(names):
            names = [f"{self.file_column_}: {name}" for name in names]
        return np.array([*came[:place], *names, *came[place + 1 :]], dtype=object)

    @abstractmethod
    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned."""

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
        names, place = self.get_feature_names_out().tolist(), entry.place or 0
        lines = np.ascontiguousarray(features.T)
        made = [
            Column(names[place + line], "number", numbers, reason=made_by(self))
            for line, numbers in enumerate(lines)
        ]
        return [*entry.columns[:place], *made, *entry.columns[place + 1 :]]

    def _check_place(self) -> None:
        """`column` and `folder` are free words, so the table of parameters cannot say what they may be."""
        given = (("column", self.column, str), ("folder", self.folder, str | Path))
        for name, value, kind in given:
            if value is not None and not isinstance(value, kind):
                raise InputTypeError(
                    f"{name} must be None or {'a name' if name == 'column' else 'a path'}",
                    where=f"{type(self).__name__}({name}={value!r:.60})",
                    fix=f"set {name} to a string",
                )
