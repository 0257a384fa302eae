"""What a command may replace: files of its own making. A table that someone names by a slip stays."""

from __future__ import annotations

from pathlib import Path

from heldout.errors import RequestError

PAGE, MODEL = "page", "model file"


def refuse_others(path: Path, sort: str) -> Path:
    """The path, or an error where something stands there that is not of this sort.

    path: where a command is about to write
    sort: PAGE or MODEL

    >>> refuse_others(Path("no such folder") / "churn.html", PAGE).name
    'churn.html'
    """
    place = path.expanduser()
    if place.exists() and not is_own(place, sort):
        raise RequestError(
            f"there is something of this name that is no {sort} of Heldout, and it stays",
            where=f"'{path}'",
            fix="choose another name with --out, or move it away",
        )
    return path


def is_own(path: Path, sort: str) -> bool:
    """Whether this is a file that Heldout wrote, or an empty one.

    sort: PAGE or MODEL
    """
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(1 << 16)
    if sort == PAGE:
        return not head or b"Heldout</title>" in head
    return not head or (head.startswith(b"PK\x03\x04") and b"model.json" in head[:64])
