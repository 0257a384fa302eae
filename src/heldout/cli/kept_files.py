"""What no answer is written over: the files that it was made from, and any study or model file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from heldout.cli.own_files import MODEL, is_own
from heldout.cli.study_mark import is_study
from heldout.errors import RequestError


def refuse_overwriting(output: str, inputs: Mapping[str, str | None]) -> None:
    """An error where a file would be lost.

    output: path of the file to write, which need not be there
    inputs: paths of the files that are read, by what they are called

    >>> refuse_overwriting("no such file.csv", {"FILE": __file__})
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
