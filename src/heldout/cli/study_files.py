"""The files of a study: where they lie, whether they are ours, and what stands in their way."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heldout.errors import RequestError

_ENDINGS = (".heldout", ".html")


@dataclass(frozen=True)
class StudyPlace:
    """The two files of a run.

    study: NAME.heldout
    page:  NAME.html
    """

    study: Path
    page: Path


def study_place(file: str, out: str | None) -> StudyPlace:
    """Beside each other, named like the table unless asked otherwise.

    file: of the table
    out:  a stem (also one of the two files), or a folder; left out, this folder
    """
    if out is None:
        return _files(Path.cwd() / stem_of(file))
    place = Path(out).expanduser()
    if out.endswith(("/", os.sep)) or place.is_dir():
        return _files(place / stem_of(file))
    return _files(place.with_suffix("") if place.suffix.lower() in _ENDINGS else place)


def stem_of(file: str) -> str:
    """The name of a table's file without its endings."""
    path = Path(file)
    name = path.name[:-3] if path.suffix.lower() == ".gz" else path.name
    return Path(name).stem


def prepared(place: StudyPlace) -> StudyPlace:
    """The same, after its folder was made; an error where a page of somebody else's would be replaced.

    place: where the files go
    """
    folder = place.study.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(
            f"the folder for the study cannot be made: {error.strerror}",
            where=f"'{folder}'",
            fix="choose another place with --out",
        ) from None
    refuse_others(place.page, PAGE)
    if not os.access(folder, os.W_OK) and not place.study.exists():
        raise RequestError(
            "nothing can be written to the folder for the study",
            where=f"'{folder}'",
            fix="choose a place where you may write with --out",
        )
    return place


def _files(stem: Path) -> StudyPlace:
    found = Path(os.path.abspath(stem))
    return StudyPlace(found.with_name(f"{found.name}.heldout"), found.with_name(f"{found.name}.html"))


# A study is an SQLite file whose header names the program that it belongs to.
_BEGINS, _MARK, _MARK_AT = b"SQLite format 3\0", b"HELD", 68


def is_study(path: str) -> bool:
    """Whether a file is a study, by its first bytes.

    path: of the file, which need not be there
    """
    if not os.path.isfile(path):
        return False  # what is taken from a pipe is gone for whoever reads it next
    try:
        with open(path, "rb") as file:
            head = file.read(_MARK_AT + len(_MARK))
    except OSError:
        return False  # whoever reads it says what is wrong
    return head.startswith(_BEGINS) and head.endswith(_MARK)


PAGE, MODEL = "page", "model file"


def refuse_others(path: Path, sort: str) -> Path:
    """The path, or an error where something stands there that is not of this sort.

    path: where a command is about to write
    sort: PAGE or MODEL
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


def refuse_overwriting(output: str, inputs: Mapping[str, str | None]) -> None:
    """An error where a file would be lost.

    output: path of the file to write, which need not be there
    inputs: paths of the files that are read, by what they are called
    """
    if not os.path.isfile(output):
        return
    name = next((name for name, path in inputs.items() if path and _is_same(path, output)), "")
    if name:
        what = f"{name} itself"
    elif is_study(output):
        what = "a study"
    elif os.path.getsize(output) and is_own(Path(output), MODEL):
        what = "a model file"
    else:
        return
    raise RequestError(
        f"the output would replace {what}", where=f"'{output}'", fix="name another file with -o"
    )


def _is_same(path: str, output: str) -> bool:
    return os.path.exists(path) and os.path.samefile(path, output)
