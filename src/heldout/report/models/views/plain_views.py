"""Models with little to draw, in plain values: neighbors, baselines, and learners that are not ours."""

from __future__ import annotations

from typing import Any

from heldout.learners.trees.tree_text import shown_level
from heldout.report.models.model_text import FEW_LINES, shortened, wrapped
from heldout.stats.shown_number import shown_share
from heldout.table.describe import plural

_BLIND = "It looks at nothing and always says"


def rows_view(model: Any, n_rows: int) -> dict[str, Any]:
    """Of neighbors: how many are asked, and by which distance; never a row.

    n_rows: how many rows the model keeps

    >>> import heldout as ho
    >>> model = ho.NeighborsClassifier(k=3).fit([[0.0], [1.0], [2.0], [9.0]], list("aabb"))
    >>> rows_view(model, 4)["takeaway"]
    'It keeps the 4 rows and asks the 3 nearest, so there is no model to draw.'
    """
    k, weights = model.k, model.weights if isinstance(model.weights, str) else "a function"
    nearest = (
        f"the {k} nearest"
        if isinstance(k, int) and k > 1
        else "the nearest"
        if k == 1
        else "the nearest ones"
    )
    how = {"uniform": "which all count alike"}.get(weights, f"which count by {weights} weights")
    text = wrapped(f"the answer of {nearest} of {plural(n_rows, 'row')} by {model.metric_} distance, {how}")
    return {
        "form": "rows",
        "k": k,
        "distance": str(model.metric_),
        "weighting": str(weights),
        "text": text,
        "short": text,
        "takeaway": f"It keeps the {plural(n_rows, 'row')} and asks {nearest}, so there is no model to draw.",
        "notes": ["The rows stay with the user: none of them is in the study file."],
    }


def class_view(model: Any) -> dict[str, Any]:
    """Of a BaselineClassifier: its one answer, and the shares of the classes.

    >>> import heldout as ho
    >>> model = ho.BaselineClassifier().fit([[1], [2], [3]], ["yes", "no", "yes"])
    >>> class_view(model)["takeaway"]
    'It looks at nothing and always says yes, the class of 67% of the rows.'
    """
    labels = [shown_level(str(label)) for label in model.classes_.tolist()]
    shares = [float(share) for share in model.class_prior_]
    place = model._answer
    text = shortened(wrapped(model.to_text()), FEW_LINES)
    return {
        "form": "class",
        "answer": labels[place],
        "shares": [{"class": label, "share": share} for label, share in zip(labels, shares, strict=True)],
        "text": text,
        "short": text,
        "takeaway": f"{_BLIND} {labels[place]}, the class of {shown_share(shares[place])} of the rows.",
        "notes": [],
    }


def constant_view(model: Any) -> dict[str, Any]:
    """Of a BaselineRegressor: its one answer.

    >>> import heldout as ho
    >>> constant_view(ho.BaselineRegressor().fit([[1], [2]], [1.0, 2.0]))["takeaway"]
    'It looks at nothing and always says 1.5, the mean of the rows.'
    """
    text = model.to_text()
    return {
        "form": "constant",
        "answer": float(model.constant_),
        "strategy": str(model.strategy),
        "text": text,
        "short": text,
        "takeaway": f"{_BLIND} {model.constant_:.6g}, the {model.strategy} of the rows.",
        "notes": [],
    }


def no_view(model: Any) -> dict[str, Any]:
    """Of a learner that is not ours: that nothing is known of its inside.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> no_view(GaussianNB())["takeaway"]
    'GaussianNB is no learner of Heldout: what it has learned is not shown.'
    """
    takeaway = f"{type(model).__name__} is no learner of Heldout: what it has learned is not shown."
    return {"form": "none", "text": "", "short": "", "takeaway": takeaway, "notes": []}
