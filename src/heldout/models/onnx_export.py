"""A tree as ONNX: a TreeEnsemble in float64 finds the node, two look-ups give its answer.

The ensemble's one tree answers the number of the node, which a float64 holds exactly; class and
probabilities are then read from tables, so they are ours to the last bit. Every test is `value <= number`,
the one that each runtime has; levels are tested by their position.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn
from heldout.models.onnx_tests import OnnxTests, onnx_tests
from heldout.models.plain_values import is_made_of_dates, meant_levels
from heldout.models.tree_answers import TreeAnswers

# The oldest versions that have what is used.
OPSET, OPSET_ML, IR_VERSION = 18, 5, 10
# Runtimes build a tree by recursion; ONNX Runtime falls over between 5,000 and 20,000 levels.
MOST_LEVELS = 1_000
# What runtimes say failed where a row would be split.
STOP = "unknown_value_would_split_the_row"


def onnx_export(answers: TreeAnswers, missing: str | None = None) -> bytes:
    """The tree as the bytes of an ONNX model.

    missing: None, or "refuse" to stop with an error where the tree would split a row
    """
    _check_missing(answers, missing)
    onnx = _onnx()
    tests = onnx_tests(answers)
    if tests.depth > MOST_LEVELS:
        raise RequestError(
            f"ONNX runtimes cannot be trusted with trees deeper than {MOST_LEVELS:,} tests",
            where=f"this one has {tests.depth:,}, counting those that find a level",
            fix='export to "python", "json" or "sql", or prune the tree',
        )
    graph = _Graph(onnx, answers)
    graph.take_inputs()
    graph.find_nodes(tests)
    if answers.splits_rows:
        graph.stop_at_split_rows()
    graph.look_up_answers()
    return graph.model_bytes()


def _check_missing(answers: TreeAnswers, missing: str | None) -> None:
    if missing not in (None, "refuse"):
        raise RequestError(
            'missing must be None or "refuse"',
            where=f"export(..., missing={missing!r})",
            fix="use one of these",
        )
    if answers.splits_rows and missing is None:
        raise RequestError(
            "ONNX has no tree that splits a row with an unknown value among its branches",
            where=f"a {answers.learner} with missing='fractional', {len(answers.used)} columns in its splits",
            fix='export to "python", "json" or "sql"; or, for rows without unknown values, export with'
            ' missing="refuse": the model then stops with an error where it would have to split a row',
        )


def _onnx() -> Any:
    try:
        import onnx  # takes 0.3 s
    except ImportError as error:
        raise RequestError(
            "the package onnx is not installed",
            where='export(..., "onnx")',
            fix="pip install 'heldout[onnx]'",
        ) from error
    return onnx


@dataclass
class _Graph:
    """An ONNX graph under construction."""

    onnx: Any
    answers: TreeAnswers

    def __post_init__(self) -> None:
        self.nodes: list[Any] = []
        self.tables: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.taken: set[str] = set()

    def free_name(self, wanted: str) -> str:
        """The name, with bars behind it until no other value of the graph has it."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted

    def add(self, operator: str, inputs: list[str], wanted: str, **attributes: Any) -> str:
        output = self.free_name(wanted)
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, [output], **attributes))
        return output

    def table(self, wanted: str, values: NDArray[Any]) -> str:
        name = self.free_name(wanted)
        self.tables.append(self.onnx.numpy_helper.from_array(values, name))
        return name

    def take_inputs(self) -> None:
        """One input for an array of numbers, else one for each column, put side by side."""
        columns, types = self.answers.schema.columns, self.onnx.TensorProto
        info = self.onnx.helper.make_tensor_value_info
        if not self.answers.is_named and not self.answers.schema.word_positions:
            self.features = self.free_name("X")
            self.inputs = [info(self.features, types.DOUBLE, ["n_rows", len(columns)])]
            return
        for column in columns:
            _refuse_unwritable(column.name, "column name")
            self.taken.add(column.name)
            kind = types.STRING if _is_word(column) else types.DOUBLE
            self.inputs.append(info(column.name, kind, ["n_rows", 1]))
        parts = [self._positions(column) if _is_word(column) else column.name for column in columns]
        self.features = self.add("Concat", parts, "features", axis=1)

    def _positions(self, column: InputColumn) -> str:
        """The position of a word among the levels as a number; -1 for all others."""
        words = _positions_of_words(column)
        for word in words:
            _refuse_unwritable(word, f"level of column '{column.name}'")
        found = self.add(
            "LabelEncoder",
            [column.name],
            f"{column.name} position",
            domain="ai.onnx.ml",
            keys_strings=list(words) or [""],
            values_int64s=list(words.values()) or [-1],
            default_int64=-1,
        )
        return self.add("Cast", [found], f"{column.name} number", to=self.onnx.TensorProto.DOUBLE)

    def find_nodes(self, tests: OnnxTests) -> None:
        """The tree, which answers the number of the node in which a row ends."""
        tensor = self.onnx.numpy_helper.from_array
        n_tests = len(tests.features)
        number = self.add(
            "TreeEnsemble",
            [self.features],
            "node number",
            domain="ai.onnx.ml",
            n_targets=1,
            aggregate_function=1,
            post_transform=0,
            tree_roots=[0],
            nodes_modes=tensor(np.zeros(n_tests, dtype=np.uint8), "modes"),
            nodes_featureids=tests.features,
            nodes_splits=tensor(np.array(tests.limits, dtype=np.float64), "limits"),
            nodes_truenodeids=tests.if_true,
            nodes_trueleafs=tests.true_is_leaf,
            nodes_falsenodeids=tests.if_false,
            nodes_falseleafs=tests.false_is_leaf,
            nodes_missing_value_tracks_true=tests.unknown_is_true,
            leaf_targetids=[0] * len(tests.leaves),
            leaf_weights=tensor(np.array(tests.leaves, dtype=np.float64), "leaves"),
        )
        whole = self.add("Cast", [number], "node", to=self.onnx.TensorProto.INT64)
        axis = self.table("one", np.array([1], dtype=np.int64))
        self.reached = self.add("Squeeze", [whole, axis], "node of row")

    def stop_at_split_rows(self) -> None:
        """A look-up that changes no number and fails where a row would be split; errors name it."""
        known = self.table("nodes", np.arange(self.answers.structure.n_nodes))
        self.reached = self.add("Gather", [known, self.reached], "known node", name=STOP, axis=0)

    def look_up_answers(self) -> None:
        """The row of the tables that belongs to the node."""
        types, info = self.onnx.TensorProto, self.onnx.helper.make_tensor_value_info
        answers = self.answers
        if answers.labels is None:
            means = self.table("means", np.ascontiguousarray(answers.numbers[:, 0]))
            output = self.add("Gather", [means, self.reached], "prediction", axis=0)
            self.outputs = [info(output, types.DOUBLE, ["n_rows"])]
            return
        labels, kind = _label_table(answers, types)
        label = self.add("Gather", [self.table("labels", labels), self.reached], "label", axis=0)
        shares = self.table("shares", np.ascontiguousarray(answers.numbers))
        probabilities = self.add("Gather", [shares, self.reached], "probabilities", axis=0)
        self.outputs = [
            info(label, kind, ["n_rows"]),
            info(probabilities, types.DOUBLE, ["n_rows", len(answers.labels)]),
        ]

    def model_bytes(self) -> bytes:
        helper = self.onnx.helper
        graph = helper.make_graph(self.nodes, "heldout", self.inputs, self.outputs, self.tables)
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", OPSET_ML)]
        model = helper.make_model(
            graph, opset_imports=versions, ir_version=IR_VERSION, producer_name="heldout"
        )
        columns = [_described(column) for column in self.answers.schema.columns]
        described = {"heldout.learner": self.answers.learner, "heldout.columns": json.dumps(columns)}
        if self.answers.labels is not None:
            described["heldout.classes"] = json.dumps(list(self.answers.labels))
        helper.set_model_props(model, described)
        self.onnx.checker.check_model(model)
        return bytes(model.SerializeToString(deterministic=True))


