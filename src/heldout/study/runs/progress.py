"""How far a run is: a bar in a terminal, plain lines elsewhere, or nothing. All of it goes to stderr."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from heldout.errors import KindError
from heldout.table.describe import plural

EVERY = 5.0  # seconds between two plain lines
NAME_WIDTH = 16  # of a contender beside the bar


@dataclass(frozen=True)
class RunState:
    """Where a run stands.

    n_cells:      how many the plan has
    n_done:       how many have a result, those of earlier runs too
    n_failed:     how many failed in this run
    contender:    the name of the contender whose cell ended last
    seconds_left: about how long it will take; None as long as nothing is known

    >>> print(RunState(180, 37, 0, "forest", 95.0))
    37 of 180 cells, last forest, about 1 min 35 s left
    """

    n_cells: int
    n_done: int = 0
    n_failed: int = 0
    contender: str = ""
    seconds_left: float | None = None

    def __str__(self) -> str:
        parts = [f"{self.n_done:,} of {plural(self.n_cells, 'cell')}"]
        if self.n_failed:
            parts.append(f"{self.n_failed} failed")
        if self.contender:
            parts.append(f"last {self.contender}")
        if self.seconds_left is not None and self.n_done + self.n_failed < self.n_cells:
            parts.append(time_left(self.seconds_left))
        return ", ".join(parts)


class Progress(Protocol):
    """Shows how far a run is; a web page can be another one."""

    def begin(self, state: RunState) -> None:
        """The run begins."""

    def update(self, state: RunState) -> None:
        """A cell has ended."""

    def end(self, state: RunState) -> None:
        """The run is over, well or not; comes after every `begin`."""


class Silence:
    """Shows nothing."""

    def begin(self, state: RunState) -> None:
        """The run begins."""

    def update(self, state: RunState) -> None:
        """A cell has ended."""

    def end(self, state: RunState) -> None:
        """The run is over."""


class Lines:
    """A plain line every few seconds, and one at the end.

    stream: where to; stderr if left out
    every:  seconds between two lines

    >>> lines = Lines(sys.stdout)
    >>> lines.begin(RunState(2))
    >>> lines.update(RunState(2, 1, 0, "tree", 1.0))
    >>> lines.end(RunState(2, 2, 0, "tree", 0.0))
    heldout: 2 of 2 cells, last tree, in ... s
    """

    def __init__(self, stream: TextIO | None = None, every: float = EVERY) -> None:
        self._stream = stream
        self._every = every
        self._began = self._said = time.monotonic()

    def begin(self, state: RunState) -> None:
        """The run begins: nothing is said yet."""
        self._began = self._said = time.monotonic()

    def update(self, state: RunState) -> None:
        """A cell has ended: say so, if nothing was said for a while."""
        now = time.monotonic()
        if now - self._said >= self._every:
            self._said = now
            self._say(str(state))

    def end(self, state: RunState) -> None:
        """The run is over: say how far it came."""
        self._say(f"{state}, in {duration(time.monotonic() - self._began)}")

    def _say(self, words: str) -> None:
        stream = self._stream or sys.stderr
        if stream is not None:  # a program without a console has none, and print would take stdout
            print(f"heldout: {words}", file=stream, flush=True)


class Bar:
    """A bar with the contender, the cells done and the time left, drawn by rich.

    stream: where to; stderr if left out
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._bar: Any = None
        self._task: Any = None

    def begin(self, state: RunState) -> None:
        """The run begins: the bar appears."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.table import Column

        console = Console(file=self._stream or sys.stderr, force_jupyter=False)
        self._bar = Progress(
            # Of one width: a long name would push the numbers out, and the bar would jump from name to name.
            TextColumn(
                "{task.description}",
                markup=False,
                table_column=Column(width=NAME_WIDTH, no_wrap=True, overflow="ellipsis"),
            ),
            BarColumn(),
            MofNCompleteColumn(table_column=Column(no_wrap=True)),  # where it is narrow, the bar gives way
            TextColumn("cells"),
            TimeElapsedColumn(table_column=Column(no_wrap=True)),
            TextColumn("{task.fields[left]}", markup=False),
            console=console,
            redirect_stdout=False,  # the streams stay the user's, also in processes that are forked later
            redirect_stderr=False,
            refresh_per_second=4,
        )
        self._task = self._bar.add_task("", total=state.n_cells, completed=state.n_done, left="")
        self._bar.start()

    def update(self, state: RunState) -> None:
        """A cell has ended: the bar grows."""
        left = [] if state.seconds_left is None else [time_left(state.seconds_left)]
        failed = [f"{state.n_failed} failed"] if state.n_failed else []
        self._bar.update(
            self._task,
            description=state.contender,
            completed=state.n_done + state.n_failed,
            left=", ".join(left + failed),
        )

    def end(self, state: RunState) -> None:
        """The run is over: the bar stays as it is."""
        self._bar.update(self._task, left=f"{state.n_failed} failed" if state.n_failed else "")
        self._bar.stop()


def progress_of(wanted: bool | Progress) -> Progress:
    """What shows the progress: a bar in a terminal, lines elsewhere, nothing if not wanted.

    wanted: True, False, or something that shows it in its own way

    >>> type(progress_of(False)).__name__
    'Silence'
    """
    if wanted is False:
        return Silence()
    if wanted is True:
        return Bar() if sys.stderr is not None and sys.stderr.isatty() else Lines()
    if not all(hasattr(wanted, name) for name in ("begin", "update", "end")):
        raise KindError(
            "progress is True, False, or something that shows it",
            where=f"progress={wanted!r:.60}",
            fix="use True or False; your own has begin, update and end (heldout.study.runs.progress)",
        )
    return wanted


def time_left(seconds: float) -> str:
    """How long it will take, as far as anybody can say.

    >>> [time_left(seconds) for seconds in (0.04, 95)]
    ['under 1 s left', 'about 1 min 35 s left']
    """
    return "under 1 s left" if seconds < 1 else f"about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> [duration(seconds) for seconds in (0.3, 42.4, 95, 7300)]
    ['0.3 s', '42 s', '1 min 35 s', '2 h 1 min']
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
