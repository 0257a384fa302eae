"""What happens between a table and a learner: fitted inside folds only, on training rows alone."""
