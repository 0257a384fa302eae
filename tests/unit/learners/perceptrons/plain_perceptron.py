"""The perceptron as a textbook has it: every weight is kept, nothing is clever. The judge of the fast one."""

from fractions import Fraction

_MASK = 2**64 - 1


def mixed(x):
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def epoch_order(n_rows, seed, epoch):
    """The order of an epoch: each place from the last on is swapped with one that is drawn."""
    order, state = list(range(n_rows)), mixed(seed ^ mixed(epoch))
    for n_left in range(n_rows, 1, -1):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        drawn = (mixed(state) * n_left) >> 64
        order[n_left - 1], order[drawn] = order[drawn], order[n_left - 1]
    return order


def score(weights, row):
    """The intercept, which stands last, and the products in the order of the columns."""
    total = weights[-1]
    for weight, value in zip(weights, row, strict=False):
        total += weight * value
    return total


class PlainPerceptron:
    """All weights that there were, one after each step, for several classes or, with one row, for two."""

    def __init__(self, X, codes, n_classes, epochs, shuffle=True, fit_intercept=True, seed=0):
        self.is_binary = n_classes == 2
        self.n_rows, self.epochs = len(X), epochs
        constant = 1.0 if fit_intercept else 0.0
        weights = [[0.0] * (len(X[0]) + 1) for _ in range(1 if self.is_binary else n_classes)]
        self.after_step, self.mistakes = [], []
        for epoch in range(epochs):
            order = epoch_order(len(X), seed, epoch) if shuffle else range(len(X))
            self.mistakes.append(0)
            for i in order:
                row, label = [*X[i], constant], codes[i]
                rival = self._rival(weights, X[i], label)
                if rival is not None:
                    self.mistakes[-1] += 1
                    weights = [list(each) for each in weights]
                    if self.is_binary:
                        _add(weights[0], row, 1.0 if label == 1 else -1.0)
                    else:
                        _add(weights[label], row, 1.0)
                        _add(weights[rival], row, -1.0)
                self.after_step.append(weights)

    def _rival(self, weights, row, label):
        """The class that a mistake prefers, None where there is no mistake."""
        if self.is_binary:
            signed = score(weights[0], row) if label == 1 else -score(weights[0], row)
            return None if signed > 0 else 1 - label
        scores = [score(each, row) for each in weights]
        rivals = [k for k in range(len(weights)) if k != label]
        rival = max(rivals, key=lambda k: (scores[k], -k))
        return None if scores[label] > scores[rival] else rival

    @property
    def last(self):
        return self.after_step[-1]

    @property
    def average(self):
        """The mean over all steps, in exact arithmetic."""
        n_steps = len(self.after_step)
        return [
            [
                sum(Fraction(step[k][j]) for step in self.after_step) / n_steps
                for j in range(len(self.last[0]))
            ]
            for k in range(len(self.last))
        ]

    def votes(self, row):
        """How many steps vote for each class."""
        counts = [0] * (2 if self.is_binary else len(self.last))
        for weights in self.after_step:
            scores = [score(each, row) for each in weights]
            best = int(scores[0] > 0) if self.is_binary else scores.index(max(scores))
            counts[best] += 1
        return counts


def _add(weights, row, sign):
    for place, value in enumerate(row):
        weights[place] += sign * value
