"""What a bag of words is made of: documents, stop words, vocabularies."""
