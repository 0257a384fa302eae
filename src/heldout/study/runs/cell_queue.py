"""In what order cells run: everybody early, nothing long at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heldout.study.cells.cell import CellKey

LAST_STRETCH = 4  # as many of the longest cells, for each worker, are left when long ones get precedence


class CellQueue:
    """Cells in the order in which they are best run; it learns from those that are done how long others take.

    Round by round: a round is one cell of every contender, the slowest first, so that the first results of
    all come early and can be compared. In the last stretch the longest cells go first, so that the workers
    end together.

    cells:     all cells to run; those of a contender stay in their order
    n_workers: how many run at once
    on_start:  is told of every cell that is handed out

    >>> from types import SimpleNamespace as Some
    >>> cells = [Some(contender=name, fold=fold) for name in ("tree", "forest") for fold in range(2)]
    >>> queue = CellQueue(cells, n_workers=1)
    >>> [f"{cell.contender} {cell.fold}" for cell in queue]
    ['tree 0', 'forest 0', 'tree 1', 'forest 1']
    """

    def __init__(
        self,
        cells: Sequence[CellKey],
        n_workers: int = 1,
        on_start: Callable[[CellKey], None] = lambda cell: None,
    ) -> None:
        self._left: dict[str, deque[CellKey]] = {}
        for cell in cells:
            self._left.setdefault(cell.contender, deque()).append(cell)
        self._round = list(self._left)
        self._n_workers = n_workers
        self._on_start = on_start
        self._n_running = dict.fromkeys(self._left, 0)
        self._seconds: dict[str, float] = {}  # the mean of the cells that are done
        self._n_timed = dict.fromkeys(self._left, 0)

    def __iter__(self) -> Iterator[CellKey]:
        return self

    def __length_hint__(self) -> int:
        return sum(map(len, self._left.values()))

    def __next__(self) -> CellKey:
        waiting = [contender for contender, cells in self._left.items() if cells]
        if not waiting:
            raise StopIteration
        if self._is_last_stretch(waiting):
            chosen = max(waiting, key=self.cell_seconds)
        else:
            chosen = self._next_of_round(waiting)
        self._n_running[chosen] += 1
        cell = self._left[chosen].popleft()
        self._on_start(cell)
        return cell

    def is_done(self, contender: str, seconds: float | None) -> None:
        """A cell of this contender took so many seconds; None if it failed."""
        self._n_running[contender] -= 1
        if seconds is not None:
            self._n_timed[contender] += 1
            mean = self._seconds.get(contender, 0.0)
            self._seconds[contender] = mean + (seconds - mean) / self._n_timed[contender]

    def cell_seconds(self, contender: str) -> float:
        """How long a cell of this contender takes, by those that are done; else as long as the longest."""
        known = self._seconds.get(contender)
        return max(self._seconds.values(), default=0.0) if known is None else known

    def seconds_left(self) -> float | None:
        """How long it will take until all are done; None as long as nothing is known."""
        if not self._seconds:
            return None
        n_left = {name: len(cells) + self._n_running[name] for name, cells in self._left.items()}
        total = sum(count * self.cell_seconds(name) for name, count in n_left.items())
        longest = max((self.cell_seconds(name) for name, count in n_left.items() if count), default=0.0)
        return max(total / self._n_workers, longest)

    def _is_last_stretch(self, waiting: list[str]) -> bool:
        if not all(contender in self._seconds for contender in waiting):
            return False  # everybody gets a first cell before anybody has precedence
        longest = max(map(self.cell_seconds, waiting))
        left = sum(len(self._left[contender]) * self.cell_seconds(contender) for contender in waiting)
        return left <= LAST_STRETCH * self._n_workers * longest

    def _next_of_round(self, waiting: list[str]) -> str:
        self._round = [contender for contender in self._round if contender in waiting]
        if not self._round:
            self._round = sorted(waiting, key=self.cell_seconds, reverse=True)
        return self._round.pop(0)
