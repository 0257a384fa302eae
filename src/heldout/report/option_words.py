"""Advice that is written for Python, said again in options of the command line."""

from __future__ import annotations

import ast
import re
import shlex

_STRING = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_FLAGS = {
    "header=True": "--header",
    "header=False": "--no-header",
    "day_first=True": "--day-first",
    "day_first=False": "--month-first",
    "held=None": "--held 0",
    "names=[...]": "--names a,b,…",
}
_SENTENCES = {
    "Study.open(path, table=…): a Table, a frame or the path of a file": "--data FILE",
    "open the study with them: ": "say where they are: ",
    "open the study with the table as it was (table=…)": "give the table as it was with --data FILE",
    "kinds, column": "--kind, column",
    "leave kind out": "leave --task out",
    "leave positive out": "leave --positive out",
    "leave groups out": "leave --groups out",
    "or leave the metrics out": "or leave --metric out",
    "; query_only=True only reads": "",
    "Study.open or exist_ok=True goes on with it; for a new one choose another path": "choose another name",
    "turn it into a list of dicts with json.load, and hand that over": "save it as CSV first",
    "run one: study.run(ho.Plan(contenders=ho.default_contenders(study.task)))": "run one: heldout run",
    "hand over what names it": "name it",
    'reason="': '--again "',
    "reason=''": "--again ''",
    "name a file that Study.create made": "name a study file, as heldout run makes it",
    "write one with ho.save": "write one with heldout ship",
    "verify() says": "heldout ledger --verify says",
    "head='": "--head '",
    "prepare_for makes words of it, else no learner takes it": "its words become columns",
}
_OPTION_OF = {
    "kind": "task",
    "delimiter": "delimiter",
    "decimal": "decimal",
    "comment": "comment",
    "encoding": "encoding",
    "skip_lines": "skip-lines",
    "sheet": "sheet",
    "table": "table",
    "query": "query",
    "positive": "positive",
    "groups": "groups",
    "time": "time",
    "weights": "weights",
    "held": "held",
    "seed": "seed",
    "rigor": "rigor",
    "n_jobs": "jobs",
    "drop": "drop",
    "metric": "metric",
    "choose_by": "metric",
    "k": "folds",
}
_NAMES = "|".join(sorted(_OPTION_OF, key=len, reverse=True))
_KINDS = re.compile(rf"kinds=\{{(?P<name>{_STRING}): (?P<kind>{_STRING})\}}(?: when reading)?")
_MARKERS = re.compile(rf"missing=\{{(?P<name>{_STRING}): \[(?P<markers>(?:{_STRING}(?:, )?)*)\]\}}")
_OPEN = re.compile(rf"(?P<option>kind|missing)s?=\{{(?P<name>{_STRING}): (?:\[\.\.\.\]|\.\.\.)\}}")
_LISTED = re.compile(rf"missing=\[(?P<markers>(?:{_STRING}(?:, )?)*)\]")
_DROPPED = re.compile(rf"drop=\[(?P<name>{_STRING})\]")
_VALUE = re.compile(rf"(?<![\w.(-])(?P<name>{_NAMES})=(?P<value>{_STRING}|-?(?:\d[\d.]*|nan|inf))?")


def in_options(text: str) -> str:
    """The same advice for someone who types commands.

    text: of an error or a note
    """
    try:
        return _in_options(text)
    except (SyntaxError, ValueError):  # a name of the table that only looks like Python
        return text


def _in_options(text: str) -> str:
    for messages, typed in (_SENTENCES | _FLAGS).items():
        text = text.replace(messages, typed)
    text = _KINDS.sub(lambda found: f"--kind {_typed(found['name'], found['kind'])}", text)
    text = _MARKERS.sub(_markers_of_column, text)
    text = _OPEN.sub(lambda found: f"--{found['option']} {_typed(found['name'], repr('…'))}", text)
    text = _DROPPED.sub(lambda found: f"--drop {shlex.quote(ast.literal_eval(found['name']))}", text)
    text = _LISTED.sub(lambda found: _repeated("", found["markers"]), text)
    return _VALUE.sub(_option, text)


def _typed(name: str, value: str) -> str:
    """NAME=VALUE as a shell takes it; both are written as in Python."""
    spelled = f"{ast.literal_eval(name)}={ast.literal_eval(value)}"
    return spelled if spelled.replace("…", "").isidentifier() else shlex.quote(spelled)


def _markers_of_column(found: re.Match[str]) -> str:
    return _repeated(f"{ast.literal_eval(found['name'])}=", found["markers"])


def _repeated(before: str, markers: str) -> str:
    """One --missing for each marker; `COLUMN=` alone says that nothing stands for missing there."""
    found = ast.literal_eval(f"[{markers}]") or [""]
    return " ".join(f"--missing {shlex.quote(before + marker)}" for marker in found)


def _option(found: re.Match[str]) -> str:
    option = f"--{_OPTION_OF[found['name']]}"
    value = found["value"]
    if value is None:
        return option
    is_text = value.startswith(("'", '"'))
    spelled = str(ast.literal_eval(value)) if is_text else value.rstrip(".")
    rest = "" if is_text or spelled == value else "."
    return f"{option} {shlex.quote(spelled.replace(chr(9), chr(92) + 't'))}{rest}"
