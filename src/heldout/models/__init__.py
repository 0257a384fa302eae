"""Models that leave the house: the model file, and exports to SQL, Python, JSON and ONNX."""

from heldout.models.load_model import read_provenance

__all__ = ["read_provenance"]
