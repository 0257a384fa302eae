"""What can be said of a fitted model in plain values, made once, when it is recorded."""
