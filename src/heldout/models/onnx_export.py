"""A tree as ONNX: a TreeEnsemble in float64 finds the node, two look-ups give its prediction.

The ensemble's one tree gives the number of the node, which a float64 holds exactly; class and
probabilities are then read from tables, so they are ours to the last bit. Every test is `value <= limit`,
the one that each runtime has; levels are tested by their position. A split divides the values of its
column into ranges that go the same way; a range is found by halving, so a thousand levels cost ten tests.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.column_values import is_made_of_dates, meant_levels
from heldout.models.exported_models import ExportedTree

# The oldest versions that have what is used.
OPSET, OPSET_ML, IR_VERSION = 18, 5, 10
# Runtimes build a tree by recursion; ONNX Runtime falls over between 5,000 and 20,000 levels.
MOST_LEVELS = 1_000
# What runtimes say failed where a row would be split.
STOP = "missing_value_would_split_the_row"


def onnx_export(tree: ExportedTree, missing: str | None = None) -> bytes:
    """The tree as the bytes of an ONNX model.

    With missing="refuse" the model stops with an error where the tree would split a row.
    """
    _check_missing(tree, missing)
    onnx = _onnx()
    tests = onnx_tests(tree)
    if tests.depth > MOST_LEVELS:
        raise RequestError(
            f"ONNX runtimes cannot be trusted with trees deeper than {MOST_LEVELS:,} tests",
            where=f"this one has {tests.depth:,}, counting those that find a level",
            fix='export to "python", "json" or "sql", or prune the tree',
        )
    graph = _Graph(onnx, tree)
    graph.take_inputs()
    graph.find_nodes(tests)
    if tree.splits_rows:
        graph.stop_at_split_rows()
    graph.look_up_predictions()
    return graph.model_bytes()


def _check_missing(tree: ExportedTree, missing: str | None) -> None:
    if missing not in (None, "refuse"):
        raise RequestError(
            'missing must be None or "refuse"',
            where=f"export(..., missing={missing!r})",
            fix="use one of these",
        )
    if tree.splits_rows and missing is None:
        raise RequestError(
            "ONNX has no tree that splits a row with a missing value among its branches",
            where=f"a {tree.learner} with missing='fractional', {len(tree.used)} columns in its splits",
            fix='export to "python", "json" or "sql"; or, for rows without missing values, export with'
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
    tree: ExportedTree

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
        columns, types = self.tree.schema.columns, self.onnx.TensorProto
        info = self.onnx.helper.make_tensor_value_info
        if not self.tree.is_named and not self.tree.schema.word_positions:
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
        position = self.add(
            "LabelEncoder",
            [column.name],
            f"{column.name} position",
            domain="ai.onnx.ml",
            keys_strings=list(words) or [""],
            values_int64s=list(words.values()) or [-1],
            default_int64=-1,
        )
        return self.add("Cast", [position], f"{column.name} number", to=self.onnx.TensorProto.DOUBLE)

    def find_nodes(self, tests: OnnxTests) -> None:
        """The tree, which gives the number of the node in which a row ends."""
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
            nodes_missing_value_tracks_true=tests.missing_is_true,
            leaf_targetids=[0] * len(tests.leaves),
            leaf_weights=tensor(np.array(tests.leaves, dtype=np.float64), "leaves"),
        )
        whole = self.add("Cast", [number], "node", to=self.onnx.TensorProto.INT64)
        axis = self.table("one", np.array([1], dtype=np.int64))
        self.reached = self.add("Squeeze", [whole, axis], "node of row")

    def stop_at_split_rows(self) -> None:
        """A look-up that changes no number and fails where a row would be split; errors name it."""
        known = self.table("nodes", np.arange(self.tree.structure.n_nodes))
        self.reached = self.add("Gather", [known, self.reached], "known node", name=STOP, axis=0)

    def look_up_predictions(self) -> None:
        """The row of the tables that belongs to the node."""
        types, info = self.onnx.TensorProto, self.onnx.helper.make_tensor_value_info
        tree = self.tree
        if tree.labels is None:
            means = self.table("means", np.ascontiguousarray(tree.outputs[:, 0]))
            output = self.add("Gather", [means, self.reached], "prediction", axis=0)
            self.outputs = [info(output, types.DOUBLE, ["n_rows"])]
            return
        labels, kind = _label_table(tree, types)
        label = self.add("Gather", [self.table("labels", labels), self.reached], "label", axis=0)
        shares = self.table("shares", np.ascontiguousarray(tree.outputs))
        probabilities = self.add("Gather", [shares, self.reached], "probabilities", axis=0)
        self.outputs = [
            info(label, kind, ["n_rows"]),
            info(probabilities, types.DOUBLE, ["n_rows", len(tree.labels)]),
        ]

    def model_bytes(self) -> bytes:
        helper = self.onnx.helper
        graph = helper.make_graph(self.nodes, "heldout", self.inputs, self.outputs, self.tables)
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", OPSET_ML)]
        model = helper.make_model(
            graph, opset_imports=versions, ir_version=IR_VERSION, producer_name="heldout"
        )
        columns = [_described(column) for column in self.tree.schema.columns]
        described = {"heldout.learner": self.tree.learner, "heldout.columns": json.dumps(columns)}
        if self.tree.labels is not None:
            described["heldout.classes"] = json.dumps(list(self.tree.labels))
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


def _label_table(tree: ExportedTree, types: Any) -> tuple[NDArray[Any], Any]:
    """The class of each node: text as text, everything else as whole numbers."""
    assert tree.labels is not None
    labels = [tree.labels[position] for position in tree.best]
    if all(isinstance(label, str) for label in tree.labels):
        for label in tree.labels:
            _refuse_unwritable(str(label), "class")
        return np.array(labels, dtype=object), types.STRING
    is_whole = all(
        not isinstance(label, str) and float(label).is_integer() and -(2**63) <= label < 2**63
        for label in tree.labels
    )
    if not is_whole:
        raise RequestError(
            "classes in ONNX are text or whole numbers of 64 bits",
            where=f"the classes are {', '.join(map(repr, tree.labels[:6]))}",
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


NOWHERE = -1


@dataclass
class OnnxTests:
    """The tests of one tree in the form of TreeEnsemble; `leaves` holds the number of each end.

    An entry of `if_true` or `if_false` is the index of a test, or of a leaf where the list beside says so.
    """

    features: list[int] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    missing_is_true: list[int] = field(default_factory=list)
    if_true: list[int] = field(default_factory=list)
    true_is_leaf: list[int] = field(default_factory=list)
    if_false: list[int] = field(default_factory=list)
    false_is_leaf: list[int] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    depth: int = 0


@dataclass(frozen=True)
class _Ranges:
    """Where the values of one split go."""

    limits: list[float]  # ascending; a value up to limits[k], and above the one before, goes to targets[k]
    targets: list[int]  # nodes, one more than limits; the last for what is above all limits
    missing: int  # where NaN goes


@dataclass(frozen=True)
class _Part:
    """Some neighbouring ranges of a split, and the test whose branch they become."""

    ranges: _Ranges
    feature: int
    node: int
    begin: int
    end: int
    above: int
    is_true: bool
    depth: int


def onnx_tests(tree: ExportedTree) -> OnnxTests:
    """All tests, the root's first; a tree of one leaf gets a test whose branches agree."""
    tests = OnnxTests()
    waiting = [_whole(tree, 0, NOWHERE, True, 1)]
    while waiting:
        part = waiting.pop()
        if part.begin == part.end:
            target = part.ranges.targets[part.begin]
            is_end = target == part.node or target >= tree.structure.n_nodes or tree.is_leaf(target)
            if is_end:
                _add_leaf(tests, target, part)
            else:
                waiting.append(_whole(tree, target, part.above, part.is_true, part.depth))
            continue
        middle = (part.begin + part.end - 1) // 2
        index = _add_test(tests, part, middle)
        for begin, end, is_true in ((part.begin, middle, True), (middle + 1, part.end, False)):
            waiting.append(
                _Part(part.ranges, part.feature, part.node, begin, end, index, is_true, part.depth + 1)
            )
    return tests


