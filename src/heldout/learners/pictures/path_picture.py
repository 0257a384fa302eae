"""From a path of coefficients to the plain data that charts draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.charts.line_parts import PictureLine, PictureLines
from heldout.charts.line_picture import MOST_LABELS, line_svg
from heldout.charts.partition_parts import PictureAxis
from heldout.charts.scales import NumberScale, spanning_scale
from heldout.charts.theme import N_CLASS_COLOURS, OTHER
from heldout.table.describe import plural

if TYPE_CHECKING:
    from heldout.learners.linear.coefficient_path import CoefficientPath

MOST_LINES = 200
# Of more lines than can have a label these have one.
N_NAMED = 12


def path_svg(path: CoefficientPath) -> str:
    """The picture of a coefficient path."""
    order = np.argsort(path.df, kind="stable")
    # Without a degree of freedom every coefficient is 0: there all lines begin.
    df = np.append(0.0, path.df[order])
    coefficients = np.vstack([np.zeros(len(path.names)), path.coefficients[order]])
    across = NumberScale(0.0, float(df[-1]) or 1.0)
    upwards = spanning_scale(coefficients.ravel())
    ranked = np.argsort(-np.abs(coefficients).max(axis=0), kind="stable").tolist()
    drawn = ranked[:MOST_LINES]
    n_labels = len(drawn) if len(drawn) <= MOST_LABELS else N_NAMED
    lines = [
        _line(
            path.names[column], coefficients[:, column], across.positions(df), upwards, rank, rank < n_labels
        )
        for rank, column in enumerate(drawn)
    ]
    return line_svg(
        PictureLines(
            title="How the coefficients shrink",
            caption=_caption(len(path.names), len(drawn), n_labels),
            description=_description(path, drawn, coefficients[-1]),
            x=PictureAxis("effective degrees of freedom", across.ticks),
            y=PictureAxis("coefficient", upwards.ticks),
            lines=lines,
            zero=float(upwards.positions(np.zeros(1))[0]),
        )
    )


def _line(
    name: str,
    values: NDArray[np.float64],
    across: NDArray[np.float64],
    upwards: NumberScale,
    rank: int,
    is_named: bool,
) -> PictureLine:
    points = list(zip(across.tolist(), upwards.positions(values).tolist(), strict=True))
    title = f"{name}: {values[-1]:.4g} at the right end"
    return PictureLine(name if is_named else "", title, points, rank if rank < N_CLASS_COLOURS else OTHER)


def _caption(n_columns: int, n_drawn: int, n_labels: int) -> str:
    caption = f"ridge, {plural(n_columns, 'coefficient')}: the penalty grows from right to left"
    if n_drawn < n_columns:
        caption += f"; the {n_drawn} largest are drawn"
    return f"{caption}; the {n_labels} largest are named" if n_labels < n_drawn else caption


def _description(path: CoefficientPath, drawn: list[int], last: NDArray[np.float64]) -> str:
    ends = ", ".join(f"{path.names[column]} {last[column]:.4g}" for column in drawn[:N_CLASS_COLOURS])
    return (
        f"Lines of {plural(len(drawn), 'coefficient')} over the effective degrees of freedom, from 0 at the"
        f" left to {float(path.df.max()):.4g} at the right, where they are: {ends}."
    )
