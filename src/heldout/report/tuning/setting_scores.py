"""The settings of each contender of a plan with what they scored in its cells, from the study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.ledger.json_numbers import number_of_json
from heldout.report.standing_rows import larger_is_better
from heldout.report.tuning.flatness import flatness
from heldout.report.tuning.setting_lines import setting_lines

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger

MOST_LISTED = 20


def setting_scores(
    ledger: Ledger, plan: Mapping[str, Any], verdict: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """For each contender that was tuned: how its settings scored, and which are within noise of the best.

    plan, verdict: the bodies of their facts

    What the study file does not say of a contender leaves it out.
    """
    contenders = {str(fact.key): fact.body for fact in ledger.facts("contender")}
    cells = {fact.key: fact for fact in ledger.facts("cell")}
    found = {}
    for standing in verdict.get("standings") or ():
        digest = standing.get("contender", "")
        body = contenders.get(str(digest), {})
        settings = settings_of((body.get("contender") or {}).get("space"))
        fact = ledger.fact("plan", str(standing.get("plan", "")))
        ran_by = plan if fact is None else fact.body
        keys = [f"{digest}:{fold}:{ran_by.get('protocol', '')}" for fold in ran_by.get("folds") or ()]
        ran = [cells[key] for key in keys if key in cells]
        if len(settings) > 1 and ran and len(ran) == len(keys):
            scored = _scored(settings, ran, verdict, _test_share(ledger, ran))
            if scored is not None:
                found[str(standing["name"])] = scored
    return found


def settings_of(space: Any) -> list[dict[str, Any]]:
    """The settings of a recorded space, in the order of the scores.

    >>> settings_of({"grid": [["k", [1, 3]], ["metric", ["l1"]]]})
    [{'k': 1, 'metric': 'l1'}, {'k': 3, 'metric': 'l1'}]
    """
    from itertools import product

    if isinstance(space, Mapping) and isinstance(space.get("grid"), Sequence):
        names = [str(name) for name, _ in space["grid"]]
        values = [each for _, each in space["grid"]]
        return [dict(zip(names, combination, strict=True)) for combination in product(*values)]
    listed = space.get("settings") if isinstance(space, Mapping) else None
    return [dict(setting) for setting in listed or () if isinstance(setting, Mapping)]


def _test_share(ledger: Ledger, ran: Sequence[Fact]) -> float:
    n_rows = sum(int(fact.body["result"].get("n_rows") or 0) for fact in ran) / len(ran)
    profiles = ledger.facts("profile")
    n_open = int(profiles[0].body.get("n_rows") or 0) if profiles else 0
    return n_rows / n_open if 0 < n_rows < n_open else float("nan")


def _scored(
    settings: list[dict[str, Any]], ran: Sequence[Fact], verdict: Mapping[str, Any], test_share: float
) -> dict[str, Any] | None:
    rows = [fact.body["result"].get("choice_scores") or () for fact in ran]
    if any(len(row) != len(settings) for row in rows):
        return None
    scores = np.array([[number_of_json(score) for score in row] for row in rows], dtype=np.float64)
    is_larger_better = larger_is_better(verdict)
    is_nested = verdict.get("rigor") != "quick"
    found = flatness(scores, is_larger_better, test_share, is_nested)
    if found is None:
        return None
    chosen = [fact.body["result"].get("chosen_place", -1) for fact in ran]
    n_chosen = [chosen.count(place) for place in range(len(settings))]
    order = np.argsort(-found.means if is_larger_better else found.means)
    return {
        "metric": str(ran[0].body["result"].get("tuned_by") or verdict.get("metric", "")),
        "is_nested": is_nested,
        "n_cells": len(ran),
        "n_settings": len(settings),
        "n_within": found.n_within,
        "best": _setting(settings, found, n_chosen, found.best),
        "listed": [_setting(settings, found, n_chosen, place) for place in order[:MOST_LISTED].tolist()],
        "lines": setting_lines(settings, found, is_larger_better),
    }


def _setting(settings: Sequence[dict[str, Any]], found: Any, n_chosen: Sequence[int], place: int) -> Any:
    noise = float(found.noise[place])
    mean = float(found.means[place])
    return {
        "setting": settings[place],
        "mean": mean if np.isfinite(mean) else None,
        "noise": noise if np.isfinite(noise) else None,
        "is_within": bool(found.is_within[place]),
        "n_chosen": n_chosen[place],
    }
