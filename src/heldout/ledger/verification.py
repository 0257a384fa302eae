"""What checking a study file found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_MOST_SHOWN = 10


@dataclass(frozen=True)
class Verification:
    """Whether the chain of facts is what was written, and if not, where it is not.

    problems:  what was found, in sentences
    n_facts:   facts that were checked
    head:      hash of the last fact
    n_arrays:  arrays that were checked
    against:   the head that was kept elsewhere, if one was given

    >>> print(Verification((), 3, "ab" * 32))
    The chain is unbroken: 3 facts and 0 arrays are as they were written.
    Head: abababababababababababababababababababababababababababababababab.
    Only a head kept elsewhere can tell whether facts were cut off at the end, or all of it was rewritten.
    """

    problems: tuple[str, ...]
    n_facts: int
    head: str
    n_arrays: int = 0
    against: str | None = None

    @property
    def is_unbroken(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def __str__(self) -> str:
        if self.is_unbroken:
            return "\n".join((self._all_well(), f"Head: {self.head}.", self._reach()))
        shown = [f"- {problem}" for problem in self.problems[:_MOST_SHOWN]]
        more = len(self.problems) - len(shown)
        plural = "s" if len(self.problems) > 1 else ""
        lines = [f"The study file is not what was written: {len(self.problems)} problem{plural}.", *shown]
        return "\n".join(lines + ([f"- and {more} more"] if more else []))

    def _all_well(self) -> str:
        held = f"{self.n_facts:,} facts and {self.n_arrays:,} arrays"
        return f"The chain is unbroken: {held} are as they were written."

    def _reach(self) -> str:
        if self.against is None:
            return (
                "Only a head kept elsewhere can tell whether facts were cut off at the end, "
                "or all of it was rewritten."
            )
        return f"It holds the head that was kept elsewhere: {self.against}."

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON.

        >>> Verification(("fact 2 is missing",), 3, "ab" * 32).to_dict()["is_unbroken"]
        False
        """
        return {
            "is_unbroken": self.is_unbroken,
            "problems": list(self.problems),
            "n_facts": self.n_facts,
            "n_arrays": self.n_arrays,
            "head": self.head,
            "against": self.against,
        }
