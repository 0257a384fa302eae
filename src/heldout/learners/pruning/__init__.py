"""The prunings of a grown tree, and the rows that are set aside for them."""
