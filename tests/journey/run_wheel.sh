#!/bin/sh
# BIN=.venv/bin run_wheel.sh: make sdist and wheel, and use the wheel as a user would who has no checkout.
# An empty environment and an empty folder, once with the newest versions of all that Heldout needs, once with the
# oldest that pyproject.toml allows: the demo runs there, and the journeys.
set -eu

bin="$(cd "$BIN" && pwd)"
root="$(pwd)"
empty="$(mktemp -d)"
trap 'rm -rf "$empty"' EXIT

rm -rf dist
echo "building dist/: sdist, and the wheel from it"
"$bin/python" -m build --outdir dist > "$empty/build.log" 2>&1 || { tail -n 30 "$empty/build.log" >&2; exit 1; }
ls dist

for resolution in highest lowest-direct; do
  place="$empty/$resolution"
  mkdir "$place"
  cp -R tests/journey "$place/journey"
  cd "$place"
  echo "the wheel alone, versions: $resolution"
  "$bin/uv" venv --quiet --python "$bin/python" venv
  "$bin/uv" pip install --quiet --python venv/bin/python --resolution "$resolution" \
    --requirement "$root/.venv/wanted-runtime" "pytest>=8"
  "$bin/uv" pip install --quiet --python venv/bin/python --no-deps "$root"/dist/*.whl
  "$bin/uv" pip check --quiet --python venv/bin/python
  "$bin/uv" pip list --quiet --python venv/bin/python | sed 's/^/  /'
  venv/bin/python -c 'import heldout; assert "site-packages" in heldout.__file__, heldout.__file__'
  venv/bin/heldout demo --out demo > demo.txt || { cat demo.txt; exit 1; }
  tail -n 5 demo.txt
  venv/bin/python -m pytest -q --import-mode=importlib --rootdir=. -p no:cacheprovider journey
  cd "$root"
done
