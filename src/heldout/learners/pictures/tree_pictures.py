"""The pictures of a fitted tree: what may be asked of them, and the SVG."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.charts.frame import in_page
from heldout.charts.partition_parts import PicturePlane
from heldout.charts.partition_picture import partition_svg
from heldout.charts.tree_picture import DIRECTIONS, tree_svg
from heldout.learners.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.parameters import Parameter, refusal
from heldout.learners.pictures.drawn_answers import ClassAnswers, DrawnAnswers, MeanAnswers
from heldout.learners.pictures.plane_columns import plane_columns
from heldout.learners.pictures.tree_drawing import tree_drawing
from heldout.learners.pictures.tree_plane import Values, tree_plane

SHOWN_LEAVES, SHOWN_LEVELS = 30, 6

_PARAMETERS = (
    Parameter("max_depth", choices=(None,), number="integer", lowest=0),
    Parameter("max_leaves", choices=("auto", None), number="integer", lowest=1),
    Parameter("direction", choices=DIRECTIONS),
)


def picture_of_tree(tree: Any, max_depth: int | None, max_leaves: int | str | None, direction: str) -> str:
    """The drawing of a tree as SVG; the parameters are those of `TreeBase.to_svg`."""
    for parameter, value in zip(_PARAMETERS, (max_depth, max_leaves, direction), strict=True):
        if not parameter.allows(value):
            raise refusal("to_svg", parameter, value)
    if max_leaves == "auto":
        max_depth, max_leaves = (SHOWN_LEVELS, SHOWN_LEAVES) if max_depth is None else (max_depth, None)
    n_ends = None if max_leaves is None else int(max_leaves)
    drawing = tree_drawing(tree.tree_, tree.inputs_, drawn_answers(tree), max_depth, n_ends)
    return tree_svg(drawing, direction)


def notebook_picture(tree: Any) -> str:
    """The drawing as a notebook shows it."""
    return in_page(tree.to_svg(), f"Picture of a {type(tree).__name__}")


def drawn_answers(tree: Any) -> DrawnAnswers:
    """How the answers of this tree are drawn."""
    if hasattr(tree, "classes_"):
        return ClassAnswers(tree)
    return MeanAnswers(tree.tree_)


def picture_of_plane(tree: Any, X: Any, y: Any, features: Any) -> str:
    """The partition of a tree of two columns as SVG; the parameters are those of `TreeBase.partition_svg`."""
    return partition_svg(plane_of_tree(tree, X, y, plane_columns(tree.tree_, tree.inputs_, features)))


def plane_of_tree(tree: Any, X: Any, y: Any, columns: list[int]) -> PicturePlane:
    """What the picture of the plane of these columns shows."""
    schema, answers = tree.inputs_, drawn_answers(tree)
    blocks = list(prediction_blocks(tree, X, schema))
    values = [_column_values(blocks, int(schema.number_of[position])) for position in columns]
    return tree_plane(tree.tree_, schema, answers, columns, values, answers.row_places(y))


def _column_values(blocks: list[PredictionInputs], place: int) -> Values:
    """A column of numbers or, counted from -1 down, of levels."""
    if place >= 0:
        return np.concatenate([block.numbers[:, place] for block in blocks])
    return np.concatenate([block.levels[:, -1 - place] for block in blocks])
