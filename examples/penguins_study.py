"""A first lesson: seal rows away, let contenders compete on the others, take the one look, ship the winner.

`heldout demo` tells the same story in commands. The argument is the folder in which the study file, the page
and the model are to be kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from textwrap import fill

import heldout as ho


def tell(what: object) -> None:
    """Print in lines of 80 characters, and an empty one."""
    print(*[fill(line, 80) for line in str(what).splitlines()], "", sep="\n")


folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

# 1. Read. Kinds are shown, and missing values counted. The year tells of the expedition,
#    not of the penguin, so it is dropped.
table = ho.datasets.load("penguins").drop("year")
tell(table)

# 2. Ask, and seal: a fifth of the rows goes out of reach, with the same shares of the species.
study = ho.Study.create(folder / "penguins.heldout", table, target="species", held=0.2)
tell(study)

# 3. Plan, and run: every contender chooses its setting inside the training part of every fold.
#    Categories and gaps are taken as they are, or prepared inside the fold.
plan = ho.Plan(ho.default_contenders(study.task))
result = study.run(plan, progress=False)
tell(result.verdict)

# 4. The one look at the sealed rows. It is written down before it is shown.
tell(study.unseal(result.verdict.winner))

# 5. The page for others, and the model for use, refitted on every row.
study.report(folder / "penguins.html")
study.ship(result.verdict.winner, folder / "penguins.model")
study.close()
print(ho.load(folder / "penguins.model"))
