"""A tree as one SELECT: SQLite, DuckDB and PostgreSQL answer as the tree does.

One flat WHEN for each way through the tree, no nesting: SQLite's parser overflows at 24 nested CASEs. All
that a way asks of one column is merged into one condition. Where the tree splits a row with an unknown
value among its branches, each probability is a sum over the ways of products of shares.
"""

from __future__ import annotations

from collections import Counter

from heldout.errors import RequestError
from heldout.learners.rules.path_conditions import Way, ways_through
from heldout.learners.trees.first_largest import TIE
from heldout.models.sql_conditions import is_met, met_share, unknown_share
from heldout.models.sql_literals import identifier, joined, label_literal, number_literal
from heldout.models.tree_answers import TreeAnswers

MOST_LETTERS = 1_000_000


def sql_export(
    answers: TreeAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the answer, and the probability of each class.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    ways = list(ways_through(answers.structure, answers.schema))
    added = _added_names(answers, prefix)
    source = ".".join(map(identifier, (table,) if isinstance(table, str) else table))
    if any(0 < unknown_share(condition) < 1 for way in ways for condition in way.conditions):
        statement = _split_rows(answers, ways, source, added)
    else:
        statement = _whole_rows(answers, ways, source, added, prefix)
    if len(statement) > max_length:
        raise RequestError(
            f"the SQL would have {len(statement):,} letters, and {max_length:,} are allowed",
            where=f"{len(ways):,} ways through the tree, {len(added) - 1:,} probabilities",
            fix='export to "python" or "json", prune the tree, or allow more with max_length=',
        )
    return statement


def _added_names(answers: TreeAnswers, prefix: str) -> list[str]:
    """The answer's name, then that of each class's probability; no two alike, nor like a column's."""
    names = [f"{prefix}prediction"]
    taken = {names[0].casefold()}
    for label in answers.labels or ():
        name = wanted = f"{prefix}probability_{label}"
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted}_{count}"
        taken.add(name.casefold())
        names.append(name)
    _refuse_clashes(answers, {*taken, f"{prefix}heldout_node".casefold()})
    return names


def _refuse_clashes(answers: TreeAnswers, taken: set[str]) -> None:
    columns = [column.name.casefold() for column in answers.schema.columns]
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if twice:
        alike = [c.name for c in answers.schema.columns if c.name.casefold() == twice[0]]
        raise RequestError(
            "two columns differ only in capital letters, which SQL does not tell apart",
            where=" and ".join(map(repr, alike[:2])),
            fix='rename one and fit again, or export to "python"',
        )
    clashes = [column.name for column in answers.schema.columns if column.name.casefold() in taken]
    if clashes:
        raise RequestError(
            "a column of the table has the name of a column that the SQL adds",
            where=f"{clashes[0]!r}",
            fix='give a prefix for the names that are added, such as prefix="tree_"',
        )


def _whole_rows(answers: TreeAnswers, ways: list[Way], source: str, added: list[str], prefix: str) -> str:
    """Each row ends in one node, whose number is found first."""
    node = identifier(f"{prefix}heldout_node")
    cases = "\n".join(f"      WHEN {_claim(way)} THEN {way.node}" for way in ways)
    nodes = sorted({way.node for way in ways})
    if answers.labels is None:
        outputs = [_number_of_node(answers, nodes, node, 0)]
    else:
        outputs = [_label_of_node(answers, nodes, node)]
        outputs += [_number_of_node(answers, nodes, node, place) for place in range(len(answers.labels))]
    return (
        f'WITH "heldout_reached" AS (\n  SELECT t.*,\n    CASE\n{cases}\n    END AS {node}\n'
        f"  FROM {source} AS t\n)\n"
        f'SELECT r.*,\n{_listed(outputs, added)}\nFROM "heldout_reached" AS r'
    )


def _split_rows(answers: TreeAnswers, ways: list[Way], source: str, added: list[str]) -> str:
    """A row may end in several nodes, each with a share of it."""
    shares = [_share(way) for way in ways]
    n_sums = len(answers.labels or (0,))
    sums = [_sum(answers, ways, shares, place) for place in range(n_sums)]
    if answers.labels is None:
        return f"SELECT t.*,\n{_listed(sums, added)}\nFROM {source} AS t"
    answer = _listed([_first_largest(answers, added[1:])], added[:1])
    return (
        f'WITH "heldout_reached" AS MATERIALIZED (\n  SELECT t.*,\n{_listed(sums, added[1:])}\n'
        f"  FROM {source} AS t\n)\n"
        f'SELECT r.*,\n{answer}\nFROM "heldout_reached" AS r'
    )


def _listed(outputs: list[str], names: list[str]) -> str:
    pairs = zip(outputs, names, strict=True)
    return ",\n".join(f"  {output} AS {identifier(name)}" for output, name in pairs)


def _claim(way: Way) -> str:
    claims = [claim for condition in way.conditions if (claim := is_met(condition)) is not None]
    return joined(claims, "AND") if claims else "1 = 1"


def _label_of_node(answers: TreeAnswers, nodes: list[int], node: str) -> str:
    assert answers.labels is not None
    cases = []
    for place, label in enumerate(answers.labels):
        places = ", ".join(str(number) for number in nodes if answers.best[number] == place)
        if places:
            cases.append(f"WHEN r.{node} IN ({places}) THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


def _number_of_node(answers: TreeAnswers, nodes: list[int], node: str, place: int) -> str:
    """The probability of a class or the mean; nodes without the class are left to ELSE."""
    numbers = {number: float(answers.numbers[number, place]) for number in nodes}
    cases = [f"WHEN {number} THEN {number_literal(value)}" for number, value in numbers.items() if value != 0]
    return f"CASE r.{node} {' '.join(cases)} ELSE 0e0 END" if cases else "0e0"


def _share(way: Way) -> tuple[str | None, list[str]]:
    """What a row must meet as a whole, and the factors that may be a part of it."""
    is_whole = [unknown_share(condition) in (0, 1) for condition in way.conditions]
    pairs = list(zip(way.conditions, is_whole, strict=True))
    claims = [claim for c, whole in pairs if whole and (claim := is_met(c)) is not None]
    factors = [met_share(condition) for condition, whole in pairs if not whole]
    return joined(claims, "AND") or None, factors


def _sum(
    answers: TreeAnswers, ways: list[Way], shares: list[tuple[str | None, list[str]]], place: int
) -> str:
    terms = []
    for way, (claim, factors) in zip(ways, shares, strict=True):
        number = float(answers.numbers[way.node, place])
        if number == 0:
            continue
        product = joined([*factors, number_literal(number)], "*")
        terms.append(f"({product})" if claim is None else f"CASE WHEN {claim} THEN {product} ELSE 0e0 END")
    return joined(terms, "+") if terms else "0e0"


def _first_largest(answers: TreeAnswers, names: list[str]) -> str:
    """The first class that no other exceeds by more than rounding."""
    assert answers.labels is not None
    cases = []
    for place, label in enumerate(answers.labels):
        mine = f"r.{identifier(names[place])} + {number_literal(TIE)}"
        claims = [f"{mine} >= r.{identifier(name)}" for k, name in enumerate(names) if k != place]
        cases.append(f"WHEN {joined(claims, 'AND') or '1 = 1'} THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"
