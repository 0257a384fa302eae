"""A list of rules in plain values: conditions, answers, and what each has wrong in training."""

from __future__ import annotations

from typing import Any

from heldout.learners.rules.rule import Rule
from heldout.report.models.model_text import FEW_LINES, shortened, wrapped
from heldout.table.describe import plural

MOST_RULES = 40
OPTIMISTIC = (
    "What a rule has wrong is counted on the rows that made it, which flatters it; the score of the contender"
    " is measured on rows that it had not seen."
)


def rule_view(rules: Any) -> dict[str, Any]:
    """What the page and the terminal show of fitted rules.

    >>> import heldout as ho
    >>> rules = ho.RuleClassifier().fit([[20.0], [25.0], [31.0], [40.0], [41.0]], list("yyooo"))
    >>> view = rule_view(rules)
    >>> view["takeaway"], view["rules"][-1]["conditions"]
    ('1 rule and a prediction for all other rows; it covers 3 rows and says o.', [])
    """
    text = "\n".join(_line(rule, rules) for rule in (*rules.rules_, rules.default_rule_))
    shown = [_plain_rule(rule) for rule in rules.rules_[:MOST_RULES]]
    return {
        "form": "rules",
        "n_rules": len(rules.rules_),
        "rules": [*shown, _plain_rule(rules.default_rule_)],
        "n_left_out": len(rules.rules_) - len(shown),
        "text": shortened(wrapped(text)),
        "short": shortened(wrapped(text), FEW_LINES),
        "takeaway": _takeaway(rules),
        "notes": [OPTIMISTIC],
    }


def _plain_rule(rule: Rule) -> dict[str, Any]:
    return {
        "conditions": [condition.words() for condition in rule.conditions],
        "answer": rule.answer_text,
        "n_rows": int(rule.n_rows),
        "wrong": rule.wrong_words,
        "decided_by": rule.decided_by,
    }


def _line(rule: Rule, rules: Any) -> str:
    """A rule as a terminal shows it."""
    if rule is rules.default_rule_:
        wanted = "Otherwise" if rules.rules_ else "Always"
    else:
        wanted = f"If {', and '.join(condition.words() for condition in rule.conditions)}"
    evidence = plural(rule.n_rows, "row") if rule.n_rows else "no training rows"
    wrong = f", {rule.wrong_words}" if rule.wrong_words else ""
    decided_by = f"; {rule.decided_by}" if rule.decided_by else ""
    return f"{wanted}: {rule.answer_text} ({evidence}{wrong}{decided_by})"


def _takeaway(rules: Any) -> str:
    if not rules.rules_:
        return f"No rule was found that helps: the prediction is always {rules.default_rule_.answer_text}."
    first, n_rules = rules.rules_[0], len(rules.rules_)
    begin = f"{plural(n_rules, 'rule')} and a prediction for all other rows"
    subject = "it covers" if n_rules == 1 else "read from the top, the first covers"
    return f"{begin}; {subject} {plural(first.n_rows, 'row')} and says {first.answer_text}."
