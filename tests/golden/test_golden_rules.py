"""The rules and formulas that the textbooks read off their trees."""

import numpy as np

from heldout import Column, RuleClassifier, Table, TreeClassifier, datasets


def tennis() -> tuple[Table, Column]:
    """The four attributes of the fourteen days, and whether tennis was played."""
    table = datasets.load("play_tennis")
    return table.select(["Outlook", "Temperature", "Humidity", "Wind"]), table["PlayTennis"]


def test_the_formula_of_play_tennis():
    """Tennis is played when it is sunny and not humid, or overcast, or rains without wind."""
    tree = TreeClassifier.id3().fit(*tennis())
    assert tree.to_dnf("Yes") == (
        "(Outlook = Overcast) ∨ (Outlook = Rain ∧ Wind = Weak) ∨ (Outlook = Sunny ∧ Humidity = Normal)"
    )
    assert tree.to_dnf("No") == "(Outlook = Rain ∧ Wind = Strong) ∨ (Outlook = Sunny ∧ Humidity = High)"


def test_the_rules_of_play_tennis():
    """One rule for each leaf: Outlook = Sunny ∧ Humidity = High ⇒ No, and so on."""
    tree = TreeClassifier.id3(missing="fractional").fit(*tennis())
    found = {(rule.formula(), rule.prediction, rule.n_rows) for rule in tree.rules()}
    assert found == {
        ("Outlook = Sunny ∧ Humidity = High", "No", 3),
        ("Outlook = Sunny ∧ Humidity = Normal", "Yes", 2),
        ("Outlook = Overcast", "Yes", 4),
        ("Outlook = Rain ∧ Wind = Strong", "No", 2),
        ("Outlook = Rain ∧ Wind = Weak", "Yes", 3),
    }
    assert str(tree.rules()[0]) == ("If Outlook is Overcast: Yes (4 rows, none wrong)")


def test_the_pruned_rules_of_play_tennis():
    """C4.5's estimate drops Sunny from the rule of the dry days: six of the seven dry days are played."""
    X, y = tennis()
    rules = RuleClassifier().fit(X, y)
    assert str(rules).splitlines() == [
        "If Outlook is Overcast: Yes (4 rows, none wrong)",
        "If Humidity is Normal: Yes (7 rows, 1 wrong)",
        "If Outlook is Rain, and Wind is Weak: Yes (3 rows, none wrong)",
        "Otherwise: No (4 rows, none wrong)",
    ]
    assert int((rules.predict(X) == np.array(y.labels())).sum()) == 13


def test_x1_or_x2_and_not_x3():
    """The tree of the formula x1 ∨ (x2 ∧ ¬x3) reads as this formula."""
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    y = X[:, 0] | (X[:, 1] & (1 - X[:, 2]))
    tree = TreeClassifier.id3().fit(X, y)
    assert tree.to_dnf(1) == "(x0 ≤ 0.5 ∧ x1 > 0.5 ∧ x2 ≤ 0.5) ∨ (x0 > 0.5)"
