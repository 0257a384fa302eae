"""How the coefficients of ridge shrink as the penalty grows, as numbers and as a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.learners.linear.ridge_spectrum import RidgeSpectrum

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CoefficientPath:
    """The coefficients at each penalty.

    names:        of the columns
    alphas:       the penalties
    df:           the effective degrees of freedom at each
    coefficients: one row for each penalty, one column for each name
    intercepts:   one for each penalty
    """

    names: tuple[str, ...]
    alphas: Floats
    df: Floats
    coefficients: Floats
    intercepts: Floats

    def __len__(self) -> int:
        return len(self.alphas)

    def to_svg(self) -> str:
        """The path as a picture, SVG, light or dark as the reader's system is, without any script.

        Each line is a coefficient, over the effective degrees of freedom; at 0 all of them are 0. Of many
        columns those with the largest coefficients are named.
        """
        from heldout.learners.pictures.path_picture import path_svg

        return path_svg(self)

    def _repr_html_(self) -> str:
        from heldout.charts.notebook_piece import NotebookPiece, piece_html

        return piece_html(NotebookPiece("coefficient path", picture=self.to_svg()))


def coefficient_path(spectrum: RidgeSpectrum, alphas: Floats, names: tuple[str, ...]) -> CoefficientPath:
    """The coefficients at each of the penalties."""
    solved = [spectrum.solve(alpha) for alpha in alphas.tolist()]
    return CoefficientPath(
        names,
        alphas,
        np.array([spectrum.df(alpha) for alpha in alphas.tolist()]),
        np.array([coef for coef, _ in solved]),
        np.array([intercept for _, intercept in solved]),
    )
