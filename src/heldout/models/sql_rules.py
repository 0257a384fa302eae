"""A list of rules as one SELECT: a WHEN for each rule from the top, and ELSE for the default."""

from __future__ import annotations

from heldout.models.rule_answers import RuleAnswers
from heldout.models.sql_statement import (
    MOST_LETTERS,
    Numbered,
    added_names,
    checked_length,
    claim,
    numbered_rows,
    source_name,
)


def sql_rules(
    answers: RuleAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the rule, the answer, and the probability of each class.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    marker = f"{prefix}heldout_rule"
    added = added_names(answers.schema, answers.labels, prefix, marker)
    n_rules = len(answers.conditions)
    ends = Numbered(marker, range(n_rules + 1), answers.best, answers.numbers, answers.labels)
    statement = numbered_rows(_cases(answers), ends, source_name(table), added)
    where = f"{n_rules:,} rules, {len(added) - 1:,} probabilities"
    return checked_length(statement, max_length, where, "prune the rules with a smaller prune_confidence")


def _cases(answers: RuleAnswers) -> str:
    """The place of the first rule that a row meets; the default comes after the last."""
    default = len(answers.conditions)
    if not default:
        return f"{default}"
    cases = [
        f"      WHEN {claim(conditions)} THEN {place}" for place, conditions in enumerate(answers.conditions)
    ]
    return "\n".join(["CASE", *cases, f"      ELSE {default}", "    END"])
