"""A forest as plain Python source: a table of nodes for each tree, and the mean of their answers."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.learners.trees.first_largest import TIE
from heldout.models.forest_answers import ForestAnswers
from heldout.models.python_columns import column_lines, tables_source
from heldout.models.python_export import node_lines
from heldout.models.python_program import ANSWERING, HEAD, READING

_WALKING = '''
def _end(values, nodes):
    """The node of a tree in which the row ends."""
    node = 0
    while nodes[node] is not None:
        name, test, children, unknown = nodes[node]
        value = values[name]
        if value is None:
            below = unknown
        elif isinstance(test, dict):
            below = test.get(value, node)
        elif isinstance(test, set):
            below = children[0] if value in test else children[1]
        else:
            below = children[0] if value <= test else children[1]
        if below == node:
            break
        node = below
    return node


def _mean(row):
    """The answers of the trees, added up in their order and divided by their number."""
    values = {name: _known(name, row.get(name)) for name in COLUMNS}
    sums = [0.0] * N_OUTPUTS
    for nodes, answers in TREES:
        for place, part in enumerate(answers[_end(values, nodes)]):
            sums[place] += part
    return [total / len(TREES) for total in sums]

'''

_CLASSIFIER = '''
def _answer(row):
    """The position of the class, and the probabilities."""
    shares = _mean(row)
    probabilities = _probabilities(shares)
    if WEIGHTS is not None:
        shares = [share * weight for share, weight in zip(probabilities, WEIGHTS)]
    largest = max(shares)
    best = next(place for place, share in enumerate(shares) if share + TIE >= largest)
    return best, probabilities


def _probabilities(shares):
    """The shares with imaginary trees that know only PRIOR."""
    if not SMOOTHING:
        return shares
    votes = [share * len(TREES) + prior * SMOOTHING for share, prior in zip(shares, PRIOR)]
    return [vote / (len(TREES) + SMOOTHING) for vote in votes]

'''

_REGRESSOR = '''
def predict(row):
    """The mean over the trees of the means where the row ends."""
    return _mean(row)[0]
'''


def python_forest(answers: ForestAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", column_lines(answers.schema, answers.used), "}"),
        ("TREES", "[", _trees(answers), "]"),
    ]
    n_outputs = 1 if answers.labels is None else len(answers.labels)
    head = [HEAD.format(learner=answers.learner), f"N_OUTPUTS = {n_outputs}\n"]
    if answers.labels is None:
        return "\n".join([*head, *tables_source(tables), READING, _WALKING, _REGRESSOR])
    weights = None if answers.weights is None else list(answers.weights)
    head.append(
        f"CLASSES = {list(answers.labels)!r}\nTIE = {TIE!r}\nWEIGHTS = {weights!r}\n"
        f"PRIOR = {list(answers.shares or ())!r}\nSMOOTHING = {answers.smoothing!r}\n"
    )
    return "\n".join([*head, *tables_source(tables), READING, _WALKING, _CLASSIFIER, ANSWERING])


def _trees(answers: ForestAnswers) -> Iterator[str]:
    """Per tree: its nodes, and what each of them answers."""
    for tree in answers.trees():
        nodes = "".join(f"        {line},\n" for line in node_lines(tree))
        numbers = "".join(f"        {tuple(row)!r},\n" for row in answers.numbers(tree).tolist())
        yield f"([\n{nodes}    ], [\n{numbers}    ])"
