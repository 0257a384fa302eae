"""The pictures of a fitted tree: what may be asked of them, and the SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.charts.axes import PictureAxis, PicturePlane, PicturePoint, PictureRegion, in_page
from heldout.charts.partition_picture import partition_svg
from heldout.charts.scales import BandScale, NumberScale, spanning_scale
from heldout.charts.tree_picture import DIRECTIONS, tree_svg
from heldout.errors import DataError, RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema, column_positions
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.parameters import Parameter, refusal
from heldout.learners.pictures.drawn_predictions import ClassPredictions, DrawnPredictions, MeanPredictions
from heldout.learners.pictures.tree_drawing import tree_drawing
from heldout.learners.rules.condition import Condition, is_unknown
from heldout.learners.rules.path_conditions import Way, ways_through
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_label
from heldout.text.words import first_few
from heldout.types import ColumnChoice, TableLike

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

SHOWN_LEAVES, SHOWN_LEVELS = 30, 6

_PARAMETERS = (
    Parameter("max_depth", choices=(None,), number="integer", lowest=0),
    Parameter("max_leaves", choices=("auto", None), number="integer", lowest=1),
    Parameter("direction", choices=DIRECTIONS),
)


def picture_of_tree(
    tree: TreeBase, max_depth: int | None, max_leaves: int | str | None, direction: str
) -> str:
    """The drawing of a tree as SVG; the parameters are those of `TreeBase.to_svg`."""
    for parameter, value in zip(_PARAMETERS, (max_depth, max_leaves, direction), strict=True):
        if not parameter.allows(value):
            raise refusal("to_svg", parameter, value)
    if max_leaves == "auto":
        max_depth, max_leaves = (SHOWN_LEVELS, SHOWN_LEAVES) if max_depth is None else (max_depth, None)
    n_ends = None if max_leaves is None else int(max_leaves)
    drawing = tree_drawing(tree.tree_, tree.inputs_, drawn_predictions(tree), max_depth, n_ends)
    return tree_svg(drawing, direction)


def notebook_picture(tree: TreeBase) -> str:
    """The drawing as a notebook shows it."""
    return in_page(tree.to_svg(), f"Picture of a {type(tree).__name__}")


def drawn_predictions(tree: TreeBase) -> DrawnPredictions:
    """How the predictions of this tree are drawn."""
    if hasattr(tree, "classes_"):
        return ClassPredictions(tree)
    return MeanPredictions(tree.tree_)


def picture_of_plane(tree: TreeBase, X: TableLike, y: ArrayLike, features: ColumnChoice) -> str:
    """The partition of a tree of two columns as SVG; the parameters are those of `TreeBase.partition_svg`."""
    return partition_svg(plane_of_tree(tree, X, y, plane_columns(tree.tree_, tree.inputs_, features)))


def plane_of_tree(tree: TreeBase, X: TableLike, y: ArrayLike, columns: list[int]) -> PicturePlane:
    """What the picture of the plane of these columns shows."""
    schema, predictions = tree.inputs_, drawn_predictions(tree)
    blocks = list(prediction_blocks(tree, X, schema))
    values = [_column_values(blocks, int(schema.number_of[position])) for position in columns]
    return tree_plane(tree.tree_, schema, predictions, columns, values, predictions.row_indices(y))


def _column_values(blocks: list[PredictionInputs], index: int) -> Values:
    """A column of numbers or, counted from -1 down, of levels."""
    if index >= 0:
        return np.concatenate([block.numbers[:, index] for block in blocks])
    return np.concatenate([block.levels[:, -1 - index] for block in blocks])


def plane_columns(structure: TreeStructure, schema: InputSchema, features: ColumnChoice) -> list[int]:
    """The positions of the column across and, where there is one, of the column upwards.

    features: names or positions, or None for the columns of the tree in the order in which it asks for them
    """
    requested = structure.grown.feature[~structure.is_leaf].tolist()
    used = list(dict.fromkeys(requested))
    if len(used) > 2:
        raise RequestError(
            f"the tree asks for {len(used)} columns, and a plane has two",
            where=_listed(schema, used),
            fix="fit a tree on two of the columns, or look at the whole tree with to_svg()",
        )
    if features is None:
        if not used:
            raise RequestError(
                "the tree asks for no column, so there is no plane to choose",
                where="a tree of one leaf",
                fix="name one or two columns with features=",
            )
        return used
    return _wished(schema, features, used)


def _wished(schema: InputSchema, features: ColumnChoice, used: list[int]) -> list[int]:
    entries = (
        list(features) if isinstance(features, Iterable) and not isinstance(features, str) else [features]
    )
    positions = column_positions(entries, schema.names)
    if positions is None:
        unknown = [entry for entry in entries if column_positions([entry], schema.names) is None]
        raise RequestError(
            "features names a column that the tree was not fitted on",
            where=f"{unknown[0]!r:.60} is no name and no position of its {len(schema.columns)} columns",
            fix=f"name one or two of {_listed(schema, list(range(len(schema.columns))))}",
        )
    if len(set(positions)) < len(positions):
        raise RequestError(
            "features names a column twice",
            where=f"features={features!r:.60}",
            fix="name it once, or another one with it",
        )
    if not 1 <= len(positions) <= 2:
        raise RequestError(
            f"features must be one or two columns, and has {len(positions)}",
            where=f"features={features!r:.60}",
            fix=f"use names or positions; the tree asks for {_listed(schema, used) or 'none'}",
        )
    if missing := [position for position in used if position not in positions]:
        raise RequestError(
            "the tree asks for a column that is not in the plane",
            where=_listed(schema, missing),
            fix=f"leave features out, or name {_listed(schema, used)}",
        )
    return positions


def _listed(schema: InputSchema, positions: list[int]) -> str:
    return first_few([shown_label(schema.columns[position].name) for position in positions], 6)


MOST_POINTS = 2000
# Numbers whose multiples fill a square evenly: the points of one level are spread over its band.
_SPREADS = (0.7548776662466927, 0.5698402909980532)
_SPREAD_WIDTH = 0.7

Values = NDArray[np.float64] | NDArray[np.int32]
Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the plane: a column and its scale, or one band for everything where there is no column.

    spread: what spreads the points of a level over its band
    """

    position: int
    column: InputColumn | None
    scale: NumberScale | BandScale
    spread: float

    @property
    def axis(self) -> PictureAxis:
        label = "" if self.column is None else shown_label(self.column.name)
        return PictureAxis(label, self.scale.ticks, isinstance(self.scale, BandScale))

    def spans(self, conditions: tuple[Condition, ...]) -> list[Span]:
        """Where the conditions on this column hold: one span, or several runs of levels."""
        condition = next((entry for entry in conditions if entry.position == self.position), None)
        if condition is None:
            return [(0.0, 1.0)]
        if not condition.allows_a_value:
            return []
        if isinstance(self.scale, BandScale):
            runs = _runs(condition.levels or ())
            return [(self.scale.edge(first), self.scale.edge(last + 1)) for first, last in runs]
        ends = [
            -np.inf if condition.low is None else condition.low.threshold,
            np.inf if condition.high is None else condition.high.threshold,
        ]
        low, high = self.scale.positions(np.array(ends)).tolist()
        return [(low, high)] if low < high else []

    def positions(self, values: Values, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where rows with these values stand; their numbers decide how the points of a level are spread."""
        if isinstance(self.scale, NumberScale):
            return self.scale.positions(np.asarray(values, dtype=np.float64))
        middles = np.array([tick.position for tick in self.scale.ticks])
        offsets = ((rows + 0.5) * self.spread) % 1.0 - 0.5
        return np.asarray(middles[values] + offsets * _SPREAD_WIDTH / len(middles))


def tree_plane(
    structure: TreeStructure,
    schema: InputSchema,
    predictions: DrawnPredictions,
    columns: list[int],
    values: list[Values],
    row_indices: NDArray[np.int64],
) -> PicturePlane:
    """What the picture shows.

    columns:    the positions of one or two columns; the tree asks for no other
    values:     of these columns, one per row
    row_indices: the place of each row's colour
    """
    _check_lengths(values[0], row_indices)
    sides = [
        _side(structure, schema, position, known, spread)
        for position, known, spread in zip(columns, values, _SPREADS, strict=False)
    ]
    if len(sides) == 1:
        sides.append(Side(-1, None, BandScale(("",)), _SPREADS[1]))
        values = [*values, np.zeros(len(values[0]), dtype=np.int32)]
    points, remark = _points(sides, values, row_indices)
    ways = list(ways_through(structure, schema))
    names = " and ".join(shown_label(schema.columns[position].name) for position in columns)
    return PicturePlane(
        title=f"Partition by {names}",
        caption=f"{predictions.kind} · {remark}",
        description=f"Rectangles into which the tree cuts the plane, with its predictions. {remark}.",
        x=sides[0].axis,
        y=sides[1].axis,
        regions=[region for way in ways for region in _regions(way, sides, predictions)],
        points=points,
        legend=tuple(replace(entry, remark="") for entry in predictions.legend),
        shade_scale=predictions.shade_scale,
    )


def _side(
    structure: TreeStructure, schema: InputSchema, position: int, values: Values, spread: float
) -> Side:
    column = schema.columns[position]
    if column.is_category:
        return Side(position, column, BandScale(tuple(map(shown_label, column.levels)) or ("",)), spread)
    cuts = structure.grown.threshold[structure.grown.feature == position]
    known = np.append(values[~is_unknown(values)], cuts[np.isfinite(cuts)])
    return Side(position, column, spanning_scale(known, column.kind == "date"), spread)


def _regions(way: Way, sides: list[Side], predictions: DrawnPredictions) -> Iterator[PictureRegion]:
    across, up = (side.spans(way.conditions) for side in sides)
    if not across or not up:
        return
    prediction = predictions.of([way.node])
    conditions = " and ".join(replace(entry, unknown_share=0.0).words() for entry in way.conditions)
    remark = ", no training row came here" if way.is_empty else ""
    title = f"{conditions or 'All rows'}: predicts {prediction.label}; {prediction.words}{remark}"
    index = predictions.region_index(way.node)
    for left, right in across:
        for bottom, top in up:
            yield PictureRegion(left, right, bottom, top, index, prediction.label, title)


def _points(
    sides: list[Side], values: list[Values], row_indices: NDArray[np.int64]
) -> tuple[list[PicturePoint], str]:
    """The rows that have both values, or a sample of them that is always the same, and what was left out."""
    rows = np.flatnonzero(~(is_unknown(values[0]) | is_unknown(values[1])))
    n_known, n_unknown = len(rows), len(row_indices) - len(rows)
    if n_known > MOST_POINTS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST_POINTS, replace=False))
    x, y = (side.positions(known[rows], rows) for side, known in zip(sides, values, strict=True))
    points = [
        PicturePoint(*point) for point in zip(x.tolist(), y.tolist(), row_indices[rows].tolist(), strict=True)
    ]
    shown = (
        f"{n_known:,} rows" if len(rows) == n_known else f"{len(rows):,} of {n_known:,} rows, drawn at random"
    )
    left_out = f", {n_unknown:,} with a missing value left out" if n_unknown else ""
    return points, shown + left_out


def _runs(levels: tuple[int, ...]) -> list[tuple[int, int]]:
    """Neighboring levels taken together."""
    runs: list[tuple[int, int]] = []
    for level in levels:
        if runs and runs[-1][1] == level - 1:
            runs[-1] = (runs[-1][0], level)
        else:
            runs.append((level, level))
    return runs


def _check_lengths(values: Values, predictions: NDArray[Any]) -> None:
    if len(values) != len(predictions):
        raise DataError(
            "X and y differ in length",
            where=f"X has {len(values)} rows, y has {len(predictions)}",
            fix="give one target per row",
        )
