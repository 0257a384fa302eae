"""The model in a few lines: the tree or the rules if they won, or the best readable one beside the winner."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.cli.screen.cell_width import settled, shown_name
from heldout.cli.screen.paragraphs import GUTTER, WIDEST_TEXT, labelled, wrapped
from heldout.cli.terminal import Terminal
from heldout.report.models.model_text import shortened

READABLE = ("tree", "rules")
LEAST_LINES = 6
_HANGING = "    "
_STEMS = re.compile(r"^(\|   )+")


def model_lines(models: Sequence[Mapping[str, Any]], terminal: Terminal, most_lines: int) -> list[str]:
    """The lines about the winner's model, and the text of the one that can be read.

    models:     as `run_facts` gives them under "model"
    terminal:   where it will be read
    most_lines: how many there is room for
    """
    lines: list[str] = []
    for model in models:
        is_beside = model["role"] == "readable"
        said = str(model["heading"] if is_beside else model["takeaway"])
        said = f"{said} {model.get('length') or ''}".rstrip()
        lines += labelled("to read" if is_beside else "model", [said], terminal, most_lines=4)
        if model["form"] in READABLE:
            lines += _text_lines(model, terminal, max(most_lines - len(lines), LEAST_LINES))
    return lines


def _text_lines(model: Mapping[str, Any], terminal: Terminal, most_lines: int) -> list[str]:
    """Its text, in full where there is room; else the short one, in which deep parts are folded."""
    as_lines = tree_lines if model["form"] == "tree" else rule_lines
    width = min(terminal.width, WIDEST_TEXT + 20) - GUTTER
    found = as_lines(terminal.written(settled_lines(str(model["text"]))), width, terminal)
    if len(found) > most_lines:
        short = terminal.written(settled_lines(str(model.get("short") or model["text"])))
        found = as_lines(short, width, terminal)
    kept = shortened("\n".join(found), most_lines, width).split("\n") if len(found) > most_lines else found
    return [f"{' ' * GUTTER}{terminal.written(line)}".rstrip() for line in kept]


def settled_lines(text: str) -> str:
    """The text with its lines, and in them nothing that commands a terminal."""
    return "\n".join(map(settled, text.split("\n")))


def tree_lines(text: str, width: int, terminal: Terminal) -> list[str]:
    """A line for each branch; one that is too long loses its middle, as it ends in what is predicted.

    >>> tree_lines("|   age <= 30: no (8) … 2 leaves below", 40, Terminal())
    ['│   age <= 30: no (8) … 2 leaves below']
    >>> tree_lines("|   town in {Aachen, Augsburg, Berlin, … (34 more)}: no (8)", 40, Terminal())
    ['│   town in {Aachen, Au…4 more)}: no (8)']
    """
    lines = text.split("\n")
    drawn = (_STEMS.sub(lambda stems: stems[0].replace("|", terminal.written("│")), line) for line in lines)
    return [shown_name(shortened(line, 1, width), width, terminal.is_unicode) for line in drawn]


def rule_lines(text: str, width: int, terminal: Terminal) -> list[str]:
    """Each rule in lines of this width, those after its first one further in.

    >>> rule_lines("If age is at most 30:\\n    no (8 rows)\\nOtherwise: yes", 20, Terminal())
    ['If age is at', '    most 30: no (8', '    rows)', 'Otherwise: yes']
    """
    rules: list[str] = []
    for line in text.split("\n"):
        if line.startswith(_HANGING) and rules:
            rules[-1] += f" {line.strip()}"
        else:
            rules.append(line)
    lines: list[str] = []
    for rule in rules:
        first, *rest = wrapped(rule, width - len(_HANGING)) or [""]
        lines += [first, *(f"{_HANGING}{line}" for line in rest)]
    return lines
