"""Read a model from a file, which may come from anywhere: everything is checked before it is used."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from heldout.errors import DataError
from heldout.models.model_archive import damaged, file_path, read_members, short
from heldout.models.model_record import model_of_record
from heldout.models.save_model import FORMAT, MANIFEST, VERSION


def load(path: str | os.PathLike[str]) -> Any:
    """The model that `ho.save` wrote.

    Nothing in the file is executed or imported. A file that is cut off, edited or made up is refused with
    a DataError.

    Parameters
    ----------
    path
        where the file is
    """
    return _read(file_path(path, "ho.load"))[0]


def read_provenance(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `ho.save` was told about where the model comes from.

    path: where the file is
    """
    return _read(file_path(path, "read_provenance"))[1]


def load_described(path: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """The model, and what is told of where it comes from, read at once.

    path: where the file is
    """
    return _read(file_path(path, "ho.load"))


def _read(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        members = read_members(path)
        if MANIFEST not in members:
            raise damaged("this is no model file", f"there is no {MANIFEST} in it")
        record = _manifest(members.pop(MANIFEST))
        provenance = record.pop("provenance", None)
        if type(provenance) is not dict:
            raise damaged("the provenance is not described as it should be", short(provenance))
        return model_of_record(record, members), provenance
    except DataError as error:
        raise DataError(error.what, where=f"{path}: {error.where}", fix=error.fix) from error


def _manifest(content: bytes) -> dict[str, Any]:
    """The JSON, without its format and version, which are the ones we read."""
    try:
        record = json.loads(
            content.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
        )
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise damaged(f"{MANIFEST} is not JSON", f"{error}"[:80]) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise damaged(f"{MANIFEST} has a number that is too long", f"{error}"[:80]) from error
    if type(record) is not dict or record.pop("format", None) != FORMAT:
        raise damaged("this is no model file of Heldout", f"{MANIFEST} names another format")
    version = record.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise DataError(
            f"this model file has version {short(version)}, and this Heldout reads version {VERSION}",
            where=MANIFEST,
            fix="install the Heldout that wrote it, or save the model again with this one",
        )
    return record


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise damaged(f"{MANIFEST} has a key twice", f"an object of {len(pairs)} keys")
    return found


def _refuse_constant(name: str) -> Any:
    raise damaged(f"{MANIFEST} has a number that is none", name)
