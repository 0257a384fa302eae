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


def speed_goals(entries: tuple[Entry, ...], wanted: Mapping[str, float]) -> tuple[Goal, ...]:
    """How many times faster Heldout is than each program in `wanted`, or than the "fastest peer".

    >>> entries = (Entry("Heldout", (1.0, 2.0)), Entry("ydf", (4.0,)), Entry("rpart", (3.0,)))
    >>> print(*speed_goals(entries, {"fastest peer": 2.0, "ydf": 5.0}), sep="\\n")
    faster than the fastest peer, rpart: 3x, wanted at least 2x: met
    faster than ydf: 4x, wanted at least 5x: MISSED
    """
    seconds = {entry.program: entry.seconds for entry in entries if not entry.is_shown_only}
    ours = seconds.pop(OURS)
    goals = []
    for rival, ratio in wanted.items():
        if rival == "fastest peer" and seconds:
            fastest = min(seconds, key=lambda name: seconds[name])
            goals.append(Goal(f"faster than the fastest peer, {fastest}", ratio, seconds[fastest] / ours))
        elif rival in seconds:
            goals.append(Goal(f"faster than {rival}", ratio, seconds[rival] / ours))
    return tuple(goals)
