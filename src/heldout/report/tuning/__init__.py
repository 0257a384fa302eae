"""How the settings scored inside the training parts, and how flat the optimum is."""
