"""Find an embedded table by its name and read it."""

from __future__ import annotations

import difflib
from importlib.resources import as_file, files

from heldout.datasets.catalog import DATASETS
from heldout.datasets.dataset import Dataset
from heldout.errors import RequestError
from heldout.table.read_table import read_table
from heldout.table.table import Table


def names() -> tuple[str, ...]:
    """What `load` can load.

    >>> "penguins" in names()
    True
    """
    return tuple(dataset.name for dataset in DATASETS)


def describe(name: str) -> Dataset:
    """Where a table is from, under which licence, and how to cite it.

    >>> describe("penguins").licence
    'CC0 1.0'
    """
    for dataset in DATASETS:
        if dataset.name == name:
            return dataset
    near = difflib.get_close_matches(str(name), names(), n=1, cutoff=0.4)
    raise RequestError(
        f"there is no embedded table {name!r}",
        where=f"embedded are {', '.join(names())}",
        fix=f"did you mean '{near[0]}'?" if near else "use one of these, or read a file with read_table",
    )


def load(name: str) -> Table:
    """The embedded table of this name; its kinds are stated, not guessed.

    >>> load("penguins")["sex"].n_missing
    11
    """
    dataset = describe(name)
    file = files("heldout.datasets").joinpath("data", f"{dataset.name}.csv")
    with as_file(file) as path:
        return read_table(path, kinds=dict(dataset.kinds), missing=[""])
