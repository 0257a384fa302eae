"""The screens of `heldout unseal` and `heldout ship`: the score on held rows, the saved model."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heldout.cli.output import near_path
from heldout.cli.screen.run_screen import command_lines
from heldout.cli.screen.score_table import ScoreLine, score_lines, score_texts
from heldout.cli.screen.story_lines import expected_scores
from heldout.cli.screen.terminal import GUTTER, Terminal, labelled, shown_name
from heldout.report.chosen_settings import setting_words
from heldout.text.numbers import percent_text


def seal_screen(facts: Mapping[str, Any], confusion: str | None, terminal: Terminal) -> str:
    """The facts of a look as lines that fit the terminal, with a newline at the end."""
    score = facts["score"]
    opened = "now, and this is on record" if facts["is_new_look"] else "earlier; this is the recorded score"
    which = f"{score['contender']} was scored on the {score['n_rows']:,} held rows {opened}"
    lines = labelled("seal", [which], terminal)
    lines += ["", *_table(score, terminal), "", *labelled("score", [score["text"]], terminal)]
    if confusion:
        width = terminal.width - GUTTER
        shown = (shown_name(line, width, terminal.is_unicode) for line in confusion.split("\n"))
        lines += ["", *(f"{' ' * GUTTER}{line}".rstrip() for line in shown)]
    lines += ["", *_ending(facts, terminal)]
    return "\n".join([*lines, ""])


def _table(score: Mapping[str, Any], terminal: Terminal) -> list[str]:
    intervals = {"held rows": score["adaptive"]}
    if score["bits_before"]:
        intervals["if fixed before"] = score["fixed"]
    if score.get("open_estimate"):
        intervals["open rows"] = score["open_estimate"]
    lines: list[ScoreLine] = []
    for name, (ends, estimate, interval) in zip(intervals, score_texts(intervals.values()), strict=True):
        is_first = not lines
        lines.append(ScoreLine(name, ends, (estimate, interval), "good" if is_first else "", is_first))
    share = percent_text(score["adaptive"].get("confidence") or 0.95)
    baseline = math.nan if score.get("baseline") is None else float(score["baseline"])
    return score_lines(lines, ("", str(score["metric"]), f"{share} interval"), terminal, baseline)


def _ending(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    study = near_path(str(facts["study"]))
    lines = []
    if facts.get("rows"):
        lines += labelled("rows", [near_path(str(facts["rows"]))], terminal)
    if facts.get("report"):
        lines += labelled("report", [f"{near_path(str(facts['report']))}, made again"], terminal)
    name = facts["score"]["contender"]
    model = shlex.quote(str(Path(study).with_suffix(".model")))
    ship = f"heldout ship {shlex.quote(study)} {shlex.quote(name)} -o {model}"
    return [*lines, *command_lines([{"command": ship, "why": "fit on every row"}], terminal)]


def ship_screen(facts: Mapping[str, Any], terminal: Terminal) -> str:
    """The facts of a shipped model as lines that fit the terminal, with a newline at the end."""
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
