"""Models that leave the house: the model file, and exports to SQL, Python, JSON and ONNX."""