def _whole(tree: ExportedTree, node: int, above: int, is_true: bool, depth: int) -> _Part:
    """All ranges of a node's split."""
    if tree.is_leaf(node):
        ranges, feature = _Ranges([0.0], [node, node], node), 0
    else:
        ranges, feature = _ranges(tree, node), int(tree.structure.grown.feature[node])
    return _Part(ranges, feature, node, 0, len(ranges.limits), above, is_true, depth)


def _ranges(tree: ExportedTree, node: int) -> _Ranges:
    column, grown = tree.column(node), tree.structure.grown
    missing = tree.missing_child(node)
    if missing is None:
        missing = tree.structure.n_nodes  # past the end of the tables: an error
    if int(grown.split_kind[node]) == THRESHOLD:
        first = int(grown.first_child[node])
        return _with_missing([float(grown.threshold[node])], [first, first + 1], missing)
    targets = _level_targets(tree, node)
    if column.level_values is None:
        limits = [level - 0.5 for level in range(len(targets) + 1)]
        return _merge_ranges(limits, [missing, *targets, missing], missing)
    # A value that is no level goes where a missing one does: each level is a range of a single number.
    limits, around = [], []
    for value, target in zip(column.level_values.tolist(), targets, strict=True):
        limits += [math.nextafter(value, -math.inf), value]
        around += [missing, target]
    return _merge_ranges(limits, [*around, missing], missing)


