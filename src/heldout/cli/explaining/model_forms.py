"""A model in another form: rules, a picture, or a language that needs no Heldout."""

from __future__ import annotations

from typing import Any

from heldout.cli.explaining.found_model import FoundModel
from heldout.errors import RequestError
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.trees.tree_base import TreeBase
from heldout.models.export import export
from heldout.models.pipeline_steps import last_inside, last_step


def model_form(found: FoundModel, form: str, table: str | None = None) -> str | bytes:
    """The model in a form.

    found: the model
    form:  "sql", "python", "json", "rules", "svg" or "onnx"
    table: "sql": the name of the table that is asked
    """
    if found.model is None:
        raise RequestError(
            f"the study file does not hold this model: {found.why_not}",
            where=f"'{found.path}', --{form}",
            fix=f"ship it, and explain the model file: heldout ship {found.path}",
        )
    if form == "rules":
        return _rules(found.model)
    if form == "svg":
        return _picture(found.model)
    options: dict[str, Any] = {} if table is None else {"table": table}
    content = export(found.model, form, **options)
    return content if isinstance(content, bytes) else content.rstrip("\n") + "\n"


def _rules(model: Any) -> str:
    learner = last_inside(model)
    if isinstance(learner, RuleClassifier):
        return f"{last_step(model)}\n"
    if isinstance(learner, TreeBase):
        return f"{last_step(model).rules()}\n"
    raise _has_none(learner, "rules")


def _picture(model: Any) -> str:
    learner = last_inside(model)
    if isinstance(learner, TreeBase):
        return str(last_step(model).to_svg())
    raise _has_none(learner, "svg")


def _has_none(learner: Any, form: str) -> RequestError:
    what = "rules" if form == "rules" else "a drawing"
    whose = "trees and lists of rules have them" if form == "rules" else "trees have one"
    return RequestError(
        f"a {type(learner).__name__} has not {what}: {whose}",
        where=f"--{form}",
        fix="leave the option out to read it as text; a study names the best readable contender beside it",
    )
