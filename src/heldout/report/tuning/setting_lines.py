"""Settings as lines over one parameter: a line for each combination of the others, where they are few."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.report.tuning.flatness import Flatness, within_range

# More lines than this cross each other beyond reading: then only the best of the others is drawn.
MOST_LINES = 5
MOST_PLACES = 60


def setting_lines(
    settings: Sequence[Mapping[str, Any]], found: Flatness, larger_is_better: bool
) -> dict[str, Any] | None:
    """What a picture of the settings shows, in plain values; None where no parameter is in all of them.

    settings: in the order of the scores
    found:    what they scored
    """
    across = _across(settings)
    if across is None:
        return None
    places = _ordered(settings, across)
    groups: dict[str, dict[str, int]] = {}
    for place, setting in enumerate(settings):
        others = {name: value for name, value in setting.items() if name != across}
        groups.setdefault(_words(others), {})[_spelled(setting[across])] = place
    if len(groups) > MOST_LINES:
        groups = {"best of the other parameters": _best_of_others(groups.values(), found, larger_is_better)}
    spelled = [_spelled(value) for value in places]
    return {
        "parameter": across,
        "places": places,
        "lines": [_line(label, at, spelled, found) for label, at in groups.items()],
        "range": _range(groups, places, spelled, found),
        "is_at_end": _is_at_end(settings[found.best][across], places),
    }


def _across(settings: Sequence[Mapping[str, Any]]) -> str | None:
    """The parameter with the most values, numbers before words; of equals the first."""
    shared = [name for name in settings[0] if all(name in setting for setting in settings)]
    counted = []
    for name in shared:
        values = {_spelled(setting[name]) for setting in settings}
        if 2 <= len(values) <= MOST_PLACES:
            counted.append((all(_is_number(setting[name]) for setting in settings), len(values), name))
    best = max(counted, key=lambda each: each[:2], default=None)
    return None if best is None else best[2]


def _ordered(settings: Sequence[Mapping[str, Any]], across: str) -> list[Any]:
    values = list({_spelled(setting[across]): setting[across] for setting in settings}.values())
    if all(_is_number(value) for value in values):
        return sorted(values)
    return [value if isinstance(value, str) else _spelled(value) for value in values]


def _line(label: str, at: Mapping[str, int], spelled: Sequence[str], found: Flatness) -> dict[str, Any]:
    means = [float(found.means[at[each]]) if each in at else None for each in spelled]
    return {
        "label": label,
        "means": [None if mean is None or mean != mean else mean for mean in means],
        "is_within": [bool(found.is_within[at[each]]) if each in at else False for each in spelled],
    }


def _best_of_others(groups: Any, found: Flatness, larger_is_better: bool) -> dict[str, int]:
    best: dict[str, int] = {}
    for group in groups:
        for spelled, place in group.items():
            held = best.get(spelled)
            gain = 0.0 if held is None else float(found.means[place] - found.means[held])
            if held is None or (gain > 0 if larger_is_better else gain < 0):
                best[spelled] = place
    return best


def _range(
    groups: Mapping[str, Mapping[str, int]], places: Sequence[Any], spelled: Sequence[str], found: Flatness
) -> list[Any] | None:
    """From where to where one parameter of numbers is within noise around the best; None with several."""
    if len(groups) != 1 or not all(_is_number(place) for place in places):
        return None
    (at,) = groups.values()
    if found.best not in at.values() or len(at) < len(spelled):
        return None
    is_within = [bool(found.is_within[at[each]]) for each in spelled]
    best = next(number for number, each in enumerate(spelled) if at[each] == found.best)
    return list(within_range(places, is_within, best))


def _is_at_end(best: Any, places: Sequence[Any]) -> bool:
    """Whether the best value is the smallest or the largest of several numbers."""
    is_tried = len(places) >= 3 and all(_is_number(place) for place in places)
    return is_tried and best in (places[0], places[-1])


def _words(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_spelled(value)}" for name, value in setting.items())


def _spelled(value: Any) -> str:
    """As JSON spells it, a float with the digits that count.

    >>> _spelled(0.3333333333333333), _spelled("sqrt")
    ('0.3333', '"sqrt"')
    """
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value, default=str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
