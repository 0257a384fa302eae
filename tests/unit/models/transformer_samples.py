"""Every transformer of the contract tests, fitted on half of its rows, and pipelines of them."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

import heldout as ho
from heldout import Table
from heldout.features.bag_of_words import BagOfWords

from ...contract.made_rows import answers, made_rows, taken
from ...contract.transformers import TRANSFORMERS

N_ROWS = 90
N_FIT = 60

# The names of the first steps, by the room of the features that they come from.
ROOMS = {
    "numbers": ("Scale", "UnitLength", "LogTransform", "Discretize"),
    "categories": ("FillMissing", "OneHot", "Ordinal", "DropRare", "DropLowVariance"),
    "paths": ("TreePaths",),
    "words": ("BagOfWords",),
    "images": ("PixelFeatures", "PatchFeatures", "ShapeFeatures"),
}

# Texts of every form, with words that are a set and rules that are not those of the others. The set has one
# word: its print names the tests, which must be alike in every process.
TEXTS: list[tuple[Any, str]] = [
    (BagOfWords(ngrams=(1, 3), stop_words={"the"}, log=True), "documents"),
    (BagOfWords(lowercase=False, stop_words="english", sparse=False, unit_length=True), "table"),
    (BagOfWords(min_count=0.2, max_count=-1, max_words=5, binary=True, sparse=False), "table"),
]

Sample = tuple[Any, Any]


def halves(form: str) -> tuple[Any, Any]:
    """Rows to fit on, and rows that hold values, levels and words that those have not."""
    rows = made_rows(form, N_ROWS, np.arange(N_ROWS) >= N_FIT)
    return taken(rows, range(N_FIT)), taken(rows, range(N_FIT - 5, N_ROWS))


def of_room(room: str) -> dict[str, Sample]:
    """The fitted transformers of a room, each with held-out rows."""
    found = {}
    for transformer, form in [*TRANSFORMERS, *TEXTS]:
        if type(transformer).__name__ in ROOMS[room]:
            train, later = halves(form)
            fitted = clone(transformer).fit(train, answers(N_ROWS)[:N_FIT])
            found[" ".join(f"{transformer} on {form}".split())] = (fitted, later)
    return found


def of_pipelines() -> dict[str, Sample]:
    """Pipelines of every form: mixed tables, arrays, sparse matrices, texts and images; nested ones too."""
    y = answers(N_ROWS)[:N_FIT]
    numbers = Pipeline([("fill", ho.FillMissing(indicators=True)), ("scale", ho.Scale())])
    encode = Pipeline([("encode", ho.OneHot()), ("nothing", "passthrough"), ("none", None)])
    words = BagOfWords(sparse=False, max_words=9)
    skipped = [("skip", "passthrough"), ("tree", ho.TreeClassifier())]
    made: dict[str, tuple[Pipeline, str]] = {
        "mixed": (
            Pipeline([("a", numbers), ("b", encode), ("c", words), ("d", ho.NeighborsClassifier())]),
            "table",
        ),
        "paths": (Pipeline([("paths", ho.TreePaths()), ("forest", ho.ForestClassifier(5))]), "array"),
        "sparse": (
            Pipeline([("prune", ho.DropRare()), ("scale", ho.Scale(center=False)), ("p", ho.Perceptron())]),
            "sparse",
        ),
        "documents": (
            Pipeline([("words", BagOfWords()), ("unit", ho.UnitLength()), ("p", ho.Perceptron())]),
            "documents",
        ),
        "images": (
            Pipeline([("patches", ho.PatchFeatures(size=3, n=4)), ("r", ho.RidgeRegressor())]),
            "images",
        ),
        "words": (Pipeline([("encode", ho.OneHot()), ("fill", ho.FillMissing())], verbose=False), "words"),
        "only transformers": (numbers, "array"),
        "all skipped": (Pipeline(skipped), "table"),
        "learner in a pipeline": (
            Pipeline([("cut", ho.Discretize(by="entropy")), ("inner", Pipeline(skipped))]),
            "table",
        ),
        "nothing at all": (Pipeline([("skip", "passthrough")]), "table"),
    }
    return {name: _fitted(pipeline, form, y) for name, (pipeline, form) in made.items()}


def _fitted(pipeline: Pipeline, form: str, y: np.ndarray) -> Sample:
    train, later = halves(form)
    without_text = isinstance(train, Table) and "c" not in pipeline.named_steps
    if without_text:
        train, later = train.drop("note"), later.drop("note")
    return clone(pipeline).fit(train, y), later


KINDS: dict[str, Callable[[], dict[str, Sample]]] = {
    **{room: (lambda room=room: of_room(room)) for room in ROOMS},
    "pipelines": of_pipelines,
}


@cache
def _pickled(kind: str) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pickle.dumps(KINDS[kind]())


def transformer_samples(kind: str) -> dict[str, Sample]:
    """Fitted transformers or pipelines by name, each with rows to transform.

    They are new ones each time: what the core holds of a vocabulary must not outlive the tests, or nanobind
    reports a leak.
    """
    samples: dict[str, Sample] = pickle.loads(_pickled(kind))
    return samples
