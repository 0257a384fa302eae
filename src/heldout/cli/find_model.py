"""The model that a command line names: that of a model file, or the winner in a study file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.cli.output import near_path
from heldout.cli.study_files import is_study
from heldout.errors import RequestError
from heldout.report.standing_rows import length_words, standing_rows
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
    from heldout.study.study import Study


@dataclass(frozen=True, eq=False)
class FoundModel:
    """A loaded model, and where it comes from.

    path:       of the file
    model:      a fitted learner, or a Pipeline that ends in one; None where a study does not hold it
    provenance: what the file says of it
    view:       what a study has recorded of how it looks
    why_not:    why a study does not hold the model, in words
    """

    path: str
    model: Any
    provenance: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    why_not: str = ""


def found_model(path: str, contender: str | None = None) -> FoundModel:
    """The model of a file.

    path:      of a model file, or of a study
    contender: of a study, if it is not the winner that is meant
    """
    if is_study(path):
        return _of_study(path, contender)
    from heldout.models.model_file import load_with_provenance

    if contender is not None:
        raise RequestError(
            "a model file holds one model",
            where=f"'{path}' and contender {contender!r}",
            fix="leave the contender out, or name a study",
        )
    return FoundModel(path, *load_with_provenance(path))


def _of_study(path: str, contender: str | None) -> FoundModel:
    from heldout.ledger.ledger import Ledger

    with Ledger.open(path, query_only=True) as ledger:
        verdicts = ledger.facts("verdict")
        verdict = verdicts[-1].body if verdicts else {}
        name = contender or str(verdict.get("winner") or "")
        fact = _fact(ledger, path, name, verdict, contender is not None)
        content = ledger.array(fact, "file").tobytes() if "file" in fact.arrays else None
        studies = ledger.facts("study")
    body, roles = fact.body, (studies[0].body.get("roles") or {}) if studies else {}
    model = None if content is None else _loaded(content)
    why_not = str(body.get("without_file") or "it was not recorded") if content is None else ""
    known = _provenance(name, body, verdict) | {"target": roles.get("target")}
    return FoundModel(path, model, known, body.get("view") or {}, why_not)


def _fact(ledger: Ledger, path: str, name: str, verdict: Mapping[str, Any], is_asked: bool) -> Fact:
    """The model of that name in the verdict; of one that it does not have, the newest of that name."""
    from heldout.report.models.recorded_models import models_by_name

    judged = models_by_name(ledger, verdict, {}).get(name)
    if judged is not None:
        return judged
    models = ledger.facts("model")
    names = list(dict.fromkeys(str(fact.body.get("name")) for fact in models))
    found = [fact for fact in models if fact.body.get("name") == name]
    if found:
        return found[-1]
    if not names:
        raise RequestError(
            "the study has no model yet", where=f"'{path}'", fix="let it run to its end with heldout run"
        )
    raise RequestError(
        f"the study has no model of {name!r}" if name else "the study has no winner yet",
        where=f"'{path}' holds the winner, and the best readable contender beside it",
        fix=suggestion(name, names) if is_asked else f"name one: {', '.join(names)}",
    )


def _loaded(content: bytes) -> Any:
    from heldout.models.model_file import load

    with tempfile.TemporaryDirectory(prefix="heldout-") as folder:
        path = Path(folder, "recorded.model")
        path.write_bytes(content)
        return load(path)


def _provenance(name: str, body: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any]:
    """What a model file would say, from the facts of a study."""
    standings: Sequence[Mapping[str, Any]] = verdict.get("standings") or ()
    standing = next((each for each in standings if each.get("name") == name), None) or {}
    is_winner = name == verdict.get("winner")
    n_rows = int(body.get("n_rows") or 0)
    length = length_words(body.get("bits"), standing.get("bits"))
    role = f"the winner of {_race(verdict)}" if is_winner else "a contender of the study beside the winner"
    return {
        "sentence": f"{name}, {role}, fitted on its {n_rows:,} open rows. {length}".rstrip(),
        "contender": name,
        "setting": dict(body.get("setting") or {}),
        "metric": verdict.get("metric"),
        "estimate": standing.get("estimate"),
        "corrected": verdict.get("number") if is_winner else None,
        "verdict": verdict.get("text") if is_winner else None,
        "notes": list(body.get("notes") or ()),
    }


def _race(verdict: Mapping[str, Any]) -> str:
    """Whose winner it is: the study's, or of several races that of the newest verdict."""
    if not (verdict.get("race") or {}).get("others"):
        return "the study"
    return f"the newest race of the study, by {verdict.get('metric')} over {verdict.get('folds')}"


def recorded_winner(study: Study, verb: str) -> str:
    """The name of the winner, or an error that says why there is none to go on with.

    study: that was opened
    verb:  the command that asks, as it is typed
    """
    verdicts = study.ledger.facts("verdict")
    typed = f"heldout {verb} {near_path(str(study.path))}"
    winner = str(verdicts[-1].body.get("winner") or "") if verdicts else ""
    if not winner:
        raise RequestError(
            "the study has no verdict yet",
            where=near_path(str(study.path)),
            fix=f"let it run to its end with heldout run, or name a contender: {typed} tree",
        )
    standings = verdicts[-1].body.get("standings") or ()
    if any(each.get("is_baseline") for each in standings if each.get("name") == winner):
        ranked = standing_rows(verdicts[-1].body)
        named = next((str(each["name"]) for each in ranked if not each["is_baseline"]), winner)
        raise RequestError(
            f"no model was shown to beat guessing, so there is nothing to {verb}",
            where=f"the winner is {winner}",
            fix=f"find more rows or better columns; or name a contender to do it anyway: {typed} {named}",
        )
    return winner
