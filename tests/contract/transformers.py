"""The transformers that the contract tests run, each with the form of X that it is given.

Forms: "table" (numbers of at least 0, dates, categories, booleans and texts, with gaps), "whole" (the same
without gaps), "frame" (the same in pandas), "array" (numbers with gaps), "words" (an array of objects),
"sparse", "sparse with gaps", "documents" (strings) and "images" (n × height × width).
"""

from __future__ import annotations

from sklearn.base import BaseEstimator

from heldout import (
    BagOfWords,
    Discretize,
    DropLowVariance,
    DropRare,
    FillMissing,
    LogTransform,
    OneHot,
    Ordinal,
    PatchFeatures,
    PixelFeatures,
    Scale,
    ShapeFeatures,
    TreeClassifier,
    TreePaths,
    TreeRegressor,
    UnitLength,
)

TRANSFORMERS: list[tuple[BaseEstimator, str]] = [
    # numbers
    (Scale(), "table"),
    (Scale(by="max"), "table"),
    (Scale(center=False, columns=["day"]), "table"),
    (Scale(center=False, by="max"), "array"),
    (Scale(by=None), "array"),
    (Scale(), "frame"),
    (Scale(center=False), "sparse"),
    (Scale(center=False, by="max", columns=[2, 5, 7]), "sparse"),
    (UnitLength(), "whole"),
    (UnitLength(columns=[0, 1, 3]), "array"),
    (UnitLength(), "sparse"),
    (LogTransform(), "table"),
    (LogTransform(columns=[1, 4]), "array"),
    (LogTransform(), "sparse"),
    (Discretize(), "table"),
    (Discretize(n=3, by="frequency"), "table"),
    (Discretize(by="entropy", columns=["size", "count"]), "table"),
    (Discretize(n=2, by="entropy"), "array"),
    (Discretize(by="frequency", columns=[0, 3]), "array"),
    # categories
    (FillMissing(), "table"),
    (FillMissing(numbers="median", indicators=True), "table"),
    (FillMissing(numbers="constant", number=-1.0, categories="constant", columns=["size", "color"]), "table"),
    (FillMissing(numbers="mode", indicators=True), "array"),
    (FillMissing(numbers="median", categories="constant", indicators=True), "words"),
    (FillMissing(indicators=True), "frame"),
    (FillMissing(numbers="median", columns=[1, 4]), "sparse"),
    (FillMissing(), "sparse with gaps"),
    (FillMissing(numbers="mode", columns=[1, 4, 7]), "sparse with gaps"),
    (OneHot(), "table"),
    (OneHot(drop_first=True, columns=["color"]), "table"),
    (OneHot(columns=["color", "paid"]), "frame"),
    (OneHot(columns=[3]), "array"),
    (OneHot(), "words"),
    (OneHot(sparse=True), "words"),
    (OneHot(sparse=True, drop_first=True), "array"),
    (Ordinal(), "table"),
    (Ordinal(orders={"color": ["red", "green", "blue", "other0", "other1", "other2"]}), "whole"),
    (Ordinal(columns=["color"]), "frame"),
    (Ordinal(), "array"),
    (Ordinal(columns=[2]), "words"),
    (DropRare(), "table"),
    (DropRare(min_count=0.4, max_count=-1), "table"),
    (DropRare(max_count=0.9), "array"),
    (DropRare(min_count=20), "sparse"),
    (DropRare(min_count=15), "sparse with gaps"),
    (DropLowVariance(), "table"),
    (DropLowVariance(threshold=0.3), "array"),
    (DropLowVariance(threshold=0.13), "sparse"),
    (DropLowVariance(threshold=0.13), "sparse with gaps"),
    # paths
    (TreePaths(), "table"),
    (TreePaths(length=None, keep=False), "table"),
    (TreePaths(length=3, tree=TreeClassifier.cart(prune=None)), "table"),
    (
        TreePaths(length=1, tree=TreeRegressor(min_leaf=2, missing="column_mode"), columns=["color", "size"]),
        "table",
    ),
    (TreePaths(), "frame"),
    (TreePaths(), "whole"),
    (TreePaths(length=3), "array"),
    (TreePaths(keep=False, columns=[0, 4, -1]), "array"),
    (TreePaths(), "words"),
    (TreePaths(), "sparse"),
    (TreePaths(length=None, keep=False, columns=[1, 3, 5]), "sparse"),
    # text
    (BagOfWords(), "documents"),
    (BagOfWords(ngrams=(1, 2), stop_words="english", log=True, unit_length=True), "documents"),
    (BagOfWords(sparse=False, min_count=2, max_count=-1), "documents"),
    (BagOfWords(sparse=False), "table"),
    (BagOfWords(sparse=False, columns=["note", "color"], lowercase=False, max_words=5), "table"),
    # images
    (PixelFeatures(), "images"),
    (PixelFeatures(size=(3, 4), gray=True), "images"),
    (PatchFeatures(size=3, n=8), "images"),
    (PatchFeatures(size=2, n=500, stride=1, seed=7, sample=120, min_contrast=0.1, image_size=6), "images"),
    (ShapeFeatures(), "images"),
    (ShapeFeatures(threshold=0.5, foreground="dark"), "images"),
]

# Of these scikit-learn's own checks are run, which hand over arrays of numbers.
CHECKED: list[BaseEstimator] = [
    # numbers
    Scale(),
    Scale(center=False),
    Scale(center=False, by="max"),
    Scale(by="max"),
    Scale(by=None),
    UnitLength(),
    LogTransform(),
    Discretize(),
    Discretize(n=3, by="frequency"),
    Discretize(by="entropy"),
    Discretize(n=2, by="entropy"),
    # categories
    FillMissing(),
    FillMissing(numbers="median", indicators=True),
    FillMissing(numbers="mode"),
    OneHot(),
    OneHot(drop_first=True),
    OneHot(sparse=True),
    Ordinal(),
    DropRare(),
    DropRare(min_count=0.1),
    DropLowVariance(),
    DropLowVariance(threshold=0.01),
    # paths
    TreePaths(),
    TreePaths(length=None, keep=False),
    TreePaths(length=1, tree=TreeClassifier.id3(max_depth=3)),
    TreePaths(tree=TreeRegressor(min_leaf=2)),
]
