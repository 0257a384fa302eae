"""The settings of each contender of a plan with what they scored in its cells, from the study file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.ledger.plan_facts import CellFact, CellRecord, ContenderFact, PlanFact
from heldout.ledger.study_facts import ProfileFact
from heldout.ledger.verdict_facts import VerdictFact

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger

MOST_LISTED = 20


def setting_scores(ledger: Ledger, verdict: VerdictFact | None) -> dict[str, dict[str, Any]]:
    """For each contender that was tuned: how its settings scored, and which are within noise of the best.

    Who has not run to the end is left out.
    """
    if verdict is None:
        return {}
    contenders = {fact.key: ContenderFact.read(fact) for fact in ledger.facts("contender")}
    plans = {fact.key: PlanFact.read(fact) for fact in ledger.facts("plan")}
    cells = {fact.key: CellFact.read(fact).result for fact in ledger.facts("cell")}
    n_open = ProfileFact.read(ledger.only("profile")).n_rows
    found = {}
    for standing in verdict.standings:
        settings = settings_of(contenders[standing.contender].contender.get("space"))
        plan = plans[standing.plan]
        keys = [plan.cell_key(standing.contender, fold) for fold in plan.folds]
        ran = [cells[key] for key in keys if key in cells]
        if len(settings) > 1 and len(ran) == len(keys):
            scored = _scored(settings, ran, verdict, n_open)
            if scored is not None:
                found[standing.name] = scored
    return found


def settings_of(space: Any) -> list[dict[str, Any]]:
    """The settings of a recorded space, in the order of the scores."""
    from itertools import product

    if isinstance(space, Mapping) and isinstance(space.get("grid"), Sequence):
        names = [str(name) for name, _ in space["grid"]]
        values = [each for _, each in space["grid"]]
        return [dict(zip(names, combination, strict=True)) for combination in product(*values)]
    listed = space.get("settings") if isinstance(space, Mapping) else None
    return [dict(setting) for setting in listed or () if isinstance(setting, Mapping)]


def _test_share(ran: Sequence[CellRecord], n_open: int) -> float:
    n_rows = sum(cell.n_rows for cell in ran) / len(ran)
    return n_rows / n_open if 0 < n_rows < n_open else float("nan")


def _scored(
    settings: list[dict[str, Any]], ran: Sequence[CellRecord], verdict: VerdictFact, n_open: int
) -> dict[str, Any] | None:
    if any(len(cell.choice_scores) != len(settings) for cell in ran):
        return None
    scores = np.array([cell.choice_scores for cell in ran], dtype=np.float64)
    is_larger_better, is_nested = verdict.is_larger_better, not verdict.is_quick
    found = flatness(scores, is_larger_better, _test_share(ran, n_open), is_nested)
    if found is None:
        return None
    chosen = [cell.chosen_index for cell in ran]
    n_chosen = [chosen.count(index) for index in range(len(settings))]
    order = np.argsort(-found.means if is_larger_better else found.means)
    return {
        "metric": ran[0].tuned_by or verdict.metric,
        "is_nested": is_nested,
        "n_cells": len(ran),
        "n_settings": len(settings),
        "n_within": found.n_within,
        "best": _setting(settings, found, n_chosen, found.best),
        "listed": [_setting(settings, found, n_chosen, index) for index in order[:MOST_LISTED].tolist()],
        "lines": setting_lines(settings, found, is_larger_better),
    }


def _setting(settings: Sequence[dict[str, Any]], found: Any, n_chosen: Sequence[int], index: int) -> Any:
    noise = float(found.noise[index])
    mean = float(found.means[index])
    return {
        "setting": settings[index],
        "mean": mean if np.isfinite(mean) else None,
        "noise": noise if np.isfinite(noise) else None,
        "is_within": bool(found.is_within[index]),
        "n_chosen": n_chosen[index],
    }


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
    indices = _ordered(settings, across)
    groups: dict[str, dict[str, int]] = {}
    for index, setting in enumerate(settings):
        others = {name: value for name, value in setting.items() if name != across}
        groups.setdefault(_words(others), {})[_spelled(setting[across])] = index
    if len(groups) > MOST_LINES:
        groups = {"best of the other parameters": _best_of_others(groups.values(), found, larger_is_better)}
    spelled = [_spelled(value) for value in indices]
    return {
        "parameter": across,
        "places": indices,
        "lines": [_line(label, at, spelled, found) for label, at in groups.items()],
        "range": _range(groups, indices, spelled, found),
        "is_at_end": _is_at_end(settings[found.best][across], indices),
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
        for spelled, index in group.items():
            held = best.get(spelled)
            gain = 0.0 if held is None else float(found.means[index] - found.means[held])
            if held is None or (gain > 0 if larger_is_better else gain < 0):
                best[spelled] = index
    return best


def _range(
    groups: Mapping[str, Mapping[str, int]], indices: Sequence[Any], spelled: Sequence[str], found: Flatness
) -> list[Any] | None:
    """From where to where one parameter of numbers is within noise around the best; None with several."""
    if len(groups) != 1 or not all(_is_number(index) for index in indices):
        return None
    (at,) = groups.values()
    if found.best not in at.values() or len(at) < len(spelled):
        return None
    is_within = [bool(found.is_within[at[each]]) for each in spelled]
    best = next(number for number, each in enumerate(spelled) if at[each] == found.best)
    return list(within_range(indices, is_within, best))


def _is_at_end(best: Any, indices: Sequence[Any]) -> bool:
    """Whether the best value is the smallest or the largest of several numbers."""
    is_tried = len(indices) >= 3 and all(_is_number(index) for index in indices)
    return is_tried and best in (indices[0], indices[-1])


def _words(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_spelled(value)}" for name, value in setting.items())


def _spelled(value: Any) -> str:
    """As JSON spells it, a float with the digits that count."""
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value, default=str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# Sums of equal numbers differ in their last digits.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Flatness:
    """What the settings of a contender scored, beside the best of them.

    best:      the place of the best mean, the first of equals
    means:     of each setting over the cells; NaN where one of them has no finite score
    noise:     how much its difference to the best varies in what the choice is made by
    is_within: whether the difference is within that noise
    """

    best: int
    means: Floats
    noise: Floats
    is_within: NDArray[np.bool_]

    @property
    def n_within(self) -> int:
        return int(self.is_within.sum())


def flatness(scores: Floats, larger_is_better: bool, test_share: float, is_nested: bool) -> Flatness | None:
    """The settings beside the best one; None where no setting has a finite score in every cell.

    scores:     cells × settings
    test_share: the share of the rows that a cell leaves out
    is_nested:  whether every cell chose by its own scores, from inside its training part; otherwise one
                choice was made by the mean over the cells

    Noise is what could have turned the choice. Where every cell chose for itself it is the standard
    deviation of the difference over the cells: within it, some cells liked the setting better. Where one
    choice was made by the mean, it is the standard error of that, as Nadeau and Bengio (2003) correct it for
    folds that share training rows.
    """
    scores = np.where(np.isfinite(scores), scores, np.nan)  # a loss may be infinite, and cannot be drawn
    means = scores.mean(axis=0)
    if not len(scores) or np.isnan(means).all():
        return None
    signed = means if larger_is_better else -means
    best = int(np.nanargmax(signed))
    gaps = signed[best] - signed
    noise = _deviations(scores - scores[:, [best]])
    if not is_nested:
        noise *= np.sqrt(1 / len(scores) + test_share / (1 - test_share))
    with np.errstate(invalid="ignore"):
        is_within = gaps <= noise + _ROUNDING * max(abs(float(means[best])), 1.0)
    is_within[best] = True
    return Flatness(best, means, noise, is_within)


def _deviations(differences: Floats) -> Floats:
    """The standard deviation of each column; not known from a single row."""
    if len(differences) < 2:
        return np.full(differences.shape[1], np.nan)
    with np.errstate(invalid="ignore"):
        return np.asarray(differences.std(axis=0, ddof=1))


def within_range(values: Sequence[object], is_within: Sequence[bool], best: int) -> tuple[object, object]:
    """The lowest and the highest value around the best one between which every setting is within noise.

    values: numbers, from the lowest to the highest
    """
    first = last = best
    while first > 0 and is_within[first - 1]:
        first -= 1
    while last + 1 < len(values) and is_within[last + 1]:
        last += 1
    return values[first], values[last]
