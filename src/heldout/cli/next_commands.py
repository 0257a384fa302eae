"""What to type after a run: commands that are right for how the study stands."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def next_commands(facts: Mapping[str, Any]) -> list[dict[str, str]]:
    """Commands, each with what it is good for, the most useful first.

    facts: as `run_facts` gathers them
    """
    study = near_path(str(facts["study"]))
    verdict, state = facts["verdict"], facts["seal"]["state"]
    if not verdict.get("winner") or verdict.get("is_baseline"):
        return [_told(study, "ledger", "", "every use of the rows")]
    model = str(Path(study).with_suffix(".model"))
    found = []
    if state == "closed":
        found.append(_told(study, "unseal", "", "the final score, once"))
    found.append(_told(study, "ship", f" -o {shlex.quote(model)}", "fit on every row"))
    return [*found, _told(study, "explain", "", "read the winner")]


def _told(study: str, verb: str, options: str, why: str) -> dict[str, str]:
    return {"command": f"heldout {verb} {shlex.quote(study)}{options}", "why": why}


def near_path(path: str) -> str:
    """The path as one would type it here: from this folder where it lies below, else from the root."""
    here = os.path.join(os.getcwd(), "")
    return os.path.relpath(path) if os.path.abspath(path).startswith(here) else path
