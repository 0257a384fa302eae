"""The screen of a run: what was read and sealed, who competed, who won, and what to do next."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.cli.output import near_path
from heldout.cli.screen.score_table import ScoreLine, score_lines, score_texts
from heldout.cli.screen.story_lines import story_lines
from heldout.cli.screen.terminal import (
    GUTTER,
    WIDEST_TEXT,
    Terminal,
    labelled,
    printable,
    shown_name,
    wrap,
)
from heldout.report.models.model_text import shortened
from heldout.report.standing_rows import problem_of, shown_seconds
from heldout.text.numbers import number_text, number_texts, percent_text

# What a terminal of a laptop shows without scrolling, and the fewest lines that a model is worth.
ONE_SCREEN, LEAST_OF_MODEL = 42, 8
KEEP_SEALED = (
    "Leave the seal closed until a model beats guessing: more rows may show one, or columns that say more."
)


def run_screen(facts: Mapping[str, Any], terminal: Terminal) -> str:
    """The facts of a run as lines that fit the terminal, with a newline at the end."""
    above = [*story_lines(facts, terminal), "", *contender_lines(facts, terminal), ""]
    above += [*verdict_lines(facts["verdict"], terminal), *miss_lines(facts, terminal)]
    below = ["", *ending_lines(facts, terminal)]
    room = max(ONE_SCREEN - len(above) - len(below) - 1, LEAST_OF_MODEL)
    model = model_lines(facts["model"], terminal, room)
    return "\n".join([*above, *([""] if model else []), *model, *below, ""])


def verdict_lines(verdict: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """The verdict in few sentences: who wins with which number, and why; then of which plans the race is."""
    reasons = [str(standing) for standing in [*verdict["short_details"], *(verdict.get("race") or ())]]
    first = labelled("verdict", [str(verdict["sentence"])], terminal, style="strong")
    return [*first, *labelled("", reasons, terminal)]


def miss_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Of a predicted number by how much half of the winner's predictions miss; else nothing."""
    winner = facts["verdict"].get("winner")
    standings = facts["result"]["standings"]
    miss = next((standing.get("median_miss") for standing in standings if standing["name"] == winner), None)
    if miss is None:
        return []
    target = facts["task"]["target"]
    return labelled(
        "", [f"Half of its predictions of {target} miss by at most {number_text(miss)}."], terminal
    )


def ending_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Where the page and the study are, and the commands that come next."""
    study = near_path(str(facts["study"]))
    where = f"{near_path(str(facts['report']))}, made of {study}" if facts.get("report") else f"none; {study}"
    lines = labelled("report", [where], terminal)
    if facts["verdict"].get("is_baseline"):
        lines += labelled("advice", [KEEP_SEALED], terminal)
    return [*lines, *command_lines(facts["next"], terminal)]


def command_lines(commands: Sequence[Mapping[str, str]], terminal: Terminal) -> list[str]:
    """Commands as they can be typed, each with what it is good for where there is room."""
    typed = [terminal.render(entry["command"]) for entry in commands]
    column = max(map(len, typed), default=0) + 2
    has_room = GUTTER + column + max((len(entry["why"]) for entry in commands), default=0) <= terminal.width
    lines = []
    for position, (command, entry) in enumerate(zip(typed, commands, strict=True)):
        margin = terminal.style("  next".ljust(GUTTER), "mark") if not position else " " * GUTTER
        why = terminal.style(terminal.render(entry["why"]), "faint")
        lines.append(f"{margin}{command.ljust(column)}{why}" if has_room else f"{margin}{command}")
    return lines


MOST_ROWS = 12


def contender_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """The table of a run: the best first, the winner marked, and how many are not shown."""
    result, verdict = facts["result"], facts["verdict"]
    winner, is_larger_better = str(verdict.get("winner", "")), bool(verdict.get("is_larger_better", True))
    ordered = _ordered(result["standings"], is_larger_better)
    kept = _kept(ordered, winner)
    share = (
        next((standing["estimate"].get("confidence") for standing in kept if standing["estimate"]), None)
        or 0.95
    )
    way = "" if is_larger_better else "less is better"
    has_r2 = _has_r2(kept)
    beside = ("R²",) if has_r2 else ()
    headings = (way, str(result["metric"]), f"{percent_text(share)} interval", *beside, "bits", "time")
    lines = _lines(kept, winner)
    guess = next((line.ends[0] for line in lines if line.is_far), math.nan)
    table = score_lines(lines, headings, terminal, guess)
    n_more = len(ordered) - len(kept)
    return [*table, *([terminal.render(f"    … and {n_more} more, all in the report")] if n_more else [])]


def _ordered(standings: Sequence[Mapping[str, Any]], is_larger_better: bool) -> list[Mapping[str, Any]]:
    def position(standing: Mapping[str, Any]) -> tuple[bool, float]:
        score = standing["estimate"].get("estimate")
        return (score is None, 0.0 if score is None else (-score if is_larger_better else score))

    return sorted(standings, key=position)


def _kept(ordered: Sequence[Mapping[str, Any]], winner: str) -> list[Mapping[str, Any]]:
    """The best, and whatever their place the winner and the baselines."""
    if len(ordered) <= MOST_ROWS:
        return list(ordered)
    needed = [standing for standing in ordered if standing["name"] == winner or standing.get("is_baseline")][
        :MOST_ROWS
    ]
    others = [standing for standing in ordered if standing not in needed][: MOST_ROWS - len(needed)]
    return [standing for standing in ordered if standing in needed or standing in others]


def _lines(kept: Sequence[Mapping[str, Any]], winner: str) -> list[ScoreLine]:
    has_r2 = _has_r2(kept)
    lines = []
    rows = score_texts(standing["estimate"] for standing in kept)
    for standing, (ends, score, interval) in zip(kept, rows, strict=True):
        is_winner, is_baseline = standing["name"] == winner, bool(standing.get("is_baseline"))
        line = ScoreLine(
            f"{standing['name']}, new" if standing.get("is_new") else str(standing["name"]),
            ends,
            (score, interval, *_r2(standing, has_r2), _bits(standing), _time(standing)),
            style="good" if is_winner else "faint" if is_baseline else "",
            is_marked=is_winner,
            is_far=is_baseline,
            problem=(problem_of(standing) or "it has no score") if math.isnan(ends[0]) else "",
        )
        lines.append(line)
    return lines


def _has_r2(standings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether how much is explained stands beside an error in the target's unit."""
    return any(
        standing.get("metric") != "r2" and "r2" in (standing.get("scores") or {}) for standing in standings
    )


