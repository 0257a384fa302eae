"""The page of a study, written to a file as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import InputTypeError, RequestError
from heldout.report.render import render
from heldout.report.summarize import summarize

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def write_report(ledger: Ledger, path: Any) -> Path:
    """Write the page, as a whole or not at all; it is made from the study file alone.

    ledger: of the study
    path:   of the page; one that is there is replaced
    """
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise InputTypeError(
            "a report is written to a file",
            where=f"path={path!r:.60}",
            fix="give a path, such as 'churn.html'",
        )
    index = Path(os.path.abspath(Path(path).expanduser()))
    page = render(summarize(ledger))
    beside = index.with_name(f".{index.name[:40]}.{os.getpid()}")
    try:
        beside.write_text(page, encoding="utf-8")
        os.replace(beside, index)
    except OSError as error:
        beside.unlink(missing_ok=True) if beside.parent.is_dir() else None
        raise RequestError(
            "the report cannot be written",
            where=f"{index}: {error.strerror or error}",
            fix="choose a place that exists and where you may write",
        ) from error
    return index
