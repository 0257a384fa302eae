"""A file is never in memory as a whole: what is needed does not grow with its rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import heldout as ho

# Both files are answered by one process, the small one first; peaks are those of the whole process.
_SCRIPT = """
import json, resource, sys
import heldout as ho
from pathlib import Path
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.cli.predicting.predict_file import PredictRequest, predict_file

model, peaks = ho.load("age.model"), []
for name in ("small.csv", "large.csv"):
    request = PredictRequest("out.csv", size=ChunkSize(1 << 17))
    found = predict_file(model, ByteSource(Path(name), name), request)
    peaks.append([found.n_rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])
print(json.dumps(peaks))
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """A file of 16 MB in over a hundred chunks takes less than half its size more than one of 1 MB."""
    table = ho.read_table({"age": [20.0, 30.0, 40.0, 50.0]})
    ho.save(ho.TreeClassifier(min_leaf=1).fit(table, ["y", "y", "o", "o"]), tmp_path / "age.model")
    rows = "".join(f"{20 + place % 40}.5,=note,{'so it goes ' * 8}{place}\n" for place in range(1000))
    for name, n_times in (("small.csv", 10), ("large.csv", 160)):
        (tmp_path / name).write_text("age,f,note\n" + rows * n_times)
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    (n_small, small), (n_large, large) = json.loads(done.stdout)
    n_bytes = (tmp_path / "large.csv").stat().st_size
    scale = 1 if sys.platform == "darwin" else 1024
    assert (n_small, n_large) == (10_000, 160_000)
    assert n_bytes > 15_000_000
    assert (large - small) * scale < n_bytes / 2
