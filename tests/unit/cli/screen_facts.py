"""Facts of a run as `run_facts` gives them, made by hand: what a screen shows needs no study."""

from __future__ import annotations

from typing import Any

TREE_TEXT = "calls <= 2.5: no (63/8)\ncalls > 2.5\n|   months <= 26: yes (75/14)\n|   months > 26: no (33/7)"


def standing(name: str, estimate: float | None, width: float = 0.05, **more: Any) -> dict[str, Any]:
    """How a contender stands, with an interval of this width on both sides."""
    ends: dict[str, Any] = {"estimate": estimate, "low": None, "high": None, "confidence": 0.95}
    if estimate is not None:
        ends |= {"low": estimate - width, "high": estimate + width}
    found = {"name": name, "estimate": ends, "bits": 120.0, "seconds": 1.5, "is_baseline": False}
    return found | {"is_complete": estimate is not None, "problem": "", "bits_are_foreign": False} | more


def tree_model(contender: str = "tree", role: str = "winner", text: str = TREE_TEXT) -> dict[str, Any]:
    """A tree as a study file tells of it."""
    return {
        "contender": contender,
        "role": role,
        "form": "tree",
        "text": text,
        "short": text,
        "takeaway": "A tree of 3 leaves on 2 levels.",
        "heading": "Best readable alternative, tree.",
    }


def column(name: str, kind: str = "number", role: str = "input", n_missing: int = 0) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "role": role,
        "n_missing": n_missing,
        "n_levels": None,
        "why": "as asked",
    }


def made_columns() -> list[dict[str, Any]]:
    """Two inputs and the target."""
    return [
        column("calls", n_missing=26),
        column("city", "category"),
        column("churned", role="target"),
    ]


WHY = "forest scores best, but tree is simpler."


def made_facts(**changed: Any) -> dict[str, Any]:
    """A run that a tree wins; each part can be changed by its name."""
    standings = [
        standing("tree", 0.80),
        standing("forest", 0.82, bits=42_000.0),
        standing("baseline", 0.52, is_baseline=True, bits=4.0),
    ]
    facts: dict[str, Any] = {
        "study": "/studies/churn.heldout",
        "report": "/studies/churn.html",
        "table": {
            "path": "/studies/churn.csv",
            "n_rows": 240,
            "n_columns": 3,
            "digest": "ab",
            "columns": made_columns(),
            "notes": [],
        },
        "task": {
            "target": "churned",
            "kind": "classification",
            "positive": "yes",
            "groups": None,
            "time": None,
            "classes": [{"class": "no", "n_open": 100}, {"class": "yes", "n_open": 92}],
        },
        "seal": {"n_open": 192, "n_held": 48, "how": "stratified by class", "state": "closed", "notes": []},
        "result": {
            "metric": "accuracy",
            "rigor": "standard",
            "folds": {"split": "KFold", "k": 10, "repeats": 3},
            "tuning": {"split": "KFold", "k": 5},
            "standings": standings,
        },
        "dealt": {"folds": 10, "repeats": 3},
        "verdict": {
            "winner": "tree",
            "is_baseline": False,
            "is_larger_better": True,
            "sentence": "tree wins: accuracy 0.790, 95% interval 0.690 to 0.870, corrected for the choice.",
            "details": [WHY, "The rule: the simplest."],
            "short_details": [WHY],
        },
        "model": [tree_model()],
        "next": [{"command": "heldout unseal churn.heldout", "why": "the final score, once"}],
        "settings": {},
    }
    return facts | changed
