"""What was read, predicted, sealed and noticed, in a few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heldout.cli.screen.terminal import Terminal, labelled, shown_name
from heldout.plan.task_metrics import LARGEST_SHARE
from heldout.report.method_lines import split_words
from heldout.report.standing_rows import with_interval
from heldout.text.numbers import share_text
from heldout.text.words import plural

MOST_NOTES = 3
_NAME = 32
_SEVERAL = {"category": "categories", "text": "text"}
_LEARNED = "input"


def story_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """The lines above the table of contenders."""
    notes = noticed(facts)
    lines = labelled("read", read_texts(facts["table"], terminal), terminal, most_lines=3)
    lines += labelled("target", [task_text(facts, terminal)], terminal, most_lines=3)
    lines += labelled("sealed", [sealed_text(facts["seal"])], terminal, most_lines=3)
    lines += labelled("noticed", _first(notes), terminal, most_lines=4)
    return [*lines, *labelled("ran", [ran_text(facts)], terminal, most_lines=3)]


def read_texts(table: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Rows, columns, kinds and missing values."""
    name = Path(str(table["path"])).name if table.get("path") else "a table in memory"
    size = f"{plural(table['n_rows'], 'row')}, {plural(table['n_columns'], 'column')}"
    kinds = _kinds([str(column["kind"]) for column in table["columns"]])
    texts = [f"{shown_name(name, 60, terminal.is_unicode)}: {size} ({kinds})"]
    return [*texts, _missing(table["columns"], terminal)]


def _kinds(kinds: Sequence[str]) -> str:
    counts = Counter(kinds)
    return ", ".join(plural(count, kind, _SEVERAL.get(kind, "")) for kind, count in counts.most_common())


def _missing(columns: Sequence[Mapping[str, Any]], terminal: Terminal) -> str:
    incomplete = sorted(
        (column for column in columns if column["n_missing"]), key=lambda entry: -entry["n_missing"]
    )
    if not incomplete:
        return "no value is missing"
    total = plural(sum(column["n_missing"] for column in incomplete), "value")
    name = shown_name(str(incomplete[0]["name"]), _NAME, terminal.is_unicode)
    if len(incomplete) == 1:
        return f"{total} missing, in {name}"
    return f"{total} missing, in {len(incomplete):,} columns, most in {name} ({incomplete[0]['n_missing']:,})"


def task_text(facts: Mapping[str, Any], terminal: Terminal) -> str:
    """What is predicted, from how many columns."""
    task, columns = facts["task"], facts["table"]["columns"]
    target = shown_name(str(task["target"]), _NAME, terminal.is_unicode)
    n_inputs = sum(column.get("role") == _LEARNED for column in columns)
    source = f"from {plural(n_inputs, 'column')}"
    if task["kind"] == "regression":
        text = f"{target}, a number, {source}"
    else:
        text = f"{target} ({_classes(task, terminal)}), {source}"
        if task.get("positive") is not None:
            positive = shown_name(str(task["positive"]), 20, terminal.is_unicode)
            text += f"; the positive class is {positive} (--positive chooses the other)"
    for role, words in (("groups", "rows of one {} stay together"), ("time", "in the order of {}")):
        if task.get(role):
            text += f"; {words.format(shown_name(str(task[role]), _NAME, terminal.is_unicode))}"
    return text


def _classes(task: Mapping[str, Any], terminal: Terminal) -> str:
    classes = task["classes"]
    n_rows = sum(entry["n_open"] for entry in classes) or 1
    shown = [
        _share(shown_name(str(entry["class"]), 20, terminal.is_unicode), entry["n_open"] / n_rows)
        for entry in sorted(classes, key=lambda entry: -entry["n_open"])
    ]
    more = f" and {len(shown) - 4} more" if len(shown) > 5 else ""
    return f"{', '.join(shown[: 4 if more else 5])}{more}"


def _share(name: str, share: float) -> str:
    """A class and its share; one that ends in a digit is kept apart from the number after it."""
    return f"{name}{':' if name[-1:].isdigit() else ''} {share_text(share)}"


