"""Models that leave the house: the model file, and exports to SQL, Python, JSON and ONNX."""

from heldout.models.model_file import read_provenance

__all__ = ["read_provenance"]
