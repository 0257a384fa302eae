"""What a model file holds of each kind of learner: what is written, what is read, and how it is checked."""
