"""What a file holds of one fitted learner or transformer: what all have here, the rest in its record."""

from __future__ import annotations

from typing import Any

from heldout.errors import RequestError
from heldout.models.damaged_file import damaged, newer, short
from heldout.models.fitted import is_fitted
from heldout.models.plain_values import decoded, encoded
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_values import COLUMNS
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.parameter_record import parameter_record, with_parameters
from heldout.models.records.schema_record import schema_of_record, schema_record

_PARTS = {"learner", "parameters", "attributes", "columns"}


def fitted_record(form: LearnerRecord, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of a fitted model in JSON, and its arrays as members of the file.

    form: the record of its class
    """
    name = type(model).__name__
    if not is_fitted(model):
        raise RequestError(f"this {name} is not fitted", where="ho.save", fix="call fit before you save it")
    form.check_writable(model)
    parameters = model.get_params(deep=False)
    attributes = {
        key: value for key, value in vars(model).items() if key not in form.rebuilt | set(parameters)
    }
    plain = form.plain | COLUMNS
    strange = sorted(set(attributes) - plain - form.shaped - {"inputs_"})
    if strange:
        raise RequestError(
            f"this {name} has an attribute that a model file cannot hold",
            where=f"{strange[0]}",
            fix="delete the attribute, or fit the model anew",
        )
    parts, members = form.written(model)
    own = form.shaped_parameters
    record = {
        "learner": name,
        "parameters": parameter_record({key: value for key, value in parameters.items() if key not in own}),
        "attributes": {key: encoded(attributes[key], key) for key in sorted(plain & set(attributes))},
        "columns": schema_record(model.inputs_),
        **parts,
    }
    return record, members


def fitted_of_record(form: LearnerRecord, record: dict[str, Any], members: dict[str, bytes]) -> Any:
    """The model, after everything in the record was checked.

    form: the record of the class that the JSON names
    """
    check_parts(record, _PARTS | form.parts)
    model = with_parameters(form, record["parameters"])
    schema = schema_of_record(record["columns"], form.kinds, form.needs_columns)
    attributes = _decoded_attributes(form, record["attributes"])
    form.check_columns(attributes, schema)
    form.check_plain(attributes, schema)
    vars(model).update(attributes)
    model.inputs_ = schema
    arrays = ArrayMembers(members)
    form.read(model, {part: record[part] for part in form.parts}, arrays)
    arrays.check_all_taken()
    return model


def check_parts(record: dict[str, Any], wanted: set[str]) -> None:
    """Refuse a record that has other parts than these."""
    missing, unknown = sorted(wanted - set(record)), sorted(set(record) - wanted)
    if missing or unknown:
        where = f"missing {short(missing[0])}" if missing else f"unknown {short(unknown[0])}"
        raise damaged("the model has other parts than this version writes", where)


def _decoded_attributes(form: LearnerRecord, record: Any) -> dict[str, Any]:
    """The plain fitted attributes by name, of which the learner knows each."""
    if type(record) is not dict:
        raise damaged("the attributes are not described as they should be", short(record))
    unknown = sorted(set(record) - form.plain - COLUMNS)
    if unknown:
        learner = form.learner.__name__
        raise newer(f"this one has no attribute {short(unknown[0])}", f"fitted attributes of a {learner}")
    return {key: decoded(value, f"attribute {key}") for key, value in record.items()}