def _level_targets(tree: ExportedTree, node: int) -> list[int]:
    """By level of the column the node that follows, which is the node itself where no child has it."""
    structure, n_levels = tree.structure, len(tree.column(node).levels)
    children = structure.children(node)
    if int(structure.grown.split_kind[node]) == LEVEL_SET:
        targets = np.full(n_levels, children[1])
        targets[structure.levels_in_set(node)] = children[0]
    else:
        targets = np.full(n_levels, node)
        targets[structure.grown.branch_level[children.start : children.stop]] = list(children)
    return [int(target) for target in targets]


def _merge_ranges(limits: list[float], targets: list[int], missing: int) -> _Ranges:
    """Neighbours that go the same way become one range."""
    kept_limits: list[float] = []
    kept_targets = [targets[0]]
    for limit, target in zip(limits, targets[1:], strict=True):
        if target != kept_targets[-1]:
            kept_limits.append(limit)
            kept_targets.append(target)
    return _with_missing(kept_limits, kept_targets, missing)


def _with_missing(limits: list[float], targets: list[int], missing: int) -> _Ranges:
    """Ranges of which at least one goes where NaN goes."""
    if missing not in targets:
        limits, targets = [*limits, math.inf], [*targets, missing]
    if not limits:
        limits, targets = [0.0], [targets[0], targets[0]]
    return _Ranges(limits, targets, missing)


def _add_test(tests: OnnxTests, part: _Part, middle: int) -> int:
    index = len(tests.features)
    ranges = part.ranges
    tests.features.append(part.feature)
    tests.limits.append(ranges.limits[middle])
    tests.missing_is_true.append(int(ranges.missing in ranges.targets[part.begin : middle + 1]))
    for entries in (tests.if_true, tests.true_is_leaf, tests.if_false, tests.false_is_leaf):
        entries.append(0)
    _link(tests, part, index, is_leaf=False)
    tests.depth = max(tests.depth, part.depth)
    return index


def _add_leaf(tests: OnnxTests, node: int, part: _Part) -> None:
    tests.leaves.append(node)
    _link(tests, part, len(tests.leaves) - 1, is_leaf=True)


def _link(tests: OnnxTests, part: _Part, index: int, is_leaf: bool) -> None:
    if part.above == NOWHERE:
        return
    if part.is_true:
        tests.if_true[part.above], tests.true_is_leaf[part.above] = index, int(is_leaf)
    else:
        tests.if_false[part.above], tests.false_is_leaf[part.above] = index, int(is_leaf)
