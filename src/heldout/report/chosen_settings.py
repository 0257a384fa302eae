"""What tuning chose, cell by cell: the settings of each contender, and how often each was taken."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from heldout.ledger.verdict_facts import VerdictFact


def chosen_settings(verdict: VerdictFact | None) -> list[dict[str, Any]]:
    """For each contender with something to tune: its settings, the one taken most often first."""
    standings = () if verdict is None else verdict.standings
    counted = {standing.name: _counted(standing.chosen) for standing in standings}
    return [_tuned(name, counts) for name, counts in counted.items() if counts]


def _counted(chosen: Iterable[tuple[Mapping[str, Any], int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for setting, n_cells in chosen:
        if setting:
            counts[setting_words(setting)] += n_cells
    return counts


def chosen_once(name: str, flat: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a plan that chose once by the mean over all folds.

    flat: as `setting_scores` gives it
    """
    words = setting_words(flat["best"]["setting"])
    return {
        "name": name,
        "n_cells": flat["n_cells"],
        "n_settings": 1,
        "settings": [{"words": words, "n_cells": flat["n_cells"]}],
        "is_stable": True,
        "is_once": True,
    }


def taken_words(tuned: Mapping[str, Any]) -> str:
    """What a contender took, in a line.

    tuned: one of what `chosen_settings` gives
    """
    first = tuned["settings"][0]
    if tuned.get("is_once"):
        return f"{first['words']}, by the mean over {tuned['n_cells']} folds"
    messages = f"{first['words']} in {first['n_cells']} of {tuned['n_cells']} folds"
    if tuned["n_settings"] == 1:
        return messages
    unstable = "" if tuned["is_stable"] else ": none in more than half of the folds"
    return f"{messages}, {tuned['n_settings']} settings in all{unstable}"


def setting_words(setting: Mapping[str, Any]) -> str:
    """A setting as it stands in a sentence."""
    return ", ".join(f"{name} = {_spelled(value)}" for name, value in setting.items())


def _spelled(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value, default=str)


def _tuned(name: str, counts: Counter[str]) -> dict[str, Any]:
    # Equal counts in the order of their words: the page must not depend on the order of cells.
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    n_cells = sum(counts.values())
    return {
        "name": name,
        "n_cells": n_cells,
        "n_settings": len(ordered),
        "settings": [{"words": words, "n_cells": count} for words, count in ordered],
        "is_stable": ordered[0][1] > n_cells / 2,
    }
