"""Processes that start from nothing need not run the user's script again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def hidden_main() -> Iterator[None]:
    """While a process is started, `__main__` is empty.

    The standard library has a new process import the script that started it, which for a script without
    `if __name__ == "__main__"` means to do everything again. Our workers need nothing of it.

    >>> with hidden_main():
    ...     hasattr(sys.modules["__main__"], "__file__")
    False
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
