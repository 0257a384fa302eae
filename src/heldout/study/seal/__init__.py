"""The sealed rows: the task without them, the looks at them, and what a look gives away."""
