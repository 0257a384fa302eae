"""Who runs the cells: this process, or processes that share the table."""
