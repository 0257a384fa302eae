"""What happens between a table and a learner: fitted inside folds only, on training rows alone.

>>> import heldout as ho
>>> ho.features.Scale(by="max")
Scale(by='max')
"""

from heldout.features.bag_of_words import BagOfWords
from heldout.features.class_balance import ClassWeights, class_weights, resample_rows
from heldout.features.coverage import Coverage, coverage
from heldout.features.discretize import Discretize
from heldout.features.drop_low_variance import DropLowVariance
from heldout.features.drop_rare import DropRare
from heldout.features.fill_missing import FillMissing
from heldout.features.importance_weights import ImportanceWeights, importance_weights
from heldout.features.level_encoder import UnseenLevelWarning
from heldout.features.log_transform import LogTransform
from heldout.features.one_hot import OneHot
from heldout.features.ordinal import Ordinal
from heldout.features.patch_features import PatchFeatures
from heldout.features.pixel_features import PixelFeatures, permute_pixels
from heldout.features.prepare_for import prepare_for
from heldout.features.scale import Scale
from heldout.features.shape_features import ShapeFeatures
from heldout.features.tree_paths import TreePaths
from heldout.features.unit_length import UnitLength

__all__ = [
    "BagOfWords",
    "ClassWeights",
    "Coverage",
    "Discretize",
    "DropLowVariance",
    "DropRare",
    "FillMissing",
    "ImportanceWeights",
    "LogTransform",
    "OneHot",
    "Ordinal",
    "PatchFeatures",
    "PixelFeatures",
    "Scale",
    "ShapeFeatures",
    "TreePaths",
    "UnitLength",
    "UnseenLevelWarning",
    "class_weights",
    "coverage",
    "importance_weights",
    "permute_pixels",
    "prepare_for",
    "resample_rows",
]
