"""Real tables to learn with, embedded in the package, each with its source and licence.

>>> import heldout as ho
>>> ho.datasets.load("play_tennis").shape
(14, 6)
"""

from heldout.datasets.load_dataset import Dataset, describe, load, names

__all__ = ["Dataset", "describe", "load", "names"]
