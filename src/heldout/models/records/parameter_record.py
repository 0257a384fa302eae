"""The parameters of a learner as JSON, and back."""

from __future__ import annotations

from typing import Any

from heldout.models.damaged_file import damaged, newer, short
from heldout.models.plain_values import decoded, encoded
from heldout.models.records.learner_record import LearnerRecord

MOST_THREADS = 1 << 16


def parameter_record(parameters: dict[str, Any]) -> dict[str, Any]:
    """Every parameter by its name."""
    return {key: encoded(value, key) for key, value in sorted(parameters.items())}


def with_parameters(form: LearnerRecord, record: Any) -> Any:
    """The learner with its parameters, each of which `fit` would allow.

    A parameter that the file does not have came after it was written, and has its default.

    form: the record of its class
    """
    learner = form.learner
    if type(record) is not dict:
        raise damaged("the list of parameters is not described as it should be", short(record))
    known = set(learner().get_params(deep=False)) - form.shaped_parameters
    unknown = sorted(set(record) - known)
    if unknown:
        raise newer(f"this one has no parameter {short(unknown[0])}", f"parameters of a {learner.__name__}")
    model = learner(**{key: decoded(value, f"parameter {key}") for key, value in record.items()})
    for parameter in form.parameters():
        value = getattr(model, parameter.name)
        if not parameter.allows(value):
            raise damaged(f"{parameter.name} must be {parameter.allowed}", f"it is {short(value)}")
    n_jobs = getattr(model, "n_jobs", None)
    if n_jobs is not None and abs(n_jobs) > MOST_THREADS:
        raise damaged("n_jobs is no number of threads", short(n_jobs))
    form.check_parameters(model)
    return model
