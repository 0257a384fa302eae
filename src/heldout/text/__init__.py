"""Words and numbers as people read them: counted nouns, lists of names, digits that count."""
