"""Ridge regression: least squares that pays for large coefficients."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from heldout.arrays import Floats
from heldout.checks.warn import warn_user
from heldout.errors import RequestError
from heldout.inputs.numeric_inputs import numeric_rows
from heldout.learners.linear.coefficient_table import (
    INTERCEPT,
    MAX_COLUMNS,
    CoefficientPath,
    coefficient_path,
    coefficient_text,
)
from heldout.learners.linear.linear_model import LinearData, LinearModel
from heldout.learners.linear.ridge_leave_one_out import RidgeLeaveOneOut, leave_one_out
from heldout.learners.linear.ridge_spectrum import RidgeSpectrum, ridge_spectrum
from heldout.learners.parameters import Parameter, check_copies, check_parameters, refusal
from heldout.learners.readable_learner import learner_copies
from heldout.learners.sweep import SeparateSweep, settings_of
from heldout.text.words import plural
from heldout.types import PerRow, SettingsSpace, TableLike

ENTERED = ("n_features_in_", "feature_names_in_")


class RidgeRegressor(LinearModel):
    """Least squares plus alpha times the sum of the squared coefficients; numbers only, nothing missing.

    The columns are taken as they are: their units matter, so bring them to one scale first.

    Parameters
    ----------
    alpha
        the penalty; 0 is least squares, of least norm where columns depend on each other
    df
        in place of alpha: the effective degrees of freedom, above 0 and at most the number of independent
        columns; where it is given, alpha is not looked at
    fit_intercept
        whether a constant is added; else the fit goes through 0
    penalize_intercept
        whether the intercept pays as well; df then counts it

    Attributes
    ----------
    coef_
    intercept_
    alpha_
        the penalty
    df_
        the effective degrees of freedom, without an intercept that does not pay
    n_rows_
    n_features_in_
    feature_names_in_

    Notes
    -----
    A sparse X is made dense up to 16 million cells. A larger one is solved by products of its smaller side,
    which may have 6,000 rows or columns; about 1.2 GB are needed then.

    Examples
    --------
    >>> ridge = RidgeRegressor(alpha=2.0).fit([[-1.0], [0.0], [1.0]], [1.0, 2.0, 6.0])
    >>> ridge.coef_.tolist(), ridge.intercept_, ridge.df_
    ([1.25], 3.0, 0.5)
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("alpha", number="number", lowest=0),
        Parameter("df", choices=(None,), number="number", lowest=0, is_above=True),
        Parameter("fit_intercept", choices=(True, False)),
        Parameter("penalize_intercept", choices=(True, False)),
    )
    _accepts_sparse = True
    _consequence = "alpha weighs more"

    # Set by fit.
    alpha_: float
    df_: float

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        df: float | None = None,
        fit_intercept: bool = True,
        penalize_intercept: bool = False,
    ) -> None:
        self.alpha = alpha
        self.df = df
        self.fit_intercept = fit_intercept
        self.penalize_intercept = penalize_intercept

    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None) -> Self:
        """Find the coefficients.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, an array or a sparse matrix, of numbers
        y
            one number per row; classes are refused
        sample_weight
            how many rows each row stands for: a weight of 3 is the same as the row three times
        """
        check_parameters(self, self._parameters)
        data = self._enter(X, y, sample_weight)
        self._remember(data, self._spectrum(data))
        return self

    def leave_one_out(
        self, X: TableLike, y: ArrayLike, alphas: ArrayLike | None = None, sample_weight: PerRow = None
    ) -> RidgeLeaveOneOut:
        """What each row is predicted to be by a fit to all other rows, for many penalties at once.

        It equals as many fits as there are rows, the intercept found anew by each. A row is left out with its
        whole weight. This learner's own alpha and df play no part, and it is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        alphas
            the penalties; None for 50, from almost no penalty to an almost constant prediction
        """
        spectrum, data = self._decomposed(X, y, sample_weight)
        chosen = searched_alphas(spectrum) if alphas is None else given_alphas(alphas)
        return leave_one_out(data, spectrum, chosen, self.fit_intercept, self.penalize_intercept)

    def coefficient_path(
        self, X: TableLike, y: ArrayLike, alphas: ArrayLike | None = None, sample_weight: PerRow = None
    ) -> CoefficientPath:
        """The coefficients for many penalties, with a picture; this learner is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        alphas
            the penalties; None for 60, from 0 on, in equal steps of degrees of freedom
        """
        spectrum, data = self._decomposed(X, y, sample_weight)
        chosen = drawn_alphas(spectrum) if alphas is None else given_alphas(alphas)
        return coefficient_path(spectrum, chosen, tuple(data.schema.names))

    def sweep(
        self, X: TableLike, y: ArrayLike, space: SettingsSpace, sample_weight: PerRow = None
    ) -> RidgeSweep:
        """Fit many settings from one decomposition; this learner is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        space
            parameters with lists of values, such as {"alpha": [0.1, 1.0]} or {"df": [2, 5]}; or a list of
            settings, each a dict
        """
        settings = settings_of(self, space)
        models = learner_copies(self, settings)
        check_copies(models, settings, self._parameters)
        for model, setting in zip(models, settings, strict=True):
            _refuse_unused_alpha(model, setting)
        leader = models[0]
        data = leader._enter(X, y, sample_weight)
        known = {name: value for name, value in vars(leader).items() if name in ENTERED}
        spectra: dict[tuple[bool, bool], RidgeSpectrum] = {}
        for model in models:
            key = model.fit_intercept, model.penalize_intercept
            if key not in spectra:
                spectra[key] = model._spectrum(data)
            vars(model).update(known)
            model._remember(data, spectra[key])
        return RidgeSweep(settings, models)

    def to_text(self, max_columns: int = 40) -> str:
        """The coefficients in the names of the columns, the penalty and the degrees of freedom.

        Parameters
        ----------
        max_columns
            of more columns those with the largest coefficients are shown
        """
        self._check_is_fitted()
        if not MAX_COLUMNS.allows(max_columns):
            raise refusal("to_text", MAX_COLUMNS, max_columns)
        largest = np.sort(np.argsort(-np.abs(self.coef_), kind="stable")[:max_columns]).tolist()
        names = [self.inputs_.names[index] for index in largest]
        values = [float(self.coef_[index]) for index in largest]
        if self.fit_intercept:
            names, values = [INTERCEPT, *names], [self.intercept_, *values]
        numbers = [coefficient_text(value) for value in values]
        width, digits = max(map(len, names), default=0), max(map(len, numbers), default=0)
        lines = [f"{name:<{width}}  {number:>{digits}}" for name, number in zip(names, numbers, strict=True)]
        n_others = self.n_features_in_ - len(largest)
        if n_others:
            lines.append(f"and {plural(n_others, 'more column')} of smaller coefficients")
        return "\n".join([*lines, f"alpha {self.alpha_:.4g}, {self.df_:.4g} effective degrees of freedom"])

    def _spectrum(self, data: LinearData) -> RidgeSpectrum:
        return ridge_spectrum(
            data.matrix, data.targets, data.weights, self.fit_intercept, self.penalize_intercept
        )

    def _decomposed(
        self, X: TableLike, y: ArrayLike, sample_weight: PerRow
    ) -> tuple[RidgeSpectrum, LinearData]:
        copy = clone(self)
        check_parameters(copy, self._parameters)
        data = copy._enter(X, y, sample_weight)
        return copy._spectrum(data), data

    def _remember(self, data: LinearData, spectrum: RidgeSpectrum) -> None:
        alpha = float(self.alpha) if self.df is None else spectrum.alpha_of(float(self.df))
        _warn_of_small_alpha(spectrum, alpha)
        self.inputs_, self.n_rows_ = data.schema, data.n_rows
        self.coef_, self.intercept_ = spectrum.solve(alpha)
        self.alpha_, self.df_ = alpha, spectrum.df(alpha)


