"""The settings that a project keeps: heldout.toml, or [tool.heldout] in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.errors import RequestError

OWN, SHARED = "heldout.toml", "pyproject.toml"
_FIX = "mend the file, or run with --no-settings"


@dataclass(frozen=True)
class SettingsFile:
    """What a file says.

    path:   of the file
    values: by name, as TOML has them

    >>> SettingsFile(Path("heldout.toml"), {"target": "churned"}).values["target"]
    'churned'
    """

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)


def found_settings(folder: Path) -> SettingsFile | None:
    """The nearest settings, from a folder upwards; None where nobody has written any.

    In a folder with both files heldout.toml counts. A pyproject.toml without [tool.heldout] is passed by.

    folder: where to begin
    """
    start = folder.absolute()
    for place in (start, *start.parents):
        own = place / OWN
        if own.is_file():
            return SettingsFile(own, _parsed(own))
        shared = _of_project(place / SHARED)
        if shared is not None:
            return shared
    return None


def _of_project(path: Path) -> SettingsFile | None:
    """The section of a pyproject.toml; one that never names it may hold what it likes."""
    try:
        text = path.read_bytes()
    except OSError:
        return None
    if b"heldout" not in text:
        return None
    tools = _parsed(path).get("tool", {})
    section = tools.get("heldout") if isinstance(tools, dict) else None
    if section is None:
        return None
    if not isinstance(section, dict):
        raise RequestError("[tool.heldout] is a table of settings", where=f"'{path}'", fix=_FIX)
    return SettingsFile(path, section)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"the settings are not TOML: {error}", where=f"'{path}'", fix=_FIX) from None
    except OSError as error:
        raise RequestError(
            f"the settings cannot be read: {error.strerror}", where=f"'{path}'", fix=_FIX
        ) from None
