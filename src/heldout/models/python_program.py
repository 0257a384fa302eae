"""The parts of an exported Python program that are the same for every model of a kind."""

from __future__ import annotations

HEAD = '''"""A {learner} of Heldout as plain Python: predict(row), where row is a dict by column name.

A value that is None, NaN or not in the dict is missing. A number is anything that float() takes, a date
a datetime, its ISO text, or days since 1970-01-01. Everything else is taken for a word.
"""
'''

READING = '''
def _known(name, value):
    """The value as it is compared, or what fills it, or None where it is missing."""
    kind, levels, fill = COLUMNS[name]
    if value is None or value != value:
        return fill
    if kind == "boolean":
        word = _word(value)
        level = levels[0].get(word, levels[1].get(word.casefold()))
        return fill if level is None else level
    if kind == "word":
        word = _word(value)
        return word if word in levels else fill
    number = _days(name, value) if kind == "date" else _number(name, value)
    if number != number or (levels is not None and number not in levels):
        return fill
    return number


def _number(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"column {name!r} needs a number and has {value!r}") from None
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"column {name!r} has an infinite value")
    return number


def _word(value):
    if isinstance(value, float) and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    if isinstance(value, str):
        return value
    return {"True": "true", "False": "false"}.get(str(value), str(value))


def _days(name, value):
    if isinstance(value, str):
        return _days_of_text(name, value)
    if not hasattr(value, "toordinal"):
        return _number(name, value)
    seconds, microseconds = 0, 0
    if hasattr(value, "hour"):
        seconds = value.hour * 3600 + value.minute * 60 + value.second
        microseconds = value.microsecond
        offset = value.utcoffset()
        if offset is not None:
            seconds -= offset.days * 86400 + offset.seconds
            microseconds -= offset.microseconds
    return _days_of(value.toordinal() - 719163, seconds, microseconds)


def _days_of(day, seconds, microseconds):
    return float((day * 86400 + seconds) * 1000000 + microseconds) / 86400000000.0


def _days_of_text(name, text):
    day, _, time = text.strip().replace("T", " ").partition(" ")
    hour, _, rest = time.partition(":")
    minute, _, rest = rest.partition(":")
    second, _, fraction = rest.partition(".")
    parts = [*day.split("-"), hour or "0", minute or "0", second or "0", fraction or "0"]
    if len(parts) != 7 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"column {name!r} needs a date such as 2020-02-28 and has {text!r}")
    year, month, date, hour, minute, second = map(int, parts[:6])
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    last = 29 if month == 2 and is_leap else 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    if not (1 <= month <= 12 and 1 <= date <= last and hour < 24 and minute < 60 and second < 60):
        raise ValueError(f"column {name!r} needs a date such as 2020-02-28 and has {text!r}")
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    ordinal = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + date - 719469
    return _days_of(ordinal, hour * 3600 + minute * 60 + second, int((fraction + "000000")[:6]))

'''

STEPPING = '''
def _step(nodes, node, values):
    """Where a row goes from a node: a child, several with their shares, or the node itself where it ends."""
    if nodes[node] is None:
        return node
    name, test, children, missing = nodes[node]
    value = values[name]
    if value is None:
        return missing
    if isinstance(test, dict):
        return test.get(value, node)
    is_first = value in test if isinstance(test, set) else value <= test
    return children[0] if is_first else children[1]

'''

TREE_WALKING = '''
def _reached(row):
    """The nodes where the row ends, each with the share of the row that ends there."""
    values = {name: _known(name, row.get(name)) for name in COLUMNS}
    waiting, reached = [(0, 1.0)], []
    while waiting:
        node, share = waiting.pop()
        below = _step(NODES, node, values)
        if isinstance(below, tuple):
            waiting.extend((child, share * part) for child, part in reversed(below))
        elif below == node:
            reached.append((node, share))
        else:
            waiting.append((below, share))
    return reached

'''

TREE_CLASSIFIER = '''
def _predicted(row):
    """The position of the class, and the probabilities."""
    reached = _reached(row)
    if len(reached) == 1:
        return PREDICTIONS[reached[0][0]]
    probabilities, shares = _sums(reached, 1), _sums(reached, -1)
    largest = max(shares)
    best = next(k for k, total in enumerate(shares) if total + TIE >= largest)
    return best, [min(total, 1.0) for total in probabilities]


def _sums(reached, part):
    """By class the sum over the nodes, times the share of the row that ends there."""
    sums = [0.0] * len(CLASSES)
    for node, share in reached:
        for k, number in enumerate(PREDICTIONS[node][part]):
            sums[k] += share * number
    return sums

'''