def _is_word(column: InputColumn) -> bool:
    return column.is_category and column.level_values is None


def _positions_of_words(column: InputColumn) -> dict[str, int]:
    positions = {level: code for code, level in enumerate(column.levels)}
    if column.kind != "boolean":
        return positions
    spelled = {spelling: code for word, code in meant_levels(column).items() for spelling in _spellings(word)}
    return spelled | positions


def _spellings(word: str) -> list[str]:
    """A word in every mixture of small and capital letters."""
    spellings = [""]
    for letter in word:
        letters = {letter, letter.upper()}
        spellings = [begun + next_letter for begun in spellings for next_letter in sorted(letters)]
    return spellings


def _label_table(answers: TreeAnswers, types: Any) -> tuple[NDArray[Any], Any]:
    """The class of each node: text as text, everything else as whole numbers."""
    assert answers.labels is not None
    labels = [answers.labels[place] for place in answers.best]
    if all(isinstance(label, str) for label in answers.labels):
        for label in answers.labels:
            _refuse_unwritable(str(label), "class")
        return np.array(labels, dtype=object), types.STRING
    is_whole = all(
        not isinstance(label, str) and float(label).is_integer() and -(2**63) <= label < 2**63
        for label in answers.labels
    )
    if not is_whole:
        raise RequestError(
            "classes in ONNX are text or whole numbers of 64 bits",
            where=f"the classes are {', '.join(map(repr, answers.labels[:6]))}",
            fix='fit on the classes as strings, or export to "python" or "json"',
        )
    return np.array([int(label) for label in labels], dtype=np.int64), types.INT64


def _described(column: InputColumn) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if _is_word(column):
        described["levels"] = list(column.levels)
    if column.level_values is not None:
        described["level_values"] = column.level_values.tolist()
    if column.kind == "date" or is_made_of_dates(column):
        described["unit"] = "days since 1970-01-01"
    return described


def _refuse_unwritable(text: str, what: str) -> None:
    is_encodable = not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)
    if "\0" in text or not is_encodable or (not text and what == "column name"):
        raise RequestError(
            f"a {what} cannot be written in ONNX",
            where=f"{text!r:.60}",
            fix='rename it and fit again, or export to "python" or "json"',
        )
