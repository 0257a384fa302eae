"""Looks at held rows, many times over, through the functions that `Study.unseal` uses; the truth is known.

Models are answers to rows, so nothing is fitted. In one use all models were fixed before the first look, and
the best of them is taken. In the other, an attack, 99 of them toss coins, and the last is their vote: each
votes as it says, or the other way round if its score was below chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric_registry import metric_named
from heldout.stats.looks import Looks
from heldout.study.seal.held_rate import HeldPredictions
from heldout.study.seal.held_score import HeldScore, held_score

LOOKS = (1, 5, 20, 100)
FIXED, ATTACK = "models fixed beforehand, the best of them", "attack: the vote of the earlier ones"


@dataclass(frozen=True)
class SealCoverage:
    """How often intervals after looks held the truth.

    metric, use: what was judged, and how the model came to be
    n_rows:      held rows
    n_looks:     with this one
    n_sets:      made sets
    n_adaptive:  in how many of them the interval by bits held the truth
    n_shared:    in how many the one at α / looks did
    n_recorded:  in how many the one that was recorded when the best model was looked at did, at α / its look
    score:       the mean score
    width:       the mean width of the interval by bits
    """

    metric: str
    use: str
    n_rows: int
    n_looks: int
    n_sets: int
    n_adaptive: int
    n_shared: int
    n_recorded: int
    score: float
    width: float


@dataclass(frozen=True, eq=False)
class Judged:
    """How models are judged, and what is true of them.

    name:    of the metric, with what is special
    metric:  its name
    y:       draws the truths of so many rows
    answers: draws those of a fixed model, given the truths
    truth:   the true score of a fixed model
    chance:  that of coins
    more:    what else the held rows have
    """

    name: str
    metric: str
    y: Callable[[np.random.Generator, int], NDArray[Any]]
    answers: Callable[[np.random.Generator, NDArray[Any]], NDArray[Any]]
    truth: float
    chance: float = 0.5
    more: dict[str, Any] = field(default_factory=dict)

    def held(self, y: NDArray[Any], answers: NDArray[Any]) -> HeldPredictions:
        more = dict(self.more)
        size = more.pop("group_size", None)
        groups = None if size is None else np.arange(len(y)) // size
        return HeldPredictions(metric_named(self.metric), y, answers, groups=groups, **more)


def _balanced(generator: np.random.Generator, n_rows: int) -> NDArray[Any]:
    return np.arange(n_rows) % 2


def _right(share: float) -> Callable[[np.random.Generator, NDArray[Any]], NDArray[Any]]:
    return lambda generator, y: np.where(generator.random(len(y)) < share, y, 1 - y)


def _scores(generator: np.random.Generator, y: NDArray[Any]) -> NDArray[Any]:
    return generator.normal(size=len(y)) + y


def grouped_answers(share: float, size: int, correlation: float) -> Callable[..., NDArray[Any]]:
    """Answers that are right in this share of the rows, and correlated within groups of this size."""
    weight = 1 / correlation - 1

    def drawn(generator: np.random.Generator, y: NDArray[Any]) -> NDArray[Any]:
        of_group = generator.beta(share * weight, (1 - share) * weight, size=-(-len(y) // size))
        return np.where(generator.random(len(y)) < np.repeat(of_group, size)[: len(y)], y, 1 - y)

    return drawn


# P(N(1, 1) > N(0, 1)) = Φ(1 / √2)
AREA = 0.7602499389065233
POSITIVE = {"options": {"positive": 1}}
ACCURACY = Judged("accuracy", "accuracy", _balanced, _right(0.8), 0.8)
SURE = Judged("accuracy of 95%", "accuracy", _balanced, _right(0.95), 0.95)
BALANCED = Judged("balanced accuracy", "balanced_accuracy", _balanced, _right(0.8), 0.8)
# Of balanced classes 80% are right: as many hits as it takes for F1 = 2 · .4 / (2 · .4 + .1 + .1).
F1 = Judged("F1", "f1", _balanced, _right(0.8), 0.8, more=POSITIVE)
AUC = Judged("AUC", "auc", _balanced, _scores, AREA, more=POSITIVE)
GROUPED = Judged(
    "accuracy, groups of 5, correlation .3",
    "accuracy",
    _balanced,
    grouped_answers(0.8, 5, 0.3),
    0.8,
    more={"group_size": 5},
)


def fixed_beforehand(judged: Judged, n_rows: int, n_sets: int, seed: int = 0) -> list[SealCoverage]:
    """The best of 1, 5, 20, 100 models that were looked at one after the other."""
    generator = np.random.default_rng([seed, n_rows])
    found: dict[int, list[tuple[HeldScore, HeldScore]]] = {n_looks: [] for n_looks in LOOKS}
    for _ in range(n_sets):
        y = judged.y(generator, n_rows)
        models = [judged.held(y, judged.answers(generator, y)) for _ in range(max(LOOKS))]
        scores = np.array([each.score() for each in models])
        n_answers = held_score(models[0], Looks()).n_answers
        for n_looks in LOOKS:
            best = int(scores[:n_looks].argmax())
            recorded = held_score(models[best], Looks((n_answers,) * best))
            last = held_score(models[best], Looks((n_answers,) * (n_looks - 1)))
            found[n_looks].append((recorded, last))
    return [
        _counted(judged, FIXED, n_rows, n_looks, judged.truth, each, recorded=[pair[0] for pair in each])
        for n_looks, each in found.items()
    ]


def attacked(judged: Judged, n_rows: int, n_sets: int, seed: int = 0) -> list[SealCoverage]:
    """The vote of 4, 19, 99 coins that were looked at one after the other; what they say is worth nothing."""
    generator = np.random.default_rng([seed, n_rows, 1])
    found: dict[int, list[tuple[HeldScore, HeldScore]]] = {n_looks: [] for n_looks in LOOKS[1:]}
    for _ in range(n_sets):
        y = judged.y(generator, n_rows)
        coins = generator.integers(0, 2, size=(max(LOOKS) - 1, n_rows))
        looks = Looks()
        signs = np.empty(len(coins))
        for place, said in enumerate(coins):
            if place + 1 in found:
                found[place + 1].append(_voted(judged, y, coins[:place], signs[:place], looks, generator))
            held = judged.held(y, said)
            # What `held_score` shows of a count is the score itself.
            signs[place] = 1 if held.score() > judged.chance else -1
            looks = looks.and_one(n_answers_of(judged, held))
        found[max(LOOKS)].append(_voted(judged, y, coins, signs, looks, generator))
    return [
        _counted(judged, ATTACK, n_rows, n_looks, judged.chance, each, recorded=[])
        for n_looks, each in found.items()
    ]


def n_answers_of(judged: Judged, held: HeldPredictions) -> int:
    """How many answers one look at such rows can give."""
    key = judged.name, held.n_rows
    if key not in _ANSWERS:
        _ANSWERS[key] = held_score(held, Looks()).n_answers
    return _ANSWERS[key]


_ANSWERS: dict[tuple[str, int], int] = {}


def _voted(
    judged: Judged,
    y: NDArray[Any],
    coins: NDArray[Any],
    signs: NDArray[Any],
    looks: Looks,
    generator: np.random.Generator,
) -> tuple[HeldScore, HeldScore]:
    votes = signs @ (2 * coins - 1) + 0.5 * (generator.random(len(y)) - 0.5)
    answers = votes if judged.metric == "auc" else (votes > 0).astype(y.dtype)
    found = held_score(judged.held(y, answers), looks)
    return found, found


def _counted(
    judged: Judged,
    use: str,
    n_rows: int,
    n_looks: int,
    truth: float,
    pairs: list[tuple[HeldScore, HeldScore]],
    recorded: list[HeldScore],
) -> SealCoverage:
    last = [pair[1].after for pair in pairs]
    return SealCoverage(
        judged.name,
        use,
        n_rows,
        n_looks,
        len(pairs),
        # What was recorded when the model was looked at is what counts for it.
        n_adaptive=sum(truth in pair[0].after.adaptive for pair in pairs),
        n_shared=sum(truth in each.fixed for each in last),
        n_recorded=sum(truth in each.after.fixed for each in recorded),
        score=float(np.mean([each.estimate for each in last])),
        width=float(np.mean([each.adaptive.width for each in last])),
    )
