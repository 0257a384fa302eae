"""How far a run is: a bar in a terminal, plain lines elsewhere, or nothing. All of it goes to stderr."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from typing import Any, Protocol, TextIO

from heldout.errors import InputTypeError
from heldout.text.words import plural

EVERY = 5.0  # seconds between two plain lines
FIRST = 1.0  # and before the first of them
NAME_WIDTH = 16  # of a contender beside the bar


@dataclass(frozen=True)
class RunState:
    """Where a run stands.

    n_cells:      how many the plan has
    n_done:       how many have a result, those of earlier runs too
    n_failed:     how many failed in this run
    contender:    the name of the contender that was begun last
    seconds_left: about how long it will take; None as long as nothing is known
    """

    n_cells: int
    n_done: int = 0
    n_failed: int = 0
    contender: str = ""
    seconds_left: float | None = None

    def __str__(self) -> str:
        is_over = self.n_done + self.n_failed >= self.n_cells
        now = f" (now: {self.contender})" if self.contender and not is_over else ""
        parts = [f"{self.n_done:,} of {plural(self.n_cells, 'fit')} done{now}"]
        if self.n_failed:
            parts.append(f"{self.n_failed} failed")
        if self.seconds_left is not None and not is_over:
            parts.append(time_left(self.seconds_left))
        return ", ".join(parts)


class Progress(Protocol):
    """Shows how far a run is; a web page can be another one."""

    def begin(self, state: RunState) -> None:
        """The run begins."""

    def update(self, state: RunState) -> None:
        """A fit has begun or ended."""

    def end(self, state: RunState) -> None:
        """All fits are over, well or not; comes after every `begin`."""

    def step(self, words: str) -> None:
        """What is done now beside the fits, such as "writing the page"; empty when nothing is any more."""


class Silence:
    """Shows nothing."""

    def begin(self, state: RunState) -> None:
        """The run begins."""

    def update(self, state: RunState) -> None:
        """A fit has begun or ended."""

    def end(self, state: RunState) -> None:
        """All fits are over."""

    def step(self, words: str) -> None:
        """What is done now beside the fits."""


class Lines:
    """A plain line every few seconds, one at the end of the fits, and one for each step after them.

    stream: where to; stderr if left out
    every:  seconds between two lines
    """

    def __init__(self, stream: TextIO | None = None, every: float = EVERY) -> None:
        self._stream = stream
        self._every = every
        self._began = self._messages = time.monotonic()

    def begin(self, state: RunState) -> None:
        """The run begins: one that takes a moment says nothing, others soon say their first line."""
        self._began = time.monotonic()
        self._messages = self._began - max(self._every - FIRST, 0.0)

    def update(self, state: RunState) -> None:
        """A fit has begun or ended: say so, if nothing was said for a while."""
        now = time.monotonic()
        is_over = state.n_done + state.n_failed >= state.n_cells  # which `end` says
        if now - self._messages >= self._every and not is_over:
            self._messages = now
            self._say(str(state))

    def end(self, state: RunState) -> None:
        """The fits are over: say how far they came."""
        over = replace(state, contender="", seconds_left=None)
        self._say(f"{over}, in {duration(time.monotonic() - self._began)}")

    def step(self, words: str) -> None:
        """Say what is done now."""
        if words:
            self._say(words)

    def _say(self, words: str) -> None:
        stream = self._stream or sys.stderr
        if stream is not None:  # a program without a console has none, and print would take stdout
            print(f"heldout: {words}", file=stream, flush=True)


class Bar:
    """A bar with the contender, the fits done and the time left, drawn by rich; then one line for the steps.

    stream: where to; stderr if left out
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._bar: Any = None
        self._task: Any = None
        self._status: Any = None

    def begin(self, state: RunState) -> None:
        """The run begins: the bar appears."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.table import Column

        self._bar = Progress(
            # Of one width: a long name would push the numbers out, and the bar would jump from name to name.
            TextColumn(
                "{task.description}",
                markup=False,
                table_column=Column(width=NAME_WIDTH, no_wrap=True, overflow="ellipsis"),
            ),
            BarColumn(),
            MofNCompleteColumn(table_column=Column(no_wrap=True)),  # where it is narrow, the bar gives way
            TextColumn("fits"),
            TimeElapsedColumn(table_column=Column(no_wrap=True)),
            TextColumn("{task.fields[left]}", markup=False),
            console=self._console(),
            redirect_stdout=False,  # the streams stay the user's, also in processes that are forked later
            redirect_stderr=False,
            refresh_per_second=4,
        )
        self._task = self._bar.add_task("", total=state.n_cells, completed=state.n_done, left="")
        self._bar.start()

    def update(self, state: RunState) -> None:
        """A fit has begun or ended: the bar grows."""
        left = [] if state.seconds_left is None else [time_left(state.seconds_left)]
        failed = [f"{state.n_failed} failed"] if state.n_failed else []
        self._bar.update(
            self._task,
            description=state.contender,
            completed=state.n_done + state.n_failed,
            left=", ".join(left + failed),
        )

    def end(self, state: RunState) -> None:
        """The fits are over: the bar stays as it is."""
        failed = f"{state.n_failed} failed" if state.n_failed else ""
        self._bar.update(self._task, description="", left=failed)
        self._bar.stop()

    def step(self, words: str) -> None:
        """What is done now, below the bar; the line is gone when nothing is."""
        from rich.text import Text

        if self._status is not None and not words:
            self._status.stop()
            self._status = None
        elif self._status is not None:
            self._status.update(Text(words))
        elif words:
            self._status = self._console().status(Text(words))
            self._status.start()

    def _console(self) -> Any:
        from rich.console import Console

        return Console(file=self._stream or sys.stderr, force_jupyter=False)


def make_progress(wanted: bool | Progress) -> Progress:
    """What shows the progress: a bar in a terminal, lines elsewhere, nothing if not wanted.

    wanted: True, False, or something that shows it in its own way
    """
    if wanted is False:
        return Silence()
    if wanted is True:
        return Bar() if sys.stderr is not None and sys.stderr.isatty() else Lines()
    if not all(hasattr(wanted, name) for name in ("begin", "update", "end", "step")):
        raise InputTypeError(
            "progress is True, False, or something that shows it",
            where=f"progress={wanted!r:.60}",
            fix="use True or False; your own has begin, update, end and step (heldout.study.runs.progress)",
        )
    return wanted


def time_left(seconds: float) -> str:
    """How long it will take, as far as anybody can say."""
    return "under 1 s left" if seconds < 1 else f"about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
