"""Ctrl-C waits while a thing is done that must not be left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def shielded() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done, then let it happen.

    >>> with shielded():
    ...     print("one transaction")
    one transaction
    """
    if threading.current_thread() is not threading.main_thread():  # signals arrive in the main thread alone
        yield
        return
    arrived: list[tuple[int, FrameType | None]] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: arrived.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if arrived and callable(previous):
            previous(*arrived[0])
