"""Where a study and its page go."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from heldout.cli.own_files import PAGE, refuse_others
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

    >>> study_place("data/churn.csv.gz", None).study.name, study_place("churn.csv", "trial.html").study.name
    ('churn.heldout', 'trial.heldout')
    """
    if out is None:
        return _files(Path.cwd() / stem_of(file))
    place = Path(out).expanduser()
    if out.endswith(("/", os.sep)) or place.is_dir():
        return _files(place / stem_of(file))
    return _files(place.with_suffix("") if place.suffix.lower() in _ENDINGS else place)


def stem_of(file: str) -> str:
    """The name of a table's file without its endings.

    >>> stem_of("/data/churn.2024.csv.gz"), stem_of(".csv")
    ('churn.2024', '.csv')
    """
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
