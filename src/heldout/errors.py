"""Every exception that Heldout raises on purpose.

    HeldoutError
    ├── DataError        the data are not what they should be       (also a ValueError)
    ├── RequestError     what was requested cannot be done          (also a ValueError)
    ├── InputTypeError   a value of the wrong type was handed over  (also a TypeError)
    ├── SealError        the seal refuses: held rows stay held
    └── LedgerError      the study file refuses: broken, in use, or not what it was

Each has three parts, kept as fields: what is wrong, where, and how to mend it.
"""

from __future__ import annotations


class HeldoutError(Exception):
    """What is wrong, where it is, and how to mend it.

    Examples
    --------
    >>> print(DataError("column 'age' holds text", where="row 17", fix="read it as a category"))
    column 'age' holds text
      where: row 17
      fix:   read it as a category
    """

    def __init__(self, what: str, where: str = "", fix: str = "") -> None:
        super().__init__(what, where, fix)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.fix:
            lines.append(f"  fix:   {self.fix}")
        return "\n".join(lines)


class DataError(HeldoutError, ValueError):
    """The data are not what they should be."""


class RequestError(HeldoutError, ValueError):
    """What was requested cannot be done."""


class InputTypeError(HeldoutError, TypeError):
    """A value of the wrong type was handed over."""


class SealError(HeldoutError):
    """The seal refuses: held rows stay held, or the rows are not those that were sealed."""


class LedgerError(HeldoutError):
    """The study file refuses: its chain is broken, another process writes, or it cannot be written."""


class RunInterrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; what was done is kept, and the same plan goes on from there."""

    def __init__(self, n_done: int, n_cells: int) -> None:
        self.progress = f"stopped with {n_done} of {n_cells} fits done, which are kept"
        super().__init__(f"{self.progress}: run the same plan again and it goes on from there")
