"""How the number was made, line by line: rows, folds, tuning, measure, rule, seed, versions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.study_facts import SealFact, StudyFact
from heldout.ledger.verdict_facts import VerdictFact
from heldout.split.split_from_dict import describe_split
from heldout.text.words import plural
from heldout.verdict.read_rule import read_rule

_WORDS = {
    "KFold": "{k} folds",
    "EveryKth": "every {k}th row, {k} folds",
    "LeaveOneOut": "every row, or every group, left out by itself",
    "RotatingValidation": "{k} folds, of which one tests, the next validates, the others teach",
    "Holdout": "a share of {share} held out",
}
_OPPOSITES = {"day_first": "--month-first", "header": "--no-header"}
_WITH_COMMAS = ("contenders", "names")


def method_lines(
    study: StudyFact,
    plan: PlanFact | None,
    verdict: VerdictFact | None,
    seal: SealFact,
    made: str = "",
    command: str = "",
) -> list[tuple[str, str]]:
    """Pairs of a name and what stands behind it, as far as there is something.

    `plan` is that of the verdict, or the newest; `made` says when and by which version, `command` the line
    that was typed.
    """
    lines = [
        ("File", _file(study)),
        ("Made", made),
        ("Command", command),
        ("Rows", _rows(study, seal)),
        ("Held rows", f"{plural(seal.n_held, 'row')} set aside before anything was learned, {seal.by.words}"),
        ("Folds", _folds(study, plan)),
        ("Tuning", _tuning(study, plan)),
        # What the rows did not allow of the plan, such as repeats where time can be cut in one way only.
        ("As it ran", "" if plan is None else " ".join(dict.fromkeys(plan.notes))),
        ("Measure", "" if verdict is None else verdict.choose_reason),
        ("Rule", "" if plan is None else read_rule(plan.plan["rule"]).words),
        ("Family", "" if verdict is None else _family(verdict)),
        ("Seed", str(study.seed if plan is None else plan.seed)),
        ("Versions", _versions(study if verdict is None else verdict)),
        ("Table", study.table_digest),
        ("Seal", seal.digest if seal.n_held else ""),
        ("Protocol", "" if plan is None else plan.protocol),
    ]
    return [(name, text) for name, text in lines if text]


def command_line(settings: Mapping[str, Any]) -> str:
    """The line that a run was started with: what was said there or in a settings file, without defaults.

    settings: as the study file has them: for each option its value, and where it came from
    """
    messages = {name: each["value"] for name, each in settings.items() if each.get("from") != "default"}
    parts = ["heldout", "run", str(messages.pop("file", ""))]
    for name, value in messages.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            parts.append(flag if value else _OPPOSITES.get(name, flag))
        elif isinstance(value, list) and name not in _WITH_COMMAS:
            parts += [part for each in value for part in (flag, str(each))]
        elif value is not None:
            parts += [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return shlex.join(part for part in parts if part)


def split_words(split: Any) -> str:
    """A split, as its to_dict gives it, in words."""
    if not isinstance(split, Mapping):
        return ""
    share = f"{float(split.get('fraction') or 0):.3g}"
    pattern = _WORDS.get(str(split.get("split")), str(split.get("split", "")))
    words = pattern.replace("{k}", str(split.get("k", ""))).replace("{share}", share)
    repeats = int(split.get("repeats") or 1)
    if repeats > 1:
        words += f", repeated {repeats} times"
    return words + (", stratified" if split.get("stratified") else "")


def _file(study: StudyFact) -> str:
    return "" if study.source is None else f"{study.source.path}, {plural(study.n_table_rows, 'row')}"


def _rows(study: StudyFact, seal: SealFact) -> str:
    parts = [f"{plural(seal.n_open, 'open row')} to learn from and to compare on"]
    if study.groups:
        parts.append(f"rows of one '{study.groups}' are never split apart")
    if study.time:
        parts.append(f"tests are later than what was learned from, by '{study.time}'")
    return "; ".join(parts)


def _folds(study: StudyFact, plan: PlanFact | None) -> str:
    if plan is None:
        return ""
    words = describe_split(plan.plan["folds"], study.time is not None)
    quick = "quick: settings are chosen on the same folds, and the verdict's number is corrected for it"
    return f"{words}; {quick}" if plan.is_quick else words


def _tuning(study: StudyFact, plan: PlanFact | None) -> str:
    if plan is None or plan.is_quick:
        return ""
    words = describe_split(plan.plan["tuning"], study.time is not None)
    return f"{words}, inside the training part of every fold"


def _family(verdict: VerdictFact) -> str:
    plans = [str(number) for number in verdict.race.plans]
    raced = f"plan{'s' if len(plans) > 1 else ''} {', '.join(plans)} of {verdict.n_plans}"
    contenders = plural(verdict.n_contenders, "contender")
    return f"{raced}, {contenders}; the number allows for the choice among them"


def _versions(made: StudyFact | VerdictFact) -> str:
    return ", ".join(f"{name} {version}" for name, version in made.versions.items())
