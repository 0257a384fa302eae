"""A grown tree: growing, walking, showing, explaining."""
