"""The error for what is no learner and no transformer of Heldout, with the one that does the same."""

from __future__ import annotations

from typing import Any

from heldout.errors import KindError
from heldout.models.learner_registry import RECORDS

# What users of scikit-learn have in their pipelines, and what does it here.
_OURS = {
    "StandardScaler": "ho.Scale()",
    "MaxAbsScaler": 'ho.Scale(center=False, by="max")',
    "Normalizer": "ho.UnitLength()",
    "KBinsDiscretizer": "ho.Discretize()",
    "SimpleImputer": "ho.FillMissing()",
    "OneHotEncoder": "ho.OneHot()",
    "OrdinalEncoder": "ho.Ordinal()",
    "VarianceThreshold": "ho.PruneLowVariance()",
    "CountVectorizer": "ho.BagOfWords()",
    "ColumnTransformer": "the parameter columns of each transformer of Heldout",
    "DecisionTreeClassifier": "ho.TreeClassifier.cart()",
    "DecisionTreeRegressor": "ho.TreeRegressor()",
    "RandomForestClassifier": "ho.ForestClassifier()",
    "RandomForestRegressor": "ho.ForestRegressor()",
    "KNeighborsClassifier": "ho.NeighborsClassifier()",
    "KNeighborsRegressor": "ho.NeighborsRegressor()",
    "LinearRegression": "ho.LinearRegressor()",
    "Ridge": "ho.RidgeRegressor()",
    "DummyClassifier": "ho.BaselineClassifier()",
    "DummyRegressor": "ho.BaselineRegressor()",
}


def cannot_be_saved(model: Any) -> KindError:
    """The error for an object that `ho.save` cannot write.

    >>> from sklearn.preprocessing import StandardScaler
    >>> cannot_be_saved(StandardScaler()).fix
    'use ho.Scale(), which a model file can hold'
    """
    name = type(model).__name__
    is_foreign = type(model).__module__.partition(".")[0] == "sklearn"
    if is_foreign and name in _OURS:
        fix = f"use {_OURS[name]}, which a model file can hold"
    else:
        fix = f"hand over a fitted {', '.join(RECORDS)}, or a Pipeline of these"
    return KindError(f"a {name} cannot be saved", where="ho.save", fix=fix)