def sealed_text(seal: Mapping[str, Any]) -> str:
    """How many rows nobody has seen."""
    if not seal["n_held"]:
        return f"nothing: all {plural(seal['n_open'], 'row')} are open, and there will be no final score"
    seen = "nothing below has seen them"
    if seal["state"] != "closed":
        times = "once" if seal.get("n_looks") == 1 else f"{seal.get('n_looks')} times"
        seen = f"they were looked at {times}"
    n_rows = seal["n_open"] + seal["n_held"] + (seal.get("n_left_out") or 0)
    others = f"; {seal['n_left_out']:,} are neither open nor held" if seal.get("n_left_out") else ""
    return f"{seal['n_held']:,} of {plural(n_rows, 'row')}, {seal['how']}; {seen}{others}"


def noticed(facts: Mapping[str, Any]) -> list[str]:
    """What the reader, the task and the seal have noticed, each once."""
    return list(dict.fromkeys([*facts["table"]["notes"], *(facts["seal"].get("notes") or ())]))


def _first(notes: Sequence[str]) -> list[str]:
    if len(notes) <= MOST_NOTES:
        return list(notes)
    return [*notes[: MOST_NOTES - 1], f"… and {len(notes) - MOST_NOTES + 1} more, all in the report"]


def ran_text(facts: Mapping[str, Any]) -> str:
    """Who competed, and how they were judged."""
    result = facts["result"]
    folds = _folds(result["folds"], facts["dealt"])
    if facts["task"].get("time"):
        folds += " forward in time"
    text = f"{plural(len(result['standings']), 'contender')} in {folds}"
    why = _why_not_accuracy(facts)
    if result["rigor"] == "quick":
        return f"{text}; quick: settings are chosen on the same folds; {_what_is_corrected(result)}{why}"
    return f"{text}, each tuned inside the training part{why}"


def _what_is_corrected(result: Mapping[str, Any]) -> str:
    """Which columns of the table allow for the choice of settings in a quick plan."""
    metric = result["metric"]
    has_r2 = metric != "r2" and any("r2" in (entry.get("scores") or {}) for entry in result["standings"])
    return f"{metric} allows for it{', R² does not' if has_r2 else ''}"


def _why_not_accuracy(facts: Mapping[str, Any]) -> str:
    """Where one class is so frequent that another metric is taken: which, and why."""
    classes, metric = facts["task"].get("classes") or [], facts["result"]["metric"]
    largest = max(classes, key=lambda entry: entry["n_open"], default=None)
    n_rows = sum(entry["n_open"] for entry in classes)
    if largest is None or metric == "accuracy" or largest["n_open"] <= LARGEST_SHARE * n_rows:
        return ""
    return f"; judged by {metric}, as accuracy would favor guessing {shown_name(str(largest['class']), 20)}"


def _folds(folds: Mapping[str, Any], dealt: Mapping[str, int]) -> str:
    """The usual folds as they were dealt, in few words; others in the words of the report."""
    if folds.get("split") != "KFold":
        return split_words(folds)
    return (
        f"{dealt['repeats']} × {dealt['folds']} folds" if dealt["repeats"] > 1 else f"{dealt['folds']} folds"
    )


def expected_scores(provenance: Mapping[str, Any]) -> list[str]:
    """A line for each score that is known: on the open rows, and on the held ones if they were looked at.

    Where a study has several races, one more names the race of the scores.
    """
    known = {"final_score": "on the held rows"}
    if provenance.get("corrected"):
        known = {"corrected": "on the open rows, corrected for the choosing"} | known
    else:
        known = {"estimate": "on the open rows, cross-validated; not corrected for the choosing"} | known
    race = [str(provenance["race"])] if provenance.get("race") else []
    scores = [
        f"{provenance.get('metric')} {with_interval(provenance[name])} {where}"
        for name, where in known.items()
        if provenance.get(name)
    ]
    return [*scores, *race]