TREE_REGRESSOR = '''
def predict(row):
    """The mean of the training rows where the row ends."""
    reached = _reached(row)
    if len(reached) == 1:
        return PREDICTIONS[reached[0][0]]
    return sum(PREDICTIONS[node] * share for node, share in reached)
'''

RULE_LIST = '''
def _is_allowed(value, allowed):
    """Whether a value is known and is one of the levels, or above the first limit and at most the second."""
    if value is None:
        return False
    if isinstance(allowed, set):
        return value in allowed
    low, high = allowed
    return (low is None or value > low) and (high is None or value <= high)


def _predicted(row):
    """The position of the class, and the probabilities, of the first rule that the row meets."""
    values = {name: _known(name, row.get(name)) for name in COLUMNS}
    for conditions, prediction in zip(RULES, PREDICTIONS):
        if all(_is_allowed(values[name], allowed) for name, allowed in conditions):
            return prediction
    return PREDICTIONS[-1]

'''

PREDICTING = '''
def predict(row):
    """The class of a row."""
    return CLASSES[_predicted(row)[0]]


def predict_proba(row):
    """The probability of each class."""
    return dict(zip(CLASSES, _predicted(row)[1]))
'''

FOREST_WALKING = '''
def _end(nodes, values):
    """The node of a tree in which the row ends."""
    node, below = None, 0
    while below != node:
        node, below = below, _step(nodes, below, values)
    return node


def _mean(row):
    """What the trees predict, added up in their order and divided by their number."""
    values = {name: _known(name, row.get(name)) for name in COLUMNS}
    sums = [0.0] * N_OUTPUTS
    for nodes, outputs in TREES:
        for k, part in enumerate(outputs[_end(nodes, values)]):
            sums[k] += part
    return [total / len(TREES) for total in sums]

'''

FOREST_CLASSIFIER = '''
def _predicted(row):
    """The position of the class, and the probabilities."""
    shares = _mean(row)
    smoothed = _smoothed(shares)
    if WEIGHTS is not None:
        shares = [share * weight for share, weight in zip(smoothed, WEIGHTS)]
    largest = max(shares)
    best = next(k for k, share in enumerate(shares) if share + TIE >= largest)
    return best, _calibrated(smoothed)


def _smoothed(shares):
    """The shares with imaginary trees that know only PRIOR."""
    if not SMOOTHING:
        return shares
    votes = [share * len(TREES) + prior * SMOOTHING for share, prior in zip(shares, PRIOR)]
    return [vote / (len(TREES) + SMOOTHING) for vote in votes]


def _calibrated(smoothed):
    """The smoothed shares times FACTORS, made to sum to 1 again."""
    if FACTORS is None:
        return smoothed
    products = [share * factor for share, factor in zip(smoothed, FACTORS)]
    total = 0.0
    for product in products:
        total += product
    return [product / total for product in products]

'''

FOREST_REGRESSOR = '''
def predict(row):
    """The mean over the trees of the means where the row ends."""
    return _mean(row)[0]
'''

LINEAR_SUMS = '''
def _value(name, row):
    """The value of a column as a number; a row without it has no prediction."""
    value = _known(name, row.get(name))
    if value is None:
        raise ValueError(f"column {name!r} has no value that this model knows: {row.get(name)!r}")
    return value


def _sums(row):
    """The sum of each function, added up in the order of the columns."""
    values = [_value(name, row) for name in COLUMNS]
    sums = []
    for total, weights in FUNCTIONS:
        for weight, value in zip(weights, values):
            total += weight * value
        sums.append(total)
    return sums

'''

LINEAR_REGRESSOR = '''
def predict(row):
    """The sum of the columns, each times its coefficient."""
    return _sums(row)[0]
'''

TWO_CLASSES = '''
def predict(row):
    """The class of a row: the second if its decision value is above 0."""
    return CLASSES[decision_function(row) > 0]


def decision_function(row):
    """The decision value of a row."""
    return _sums(row)[0]
'''

MANY_CLASSES = '''
def predict(row):
    """The class of the largest decision value, the first of equals."""
    sums = _sums(row)
    return CLASSES[sums.index(max(sums))]


def decision_function(row):
    """The decision value of each class."""
    return dict(zip(CLASSES, _sums(row)))
'''

BASELINE = '''"""A {learner} of Heldout as plain Python: predict(row) is the same for every row."""

PREDICTION = {prediction!r}


def predict(row):
    """The same prediction for every row."""
    return PREDICTION
'''

BASELINE_PROBABILITIES = '''

def predict_proba(row):
    """The same probabilities for every row."""
    return {probabilities!r}
'''

AT_THRESHOLD = '''

THRESHOLD = {threshold!r}


def predict(row):
    """The class: {positive!r} from its threshold on, else the other one."""
    return {positive!r} if predict_proba(row)[{positive!r}] >= THRESHOLD else {other!r}
'''
