"""How a command ends: with its output, or with a message that helps and an exit code."""

from __future__ import annotations

import enum
import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from heldout.errors import HeldoutError, LedgerError, RequestError, RunInterrupted, SealError

_OF_THE_MACHINE = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOMEM")
    if hasattr(errno, name)
)


def run_and_exit(work: Callable[[], Any], arguments: Sequence[str] | None = None) -> NoReturn:
    """Do the work of a command line and leave the process with its exit code.

    A command returns None, or the ExitCode with which it ends.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code_or_none = work()
        sys.stdout.flush()
        code = code_or_none if isinstance(code_or_none, int) else ExitCode.FINE
    except Exception as error:
        code = _report(error, typed)
    except KeyboardInterrupt as error:  # between two commands of click, or while the output is written
        code = _report(error, typed)
    sys.exit(int(code))


class CutOffError(Exception):
    """Whoever read the output stopped reading."""


@contextmanager
def translate_broken_pipe() -> Iterator[None]:
    """Turn a broken pipe into CutOffError, for which click has another exit code of its own."""
    try:
        yield
    except OSError as error:
        if not _is_cut_off(error):
            raise
        raise CutOffError from error


def _report(error: BaseException, typed: Sequence[str]) -> ExitCode:
    """Say what happened, and give its number."""
    try:
        return _report_error(error, typed)
    except OSError as second:
        if not _is_cut_off(second):
            raise
        return _silence_streams()


def _report_error(error: BaseException, typed: Sequence[str]) -> ExitCode:
    if _is_cut_off(error):
        return _silence_streams()
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return _interrupted(error, typed)
    if isinstance(error, click.ClickException):
        error.show()
        _print_json_error(typed, {"what": error.format_message(), "where": "", "fix": ""}, ExitCode.USAGE)
        return ExitCode.USAGE
    if isinstance(error, HeldoutError):
        code = ExitCode.REFUSED if isinstance(error, SealError | LedgerError) else ExitCode.WRONG
        from heldout.report.option_words import in_options

        words = {name: in_options(getattr(error, name)) for name in ("what", "where", "fix")}
        return _three_parts(words, typed, code)
    refusal = _refusal(error)
    if refusal is not None:
        return _report_error(refusal, typed)

    return _three_parts(fault_words(error, typed), typed, ExitCode.FAULT)


def _three_parts(words: dict[str, str], typed: Sequence[str], code: ExitCode) -> ExitCode:
    click.echo(f"heldout: {HeldoutError(**words)}", err=True)
    _print_json_error(typed, words, code)
    return code


def _refusal(error: BaseException) -> RequestError | None:
    """What the machine refuses is no fault of ours: a full disk, a folder of somebody else's, no memory."""
    if isinstance(error, MemoryError):
        return RequestError(
            "there is not enough memory",
            where=str(error) or "the machine",
            fix="use fewer processes (--jobs 1), or a table with fewer rows or columns",
        )
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        index = f"'{error.filename}'" if error.filename is not None else "stdout, or a file that was written"
        return RequestError(
            f"the machine refuses: {error.strerror}",
            where=index,
            fix="free some space or choose another folder; what the study file holds is safe",
        )
    return None


def _interrupted(error: BaseException, typed: Sequence[str]) -> ExitCode:
    import shlex
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C is no fault
    line = shlex.join(["heldout", *typed])
    words = {
        "what": "interrupted",
        "where": _progress_text(error),
        "fix": f"to go on, type the same line again: {line}",
    }
    return _three_parts(words, typed, ExitCode.INTERRUPTED)


def _progress_text(error: BaseException | None) -> str:
    """How far a run came; a second Ctrl-C may have come upon the first."""
    while error is not None:
        if isinstance(error, RunInterrupted):
            return error.progress
        error = error.__cause__ or error.__context__
    return ""


def _print_json_error(typed: Sequence[str], words: dict[str, str], code: ExitCode) -> None:
    """With --json a failure is one JSON object on stdout, too."""
    options = list(typed)[: list(typed).index("--")] if "--" in typed else typed
    if "--json" in options:
        from heldout.cli.output import print_json

        print_json({"error": {**words, "code": int(code)}})


def _is_cut_off(error: BaseException) -> bool:
    is_pipe = isinstance(error, OSError) and error.errno == errno.EPIPE
    return is_pipe or isinstance(error, BrokenPipeError | CutOffError)


def _silence_streams() -> ExitCode:
    """Nobody reads any more: Python must not complain of it when it closes its streams."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    return ExitCode.CUT_OFF


class ExitCode(enum.IntEnum):
    """The number with which `heldout` ends."""

    FINE = 0
    """All went well. That no model beats guessing is a result too."""

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
    """Whoever read the output stopped reading, as `head` does; what a shell gives for a broken pipe."""


def fault_words(error: BaseException, typed: Sequence[str]) -> dict[str, str]:
    """What is wrong, where it was written down, and what to do."""
    what = f"this is a fault of Heldout, not of yours ({type(error).__name__}: {_first_line(error)})"
    fix = "what the study file holds is safe. Try again; if it happens again, send us that file"
    try:
        where = f"the trace is in {save_trace(error, typed)}"
    except OSError as refused:
        import traceback

        trace = "".join(traceback.format_exception(error))
        where = f"the trace could not be saved ({refused}):\n{trace}"
    return {"what": what, "where": where, "fix": fix}


def save_trace(error: BaseException, typed: Sequence[str]) -> str:
    """Write the trace of an error to a new file in the folder for temporary files, and give its path."""
    # Only a fault needs these: `heldout --help` does not wait for them.
    import platform
    import shlex
    import tempfile
    import traceback

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
