"""What tuning chose, cell by cell: the settings of each contender, and how often each was taken."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def chosen_settings(ledger: Ledger, verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each contender with something to tune: its settings, the one taken most often first.

    ledger:  of the study; asked where the verdict does not tell
    verdict: the body of its fact; only the contenders of its standings are shown
    """
    standings = [standing for standing in verdict.get("standings") or () if isinstance(standing, Mapping)]
    if any("chosen" in standing for standing in standings):
        told = {str(each.get("name", "")): _told(each.get("chosen") or ()) for each in standings}
    else:
        told = _counted(ledger, [str(each.get("name", "")) for each in standings])
    return [_tuned(name, counts) for name, counts in told.items() if counts]


def _told(chosen: Sequence[Any]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for setting, n_cells in chosen:
        if setting:
            counts[setting_words(setting)] += int(n_cells)
    return counts


def _counted(ledger: Ledger, shown: Sequence[str]) -> dict[str, Counter[str]]:
    """The same from the cells, of whatever plan."""
    names = {str(fact.key): str(fact.body.get("name", "")) for fact in ledger.facts("contender")}
    taken: dict[str, Counter[str]] = {name: Counter() for name in shown}
    for fact in ledger.facts("cell"):
        name = names.get(str(fact.key).split(":")[0], "")
        chosen = (fact.body.get("result") or {}).get("chosen")
        if name in taken and chosen:
            taken[name][setting_words(chosen)] += 1
    return taken


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
    said = f"{first['words']} in {first['n_cells']} of {tuned['n_cells']} folds"
    if tuned["n_settings"] == 1:
        return said
    unstable = "" if tuned["is_stable"] else ": none in more than half of the folds"
    return f"{said}, {tuned['n_settings']} settings in all{unstable}"


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
