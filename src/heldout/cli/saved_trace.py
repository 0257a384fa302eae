"""A fault of ours: the trace goes to a file, and the user gets three lines."""

from __future__ import annotations

import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence


def fault_words(error: BaseException, typed: Sequence[str]) -> dict[str, str]:
    """What is wrong, where it was written down, and what to do.

    error: what nobody expected
    typed: the line that was typed
    """
    what = f"this is a fault of Heldout, not of yours ({type(error).__name__}: {_first_line(error)})"
    fix = "what the study file holds is safe. Try again; if it happens again, send us that file"
    try:
        where = f"the trace is in {save_trace(error, typed)}"
    except OSError as refused:
        trace = "".join(traceback.format_exception(error))
        where = f"the trace could not be saved ({refused}):\n{trace}"
    return {"what": what, "where": where, "fix": fix}


def save_trace(error: BaseException, typed: Sequence[str]) -> str:
    """Write the trace of an error to a new file in the folder for temporary files, and give its path.

    error: what nobody expected
    typed: the line that was typed
    """
    import heldout

    handle, path = tempfile.mkstemp(prefix="heldout-trace-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"line: {shlex.join(['heldout', *typed])}\n")
        file.write(f"heldout {heldout.__version__}, Python {platform.python_version()}, ")
        file.write(f"{platform.platform()}\n\n")
        file.writelines(traceback.format_exception(error))
    return path


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0][:200] if lines else "no message"
