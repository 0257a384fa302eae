"""How the number was made, line by line: rows, folds, tuning, measure, rule, seed, versions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from heldout.text.words import plural

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
    study: Mapping[str, Any],
    plan: Mapping[str, Any],
    verdict: Mapping[str, Any],
    seal: Mapping[str, Any],
    made: str = "",
    command: str = "",
) -> list[tuple[str, str]]:
    """Pairs of a name and what stands behind it; what the study file does not say is left out.

    study, plan, verdict: the bodies of their facts
    seal:                 as `seal_state` gives it
    made:                 when, and by which version
    command:              the line that was typed; empty where there was none
    """
    plain = plan.get("plan") if isinstance(plan.get("plan"), Mapping) else plan
    assert isinstance(plain, Mapping)
    lines = [
        ("File", _file(study)),
        ("Made", made),
        ("Command", command),
        ("Rows", _rows(study, seal)),
        ("Held rows", _held(seal)),
        ("Folds", _folds(verdict, plain)),
        ("Tuning", _tuning(verdict, plain)),
        ("As it ran", _ran(plan)),
        ("Measure", _measure(verdict)),
        ("Rule", _rule(verdict, plain)),
        ("Family", _family(verdict)),
        ("Seed", _seed(study, plain, verdict)),
        ("Versions", _versions(study, plain, verdict)),
        ("Table", _digest(study.get("table_digest") or study.get("table"))),
        ("Seal", _digest(seal.get("digest") if seal["n_held"] else "")),
        ("Protocol", _digest(plan.get("protocol"))),
    ]
    return [(name, text) for name, text in lines if text]


def command_line(settings: Mapping[str, Any]) -> str:
    """The line that a run was started with: what was said there or in a settings file, without defaults.

    settings: as the study file has them: for each option its value, and where it came from
    """
    said = {name: each["value"] for name, each in settings.items() if each.get("from") != "default"}
    parts = ["heldout", "run", str(said.pop("file", ""))]
    for name, value in said.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            parts.append(flag if value else _OPPOSITES.get(name, flag))
        elif isinstance(value, list) and name not in _WITH_COMMAS:
            parts += [part for each in value for part in (flag, str(each))]
        elif value is not None:
            parts += [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return shlex.join(part for part in parts if part)


def _file(study: Mapping[str, Any]) -> str:
    path = str((study.get("source") or {}).get("path") or "")
    return (
        f"{path}, {plural(int(study['n_table_rows']), 'row')}" if path and study.get("n_table_rows") else path
    )


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


def _rows(study: Mapping[str, Any], seal: Mapping[str, Any]) -> str:
    parts = []
    if seal["n_open"] is not None:
        parts.append(f"{plural(seal['n_open'], 'open row')} to learn from and to compare on")
    roles = study.get("roles") or {}
    groups, time = study.get("groups") or roles.get("groups"), study.get("time") or roles.get("time")
    if groups:
        parts.append(f"rows of one '{groups}' are never split apart")
    if time:
        parts.append(f"tests are later than what was learned from, by '{time}'")
    return "; ".join(parts)


def _held(seal: Mapping[str, Any]) -> str:
    if seal["n_held"] is None:
        return ""
    how = f", {seal['how']}" if seal["how"] else ""
    return f"{plural(seal['n_held'], 'row')} set aside before anything was learned{how}"


def _folds(verdict: Mapping[str, Any], plan: Mapping[str, Any]) -> str:
    words = str(verdict.get("folds") or split_words(plan.get("folds")))
    if verdict.get("rigor") != "quick":
        return words
    return (
        f"{words}; quick: settings are chosen on the same folds, and the verdict's number is corrected for it"
    )


def _ran(plan: Mapping[str, Any]) -> str:
    """What the rows did not allow of the plan, such as repeats where time can be cut in one way only."""
    return " ".join(dict.fromkeys(str(note) for note in plan.get("notes") or ()))


def _tuning(verdict: Mapping[str, Any], plan: Mapping[str, Any]) -> str:
    if verdict.get("rigor") == "quick":
        return ""
    words = str(verdict.get("tuning") or split_words(plan.get("tuning")))
    return f"{words}, inside the training part of every fold" if words else ""


def _measure(verdict: Mapping[str, Any]) -> str:
    reason = str(verdict.get("choose_reason") or "")
    metric = str(verdict.get("metric") or "")
    return f"{metric}: {reason}" if metric and reason and metric not in reason else reason or metric


def _rule(verdict: Mapping[str, Any], plan: Mapping[str, Any]) -> str:
    rule = verdict.get("rule") or plan.get("rule") or ""
    if not isinstance(rule, Mapping):
        return str(rule)
    options = ", ".join(f"{name} {value}" for name, value in rule.items() if name != "rule")
    return f"{rule.get('rule', '')}{f' ({options})' if options else ''}"


def _family(verdict: Mapping[str, Any]) -> str:
    total, contenders = verdict.get("n_plans"), verdict.get("n_contenders")
    if not total or not contenders:
        return ""
    plans = [str(number) for number in (verdict.get("race") or {}).get("plans") or ()]
    raced = f"plan{'s' if len(plans) > 1 else ''} {', '.join(plans)} of {total}, " if plans else ""
    return f"{raced}{plural(int(contenders), 'contender')}; the number allows for the choice among them"


def _seed(study: Mapping[str, Any], plan: Mapping[str, Any], verdict: Mapping[str, Any]) -> str:
    found = [each.get("seed") for each in (verdict, plan, study)]
    return next((str(seed) for seed in found if seed is not None), "")


def _versions(study: Mapping[str, Any], plan: Mapping[str, Any], verdict: Mapping[str, Any]) -> str:
    found: Any = next((each["versions"] for each in (verdict, plan, study) if each.get("versions")), {})
    return ", ".join(f"{name} {version}" for name, version in dict(found).items())


def _digest(table: Any) -> str:
    digest = table.get("digest", "") if isinstance(table, Mapping) else table
    return f"digest {digest}" if isinstance(digest, str) and digest else ""
