"""The model that a command line names: that of a model file, or the winner in a study file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.cli.output import near_path
from heldout.cli.study_files import is_study
from heldout.errors import RequestError
from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.study_facts import StudyFact
from heldout.ledger.verdict_facts import ModelFact, VerdictFact
from heldout.report.standing_rows import length_words, standing_rows
from heldout.split.split_from_dict import describe_split
from heldout.stats.interval import plain
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
    from heldout.study.study import Study


@dataclass(frozen=True, eq=False)
class StoredModel:
    """A loaded model, and where it comes from."""

    path: str  # of the file
    model: (
        BaseEstimator | None
    )  # a fitted learner, or a Pipeline that ends in one; None where a study does not hold it
    provenance: Mapping[str, Any] = field(default_factory=dict)  # what the file tells of it
    view: Mapping[str, Any] = field(default_factory=dict)  # what a study has recorded of how it looks
    why_not: str = ""  # why a study does not hold the model, in words

    def loaded(self, option: str) -> BaseEstimator:
        """The model itself; an error where a study does not hold it."""
        if self.model is None:
            raise RequestError(
                f"the study file does not hold this model: {self.why_not}",
                where=f"'{self.path}', {option}",
                fix=f"ship it, and explain the model file: heldout ship {self.path}",
            )
        return self.model


def find_model(path: str, contender: str | None = None) -> StoredModel:
    """The model of a file."""
    if is_study(path):
        return _of_study(path, contender)
    from heldout.models.model_file import load_with_provenance

    if contender is not None:
        raise RequestError(
            "a model file holds one model",
            where=f"'{path}' and contender {contender!r}",
            fix="leave the contender out, or name a study",
        )
    return StoredModel(path, *load_with_provenance(path))


def _of_study(path: str, contender: str | None) -> StoredModel:
    from heldout.ledger.ledger import Ledger

    with Ledger.open(path, query_only=True) as ledger:
        verdict = _newest_verdict(ledger)
        name = contender or ("" if verdict is None else verdict.winner)
        fact = _fact(ledger, path, name, verdict, contender is not None)
        content = ledger.array(fact, "file").tobytes() if "file" in fact.arrays else None
        target, race = StudyFact.read(ledger.only("study")).target, _race(ledger, verdict)
    body = ModelFact.read(fact)
    model = None if content is None else _loaded(content)
    known = _provenance(name, body, verdict, race) | {"target": target}
    return StoredModel(path, model, known, body.view, body.without_file)


def _newest_verdict(ledger: Ledger) -> VerdictFact | None:
    verdicts = ledger.facts("verdict")
    return VerdictFact.read(verdicts[-1]) if verdicts else None


def _fact(ledger: Ledger, path: str, name: str, verdict: VerdictFact | None, is_requested: bool) -> Fact:
    """The model of that name in the verdict; of one that it does not have, the newest of that name."""
    from heldout.report.models.recorded_models import model_facts

    judged = model_facts(ledger, verdict).get(name)
    if judged is not None:
        return judged
    newest = {ModelFact.read(fact).name: fact for fact in ledger.facts("model")}
    if name in newest:
        return newest[name]
    names = list(newest)
    if not names:
        raise RequestError(
            "the study has no model yet", where=f"'{path}'", fix="let it run to its end with heldout run"
        )
    raise RequestError(
        f"the study has no model of {name!r}" if name else "the study has no winner yet",
        where=f"'{path}' holds the winner, and the best readable contender beside it",
        fix=suggestion(name, names) if is_requested else f"name one: {', '.join(names)}",
    )


def _loaded(content: bytes) -> Any:
    from heldout.models.model_file import load

    with tempfile.TemporaryDirectory(prefix="heldout-") as folder:
        path = Path(folder, "recorded.model")
        path.write_bytes(content)
        return load(path)


def _provenance(name: str, model: ModelFact, verdict: VerdictFact | None, race: str) -> dict[str, Any]:
    """What a model file would hold, from the facts of a study."""
    standing = None if verdict is None else verdict.standing(name)
    won = verdict if verdict is not None and name == verdict.winner else None
    length = length_words(plain(model.bits), None if standing is None else plain(standing.bits))
    role = "a contender of the study beside the winner" if won is None else f"the winner of {race}"
    return {
        "sentence": f"{name}, {role}, fitted on its {model.n_rows:,} open rows. {length}".rstrip(),
        "contender": name,
        "setting": dict(model.setting),
        "metric": None if verdict is None else verdict.metric,
        "estimate": None if standing is None else standing.estimate.to_dict(),
        "corrected": None if won is None else won.number.to_dict(),
        "verdict": None if won is None else won.text,
        "notes": list(model.notes),
    }


def _race(ledger: Ledger, verdict: VerdictFact | None) -> str:
    """Whose winner it is: the study's, or of several races that of the newest verdict."""
    if verdict is None or not verdict.race.others:
        return "the study"
    fact = ledger.fact("plan", verdict.plan)
    assert fact is not None, "a verdict names a plan that is recorded"
    in_time = StudyFact.read(ledger.only("study")).time is not None
    folds = describe_split(PlanFact.read(fact).plan["folds"], in_time)
    return f"the newest race of the study, by {verdict.metric} over {folds}"


def recorded_winner(study: Study, verb: str) -> str:
    """The name of the winner, or an error with the reason why there is none."""
    verdict = _newest_verdict(study.ledger)
    typed = f"heldout {verb} {near_path(str(study.path))}"
    if verdict is None or not verdict.winner:
        raise RequestError(
            "the study has no verdict yet",
            where=near_path(str(study.path)),
            fix=f"let it run to its end with heldout run, or name a contender: {typed} tree",
        )
    winner, ranked = verdict.winner, standing_rows(verdict)
    if any(row["is_baseline"] for row in ranked if row["is_winner"]):
        named = next((str(row["name"]) for row in ranked if not row["is_baseline"]), winner)
        raise RequestError(
            f"no model was shown to beat guessing, so there is nothing to {verb}",
            where=f"the winner is {winner}",
            fix=f"find more rows or better columns; or name a contender to do it anyway: {typed} {named}",
        )
    return winner
