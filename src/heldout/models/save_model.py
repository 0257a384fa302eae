"""Write a fitted model to a file."""

from __future__ import annotations

import json
import os
from typing import Any

from heldout.errors import RequestError
from heldout.models.model_archive import archive_bytes, file_path, write_whole
from heldout.models.model_record import model_record

FORMAT = "heldout model"
VERSION = 1
MANIFEST = "model.json"


def save(model: Any, path: str | os.PathLike[str], provenance: dict[str, Any] | None = None) -> None:
    """Write a fitted model to a file that `ho.load` reads.

    The file is a zip of JSON and arrays and holds nothing that is executed. It is written as a whole or
    not at all, and the same model gives the same bytes.

    Parameters
    ----------
    model
        a fitted learner or transformer of Heldout, or a Pipeline of these; neighbors write their training
        rows, and what `set_output` was told is not kept
    path
        where to; a file that is there is replaced
    provenance
        where the model comes from, as far as JSON can tell it; see `heldout.models.read_provenance`
    """
    content = file_bytes(model, provenance)
    write_whole(file_path(path, "ho.save"), content)


def file_bytes(model: Any, provenance: dict[str, Any] | None = None) -> bytes:
    """What `save` writes, for whoever keeps it elsewhere than in a file.

    model, provenance: as for `save`
    """
    record, members = model_record(model)
    manifest = {"format": FORMAT, "version": VERSION, "provenance": _checked(provenance), **record}
    text = json.dumps(manifest, allow_nan=False, sort_keys=True, indent=1)
    return archive_bytes({MANIFEST: text.encode("utf-8"), **members})


def _checked(provenance: dict[str, Any] | None) -> dict[str, Any]:
    """The provenance, which JSON gives back as it was."""
    if provenance is None:
        return {}
    try:
        is_same = json.loads(json.dumps(provenance, allow_nan=False)) == provenance
    except (TypeError, ValueError, RecursionError):
        is_same = False
    if not isinstance(provenance, dict) or not is_same:
        raise RequestError(
            "the provenance holds what JSON cannot",
            where=f"{provenance!r:.60}",
            fix="use a dict of strings, finite numbers, booleans, None, and lists and dicts of these",
        )
    return provenance
