"""Weka's J48 and Id3: all fits of a run in one Java machine."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .plain_tree import PlainNode, PlainTree, word

WEKA = Path("/usr/share/java/weka.jar")
SOURCE = Path(__file__).with_name("WekaTrees.java")


@dataclass(frozen=True)
class Job:
    """Fit a learner on a table, or, with folds, on the rows outside each fold.

    path:    an ARFF file; target: its class attribute
    folds:   for each repetition one fold number per row
    """

    name: str
    path: Path
    target: str
    learner: str = "J48"
    options: str = "-C 0.25 -M 2"
    folds: Sequence[Sequence[int]] = ()


@dataclass
class WekaFit:
    """One fitted tree, and how many of the rows that it did not see it answered rightly."""

    tree: PlainTree = field(default_factory=list)
    n_right: int = 0
    n_tested: int = 0
    n_leaves_with_empty_ones: int = 0


WekaFits = dict[tuple[str, int | None, int | None], WekaFit]


def weka_fits(jobs: Iterable[Job]) -> WekaFits:
    """All fits, by name of the job, repetition and fold; the last two are None for a whole table."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "jobs"
        listed.write_text("".join(f"{_line(job, Path(folder))}\n" for job in jobs))
        command = ["java", "-cp", str(WEKA), str(SOURCE), str(listed)]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    fits: WekaFits = {}
    classes_of: dict[str, list[str]] = {}
    indices: dict[int, int] = {}
    for kind, name, repetition, fold, *words in _words(printed):
        if kind == "classes":
            classes_of[name] = [word(level) for level in words]
            continue
        key = (name, _position(repetition), _position(fold))
        fit = fits.setdefault(key, WekaFit())
        if kind == "fit":
            fit.n_right, fit.n_tested = int(words[0]), int(words[1])
        else:
            if words[0] == "-1":
                indices = {}
            _add_node(fit, indices, words, classes_of[name])
    return fits


def _add_node(fit: WekaFit, indices: dict[int, int], words: Sequence[str], classes: Sequence[str]) -> None:
    """Append a node, children after their parent; `indices` has the place of each node that was printed."""
    parent, branch, attribute, threshold, weights = words
    node = PlainNode(
        None if attribute == "-" else attribute,
        dict(zip(classes, map(float, weights.split(" ")), strict=True)),
        None if threshold == "-" else float(threshold),
    )
    printed = len(indices)
    fit.n_leaves_with_empty_ones += node.attribute is None
    if node.attribute is None and not any(node.weights.values()):
        indices[printed] = -1
        return
    indices[printed] = len(fit.tree)
    if parent != "-1":
        fit.tree[indices[int(parent)]].branches[word(branch)] = len(fit.tree)
    fit.tree.append(node)


def _line(job: Job, folder: Path) -> str:
    folds = "-"
    if job.folds:
        path = folder / f"folds of {job.name}"
        path.write_text("".join(" ".join(map(str, numbers)) + "\n" for numbers in job.folds))
        folds = str(path)
    return "\t".join((job.name, str(job.path), job.target, job.learner, job.options, folds))


def _words(printed: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in printed.splitlines())


def _position(text: str) -> int | None:
    return None if text == "-" else int(text)
