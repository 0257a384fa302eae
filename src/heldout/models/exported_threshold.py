"""A threshold in another language: the export of the classifier, with the decision put behind it."""

from __future__ import annotations

import json
from typing import Any

from heldout.errors import RequestError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.models.sql_literals import identifier, label_literal, number_literal
from heldout.models.tree_answers import plain_labels

_PYTHON = '''

THRESHOLD = {threshold!r}


def predict(row):
    """The class: {positive!r} from its threshold on, else the other one."""
    return {positive!r} if predict_proba(row)[{positive!r}] >= THRESHOLD else {other!r}
'''


def at_threshold(content: str | bytes, model: ThresholdClassifier, format: str, prefix: str) -> str:
    """The export of the classifier inside, changed such that it decides as the model does.

    SQL gets a further column, `decision`; a Python program another `predict`; JSON the threshold and the
    position of its class.

    content: what the classifier was exported to
    prefix:  before the names of the columns that SQL adds
    """
    if not model.is_of_probability or not isinstance(content, str):
        raise RequestError(
            "this export holds no threshold",
            where=f"{type(model.estimator_).__name__} as {format!r}: {model.decision_words()}",
            fix="keep the model with ho.save; or export model.estimator_ and decide yourself",
        )
    labels = plain_labels(model.classes_, f"export(..., {format!r})")
    place = model.classes_.tolist().index(model.positive_)
    positive, other = labels[place], labels[1 - place]
    if format == "python":
        return content.rstrip("\n") + _PYTHON.format(
            threshold=float(model.threshold), positive=positive, other=other
        )
    if format == "json":
        record = json.loads(content) | {"threshold": float(model.threshold), "positive": place}
        return json.dumps(record, ensure_ascii=False)
    return _in_sql(content, float(model.threshold), positive, other, prefix)


def _in_sql(content: str, threshold: float, positive: Any, other: Any, prefix: str) -> str:
    body = content.rstrip().removesuffix(";")
    probability = identifier(f"{prefix}probability_{positive}")
    decided = (
        f"CASE WHEN d.{probability} >= {number_literal(threshold)} THEN {label_literal(positive)}"
        f" ELSE {label_literal(other)} END"
    )
    return f"SELECT d.*, {decided} AS {identifier(prefix + 'decision')}\nFROM (\n{body}\n) AS d\n"
