"""The form of a record: which fitted attributes a learner has, and how they become JSON and arrays.

A fitted attribute either is a plain value, which stands under `attributes` in the JSON, or has a form of its
own: a part of the JSON, arrays as members of the file, or both. What is neither is refused when a model is
saved, so that nothing is lost in silence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_values import check_columns
from heldout.models.records.schema_record import KINDS


class LearnerRecord(ABC):
    """What a model file holds of one learner.

    learner: the class of the learner
    plain:   the fitted attributes that are plain values, beside those of the columns
    shaped:  the fitted attributes that have a form of their own
    rebuilt: what a learner keeps for speed and makes again by itself; it is not saved
    parts:   the parts of the JSON that hold what is shaped
    kinds:   the kinds that a column can have
    needs_columns:     whether there must be a column; images have none
    shaped_parameters: the parameters that have a form of their own
    """

    plain: ClassVar[frozenset[str]] = frozenset()
    shaped: ClassVar[frozenset[str]] = frozenset()
    rebuilt: ClassVar[frozenset[str]] = frozenset()
    parts: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = KINDS
    needs_columns: ClassVar[bool] = True
    shaped_parameters: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, learner: type[Any]) -> None:
        self.learner = learner

    def check_writable(self, model: Any) -> None:
        """Refuse a model that a file cannot hold, with the reason; every other is taken."""
        return

    def parameters(self) -> Iterable[Parameter]:
        """What each parameter of the learner may be, as far as a table can say it."""
        allowed: Iterable[Parameter] = self.learner._parameters
        return allowed

    def check_parameters(self, model: Any) -> None:
        """Refuse parameters of a file that `fit` would refuse though the table of parameters allows them."""
        return

    def check_columns(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        """Refuse a number or names of columns that are not those of the schema."""
        check_columns(attributes, schema)

    @abstractmethod
    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        """Refuse plain values that do not fit together or do not fit the columns."""

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        """What is shaped: the parts of the JSON by name, and the arrays as members of the file."""
        return {}, {}

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        """Give the model what is shaped, checked; it has its parameters, columns and plain values already."""
        return
