"""What the command says to the program that started it, in one number."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """The number with which `heldout` ends.

    >>> ExitCode.REFUSED
    <ExitCode.REFUSED: 4>
    """

    FINE = 0
    """All went well. That no model beats guessing is an answer too."""

    FOUND = 1
    """A check found something."""

    USAGE = 2
    """The command or an option is not known, or something is missing on the line."""

    WRONG = 3
    """The data or the request is wrong: the error says what, where, and how to mend it."""

    REFUSED = 4
    """The seal or the study file refuses: a changed table, a broken chain, a look without a reason."""

    FAULT = 70
    """A fault of ours; the trace is saved to a file that is named."""

    INTERRUPTED = 130
    """Ctrl-C. What was done is kept, and the same line goes on."""

    CUT_OFF = 141
    """Whoever read the output stopped reading, as `head` does; what every program of a shell says then."""