def _warn_of_small_alpha(spectrum: RidgeSpectrum, alpha: float) -> None:
    if alpha == 0 and spectrum.rank < spectrum.n_columns:
        warn_user(
            f"alpha is 0 and only {spectrum.rank} of {spectrum.n_columns} columns are independent, so not all"
            " coefficients are determined; of all solutions that fit equally well the one of least norm is"
            " taken. LinearRegressor names the columns; a penalty settles the matter",
        )
    elif spectrum.is_rough(alpha):
        warn_user(
            f"alpha={alpha:.3g} is so small against X that fewer than half of the digits may be right: a"
            " sparse matrix of this size is solved by its products; give a larger alpha",
        )


def _refuse_unused_alpha(model: RidgeRegressor, setting: dict[str, Any]) -> None:
    if "alpha" in setting and model.df is not None:
        raise RequestError(
            "a setting has an alpha that df would replace",
            where=f"sweep: alpha={setting['alpha']!r} with df={model.df!r}",
            fix='sweep over one of them; of a learner that has df, {"alpha": [...], "df": [None]}',
        )


N_SEARCHED = 50
N_DRAWN = 60
MOST_FREE, LEAST_FREE = 0.99, 0.1


def given_alphas(alphas: ArrayLike) -> Floats:
    """The penalties that the user names: finite numbers of at least 0, in any order."""
    try:
        values = np.array(alphas, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refused(f"alphas={alphas!r:.60}") from error
    if values.ndim != 1 or not len(values):
        raise _refused(f"alphas has the shape {values.shape}")
    is_refused = ~(np.isfinite(values) & (values >= 0))
    if is_refused.any():
        first = int(is_refused.argmax())
        raise _refused(f"alphas[{first}] is {values[first]:g}")
    return values


def searched_alphas(spectrum: RidgeSpectrum) -> Floats:
    """Penalties from almost none to one that leaves almost nothing, each larger by the same factor."""
    if spectrum.rank == 0:
        return np.ones(1)
    ends = [MOST_FREE * spectrum.rank, min(LEAST_FREE, 0.1 * spectrum.rank)]
    lowest, highest = (spectrum.alpha_of(df) for df in ends)
    return np.geomspace(lowest, highest, N_SEARCHED)


def drawn_alphas(spectrum: RidgeSpectrum) -> Floats:
    """Penalties from 0 on, at which the effective degrees of freedom fall in equal steps."""
    if spectrum.rank == 0:
        return np.zeros(1)
    steps = spectrum.rank * np.arange(N_DRAWN, 0, -1) / N_DRAWN
    return np.array([spectrum.alpha_of(float(df)) for df in steps])


def _refused(where: str) -> RequestError:
    return RequestError(
        "alphas must be a list of finite numbers of at least 0",
        where=where,
        fix="write for instance alphas=[0.1, 1.0, 10.0]",
    )


class RidgeSweep(SeparateSweep):
    """Settings of ridge, each fitted; X is read once for all of them."""

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        first = self._models[0]
        matrix = numeric_rows(first, X, first.inputs_, accepts_sparse=True)
        # One product for all would round differently than `model(i).predict` does.
        return np.stack([model._predict_matrix(matrix) for model in self._models])
