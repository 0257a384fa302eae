"""The transformers that the contract tests run, each with the form of X that it is given.

Forms: "table" (numbers of at least 0, dates, categories, booleans and texts, with gaps), "whole" (the same
without gaps), "array" (numbers with gaps), "words" (an array of objects), "sparse", "documents" (strings)
and "images" (n × height × width).
"""

from __future__ import annotations

from sklearn.base import BaseEstimator

TRANSFORMERS: list[tuple[BaseEstimator, str]] = [
    # numbers
    # categories
    # paths
    # text
    # images
]

# Of these scikit-learn's own checks are run, which hand over arrays of numbers.
CHECKED: list[BaseEstimator] = [
    # numbers
    # categories
    # paths
]
