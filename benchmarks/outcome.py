"""What a row of the benchmark found: who took how long, and which goals were reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OURS = "Heldout"


@dataclass(frozen=True)
class Entry:
    """One program in one row; the fastest of its rounds counts."""

    program: str
    rounds: tuple[float, ...]
    score: float | None = None
    n_leaves: int | None = None
    is_shown_only: bool = False

    @property
    def seconds(self) -> float:
        return min(self.rounds)


@dataclass(frozen=True)
class Goal:
    """A number that was wanted, and what was reached; `at_least` tells which side is good."""

    what: str
    wanted: float
    reached: float
    at_least: bool = True
    unit: str = "x"

    @property
    def is_met(self) -> bool:
        return self.reached >= self.wanted if self.at_least else self.reached <= self.wanted

    def __str__(self) -> str:
        bound = "at least" if self.at_least else "at most"
        reached, wanted = f"{self.reached:.3g}{self.unit}", f"{self.wanted:.3g}{self.unit}"
        verdict = "met" if self.is_met else "MISSED"
        return f"{self.what}: {reached}, wanted {bound} {wanted}: {verdict}"


@dataclass(frozen=True)
class Outcome:
    """One row of the benchmark."""

    title: str
    clock: str
    entries: tuple[Entry, ...]
    goals: tuple[Goal, ...]
    notes: tuple[str, ...] = ()


def speed_goals(
    entries: tuple[Entry, ...], wanted: Mapping[str, float], program: str = OURS
) -> tuple[Goal, ...]:
    """How many times faster a program is than each one in `wanted`, or than the "fastest peer".

    >>> entries = (Entry("Heldout", (1.0, 2.0)), Entry("ydf", (4.0,)), Entry("rpart", (3.0,)))
    >>> print(*speed_goals(entries, {"fastest peer": 2.0, "ydf": 5.0}), sep="\\n")
    faster than the fastest peer, rpart: 3x, wanted at least 2x: met
    faster than ydf: 4x, wanted at least 5x: MISSED
    """
    ours = next(entry.seconds for entry in entries if entry.program == program)
    seconds = {entry.program: entry.seconds for entry in entries if not entry.is_shown_only}
    seconds.pop(OURS, None)
    who = "faster" if program == OURS else f"{program} faster"
    goals = []
    for rival, ratio in wanted.items():
        if rival == "fastest peer" and seconds:
            fastest = min(seconds, key=lambda name: seconds[name])
            goals.append(Goal(f"{who} than the fastest peer, {fastest}", ratio, seconds[fastest] / ours))
        elif rival in seconds:
            goals.append(Goal(f"{who} than {rival}", ratio, seconds[rival] / ours))
    return tuple(goals)


def score_goal(entries: tuple[Entry, ...], slack: float, what: str = "accuracy") -> Goal:
    """By how much Heldout's score may lie below the best one among the peers.

    >>> entries = (Entry("Heldout", (1.0,), 0.9), Entry("ydf", (4.0,), 0.85), Entry("rpart", (3.0,), 0.91))
    >>> print(score_goal(entries, 0.02))
    accuracy above the best peer's: -0.01, wanted at least -0.02: met
    """
    scores = {entry.program: entry.score for entry in entries if entry.score is not None}
    ours = scores[OURS]
    theirs = max(
        (entry.score for entry in entries if entry.score is not None and entry.program != OURS), default=ours
    )
    return Goal(f"{what} above the best peer's", -slack, ours - theirs, unit="")