def _r2(standing: Mapping[str, Any], is_shown: bool) -> tuple[str, ...]:
    score = (standing.get("scores") or {}).get("r2")
    return ("" if score is None else number_texts([score], guide=1.0)[0],) if is_shown else ()


def _bits(standing: Mapping[str, Any]) -> str:
    bits = standing.get("bits")
    return "" if bits is None else f"{bits:,.0f}"


def _time(standing: Mapping[str, Any]) -> str:
    seconds = standing.get("seconds")
    return "" if seconds is None else shown_seconds(seconds)


READABLE = ("tree", "rules")
LEAST_LINES = 6
_HANGING = "    "
_STEMS = re.compile(r"^(\|   )+")


def model_lines(models: Sequence[Mapping[str, Any]], terminal: Terminal, most_lines: int) -> list[str]:
    """The lines about the winner's model, and the text of the one that can be read."""
    lines: list[str] = []
    for model in models:
        is_beside = model["role"] == "readable"
        sentence = str(model["heading"] if is_beside else model["takeaway"])
        sentence = f"{sentence} {model.get('length') or ''}".rstrip()
        lines += labelled("to read" if is_beside else "model", [sentence], terminal, most_lines=4)
        if model["form"] in READABLE:
            lines += _text_lines(model, terminal, max(most_lines - len(lines), LEAST_LINES))
    return lines


def _text_lines(model: Mapping[str, Any], terminal: Terminal, most_lines: int) -> list[str]:
    """Its text, in full where there is room; else the short one, in which deep parts are folded."""
    as_lines = tree_lines if model["form"] == "tree" else rule_lines
    width = min(terminal.width, WIDEST_TEXT + 20) - GUTTER
    drawn = as_lines(terminal.render(printable_lines(str(model["text"]))), width, terminal)
    if len(drawn) > most_lines:
        short = terminal.render(printable_lines(str(model.get("short") or model["text"])))
        drawn = as_lines(short, width, terminal)
    kept = shortened("\n".join(drawn), most_lines, width).split("\n") if len(drawn) > most_lines else drawn
    return [f"{' ' * GUTTER}{terminal.render(line)}".rstrip() for line in kept]


def printable_lines(text: str) -> str:
    """The text with its lines, and in them nothing that commands a terminal."""
    return "\n".join(map(printable, text.split("\n")))


def tree_lines(text: str, width: int, terminal: Terminal) -> list[str]:
    """A line for each branch; one that is too long loses its middle, as it ends in what is predicted."""
    lines = text.split("\n")
    drawn = (_STEMS.sub(lambda stems: stems[0].replace("|", terminal.render("│")), line) for line in lines)
    return [shown_name(shortened(line, 1, width), width, terminal.is_unicode) for line in drawn]


def rule_lines(text: str, width: int, terminal: Terminal) -> list[str]:
    """Each rule in lines of this width, those after its first one further in."""
    rules: list[str] = []
    for line in text.split("\n"):
        if line.startswith(_HANGING) and rules:
            rules[-1] += f" {line.strip()}"
        else:
            rules.append(line)
    lines: list[str] = []
    for rule in rules:
        first, *rest = wrap(rule, width - len(_HANGING)) or [""]
        lines += [first, *(f"{_HANGING}{line}" for line in rest)]
    return lines
