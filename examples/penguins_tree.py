"""A first lesson: read a table, hold rows aside, grow a tree, and judge it on those rows.

A whole study, in which nothing can be forgotten, is penguins_study.py.
"""

from __future__ import annotations

from scipy.stats import binomtest
from sklearn.model_selection import train_test_split

import heldout as ho

# 1. Read. Kinds are shown, and missing values counted. The year tells of the expedition,
#    not of the penguin, so it is dropped.
table = ho.datasets.load("penguins").drop("year")
print(table, end="\n\n")

# 2. Ask. A task is a table with a question: which species is this penguin?
task = ho.Task(table, target="species")
print(task, end="\n\n")

# 3. Hold a third of the rows aside, with the same shares of the species.
#    Nothing below looks at them before step 5.
X_open, X_held, y_open, y_held = train_test_split(
    task.X, task.y, test_size=1 / 3, stratify=task.y, random_state=7
)

# 4. Grow a tree on the open rows, and prune it until it can be read. Categories and gaps are taken as
#    they are: a penguin without a value goes down every branch, in parts. Behind each leaf: its rows /
#    those of them that are of another species.
tree = ho.TreeClassifier.c45(min_leaf=5).fit(X_open, y_open)
print(f"A tree with {tree.n_leaves_} leaves, grown from {len(X_open)} penguins:\n")
print(tree, end="\n\n")

# 5. Judge it on the rows held aside: once, and with an interval.
n_right = int((tree.predict(X_held) == y_held).sum())
n_held = len(y_held)
interval = binomtest(n_right, n_held).proportion_ci(confidence_level=0.95, method="exact")
print(f"It names {n_right} of the {n_held} penguins held aside correctly: {n_right / n_held:.1%}.")
print(f"95% interval for penguins like these (Clopper-Pearson): {interval.low:.1%} to {interval.high:.1%}.")
print("A study seals such rows, and records every look at them: see penguins_study.py.")
