"""Numbers become SVG: no script, nothing loaded, every text escaped. Knows nothing of learning."""
