"""A cell: tune inside the training part, fit, predict, describe; and what cells share."""
