"""The screen of a shipped model: where it is, what to expect of it, and how to use it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from heldout.cli.next_commands import near_path
from heldout.cli.screen.expected_scores import expected_scores
from heldout.cli.screen.paragraphs import labelled
from heldout.cli.screen.run_screen import command_lines
from heldout.cli.terminal import Terminal
from heldout.report.chosen_settings import setting_words


def ship_screen(facts: Mapping[str, Any], terminal: Terminal) -> str:
    """The facts of a shipped model as lines that fit the terminal, with a newline at the end.

    facts:    path and provenance, as `Shipped.to_dict` gives them
    terminal: where it will be read
    """
    known = facts["provenance"]
    path = near_path(str(facts["path"]))
    lines = labelled("model", [path], terminal) + labelled("is", [str(known["sentence"])], terminal)
    if known.get("setting"):
        lines += labelled("setting", [setting_words(known["setting"])], terminal, most_lines=2)
    lines += labelled("expect", expected_scores(known), terminal)
    lines += labelled("noticed", [str(note) for note in known.get("notes") or ()][:3], terminal, most_lines=2)
    typed = shlex.quote(path)
    commands = [
        {"command": f"heldout predict {typed} new.csv", "why": "predictions for new rows"},
        {"command": f"heldout explain {typed}", "why": "read it; --sql, --python"},
    ]
    return "\n".join([*lines, *command_lines(commands, terminal), ""])
