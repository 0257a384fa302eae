"""Which rows are learned from and which are judged: folds, groups, time, the seal."""

from heldout.split.fold import Fold, rows_digest
from heldout.split.holdout import Holdout
from heldout.split.k_fold import EveryKth, KFold, LeaveOneOut, RotatingValidation
from heldout.split.row_facts import RowFacts
from heldout.split.sealed_split import SealedBy, SealedSplit, seal_rows
from heldout.split.split import Split
from heldout.split.split_from_dict import split_from_dict

__all__ = [
    "EveryKth",
    "Fold",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "RotatingValidation",
    "RowFacts",
    "SealedBy",
    "SealedSplit",
    "Split",
    "rows_digest",
    "seal_rows",
    "split_from_dict",
]
