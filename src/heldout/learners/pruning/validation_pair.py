"""Rows given as `validation=(X, y)`: whether they can judge at all is asked before anything is grown."""

from __future__ import annotations

import warnings
from typing import Any

from heldout.errors import DataError, KindError
from heldout.learners.inputs.line_outside import level_outside
from heldout.learners.inputs.targets import plain_answers

MOST_SHOWN = 6


def validation_pair(validation: Any) -> tuple[Any, Any]:
    """The X and the y."""
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise KindError(
            "validation must be a pair of X and y",
            where=f"validation is a {type(validation).__name__}",
            fix="write validation=(X_validation, y_validation)",
        )
    X, y = validation
    return X, y


def check_judges(learner: Any, validation: Any) -> None:
    """Refuse rows of which none has an answer that training knows, and warn of those that have not.

    learner: knows the classes of training, if it is a classifier
    """
    _, y = validation_pair(validation)
    answers = plain_answers(learner, y).tolist()
    if not answers:
        raise DataError(
            "validation has no rows",
            where="validation=(X, y) with 0 answers in y",
            fix="give rows to validate on, or leave validation out to set a part of X aside",
        )
    if not hasattr(learner, "classes_"):
        return
    classes = learner.classes_.tolist()
    known = set(classes)
    unknown = [answer for answer in answers if answer not in known]
    if len(unknown) == len(answers):
        named = ", ".join(map(repr, classes[:MOST_SHOWN])) + (", …" if len(classes) > MOST_SHOWN else "")
        raise DataError(
            "no row of validation has a class that training knows",
            where=f"{len(unknown)} of {len(answers)} rows, first {unknown[0]!r}; the classes are {named}",
            fix="write the classes of validation as those of y, in the same type",
        )
    if unknown:
        have = "has" if len(unknown) == 1 else "have"
        warnings.warn(
            f"{len(unknown)} of {len(answers)} validation rows {have} a class that training does not know,"
            f" first {unknown[0]!r}: left out",
            stacklevel=level_outside(),
        )
