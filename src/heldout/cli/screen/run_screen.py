"""The screen of a run: what was read and sealed, who competed, who won, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.cli.next_commands import near_path
from heldout.cli.screen.contender_table import contender_lines
from heldout.cli.screen.model_lines import model_lines
from heldout.cli.screen.paragraphs import GUTTER, labelled
from heldout.cli.screen.story_lines import story_lines
from heldout.cli.terminal import Terminal
from heldout.stats.shown_number import shown

# What a terminal of a laptop shows without scrolling, and the fewest lines that a model is worth.
ONE_SCREEN, LEAST_OF_MODEL = 42, 8
KEEP_SEALED = (
    "Leave the seal closed until a model beats guessing: more rows may show one, or columns that say more."
)


def run_screen(facts: Mapping[str, Any], terminal: Terminal) -> str:
    """The facts of a run as lines that fit the terminal, with a newline at the end.

    facts:    as `run_facts` gives them
    terminal: where it will be read
    """
    above = [*story_lines(facts, terminal), "", *contender_lines(facts, terminal), ""]
    above += [*verdict_lines(facts["verdict"], terminal), *miss_lines(facts, terminal)]
    below = ["", *ending_lines(facts, terminal)]
    room = max(ONE_SCREEN - len(above) - len(below) - 1, LEAST_OF_MODEL)
    model = model_lines(facts["model"], terminal, room)
    return "\n".join([*above, *([""] if model else []), *model, *below, ""])


def verdict_lines(verdict: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """The verdict in few sentences: who wins with which number, and why; then of which plans the race is."""
    reasons = [str(each) for each in [*verdict["short_details"], *(verdict.get("race") or ())]]
    first = labelled("verdict", [str(verdict["sentence"])], terminal, style="strong")
    return [*first, *labelled("", reasons, terminal)]


def miss_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Of a predicted number by how much half of the winner's predictions miss; else nothing."""
    winner = facts["verdict"].get("winner")
    standings = facts["result"]["standings"]
    miss = next((each.get("median_miss") for each in standings if each["name"] == winner), None)
    if miss is None:
        return []
    target = facts["task"]["target"]
    return labelled("", [f"Half of its predictions of {target} miss by at most {shown(miss)}."], terminal)


def ending_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Where the page and the study are, and the commands that come next."""
    study = near_path(str(facts["study"]))
    where = f"{near_path(str(facts['report']))}, made of {study}" if facts.get("report") else f"none; {study}"
    lines = labelled("report", [where], terminal)
    if facts["verdict"].get("is_baseline"):
        lines += labelled("advice", [KEEP_SEALED], terminal)
    return [*lines, *command_lines(facts["next"], terminal)]


def command_lines(commands: Sequence[Mapping[str, str]], terminal: Terminal) -> list[str]:
    """Commands as they can be typed, each with what it is good for where there is room.

    >>> command_lines([{"command": "heldout unseal a.heldout", "why": "the one look"}], Terminal(60))
    ['  next     heldout unseal a.heldout  the one look']
    """
    typed = [terminal.written(each["command"]) for each in commands]
    column = max(map(len, typed), default=0) + 2
    has_room = GUTTER + column + max((len(each["why"]) for each in commands), default=0) <= terminal.width
    lines = []
    for place, (command, each) in enumerate(zip(typed, commands, strict=True)):
        margin = terminal.styled("  next".ljust(GUTTER), "mark") if not place else " " * GUTTER
        why = terminal.styled(terminal.written(each["why"]), "faint")
        lines.append(f"{margin}{command.ljust(column)}{why}" if has_room else f"{margin}{command}")
    return lines
