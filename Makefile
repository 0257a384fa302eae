# The menu of chores. Each makes .venv if it is missing and rebuilds what changed; no venv need be active.
#
# A fresh machine needs Python 3.11 or newer, GNU make and a C++20 compiler.
# CMake, Ninja and every other tool come from pip into .venv.

PYTHON ?= python3
ROWS   ?=
ARGS   ?=

BIN   := .venv/bin
PEERS := .venv-bench

# The tools of .venv come first, and nothing of another Python gets in.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

# What the installed package is made from, and a line of checksum, size and name for each file of it.
SOURCES := pyproject.toml CMakeLists.txt native src
NATIVE   = $$(find native -name '*.cpp' -o -name '*.hpp')
LISTED   = find $(SOURCES) -type f ! -path '*/__pycache__/*' -exec cksum {} + | LC_ALL=C sort

CONFIGURE := $(BIN)/cmake -S . -G Ninja -DHELDOUT_STRICT=ON -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" \
  $(if $(filter-out default undefined,$(origin CXX)),-DCMAKE_CXX_COMPILER=$(CXX))

.DEFAULT_GOAL := menu
.PHONY: menu demo test native-test docs check format bench peers statistical sanitize fuzz clean installed

menu: ## print this menu
	@echo "make <chore>, where <chore> is one of:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "  %-12s %s\n", $$1, $$2 }'

demo: installed ## the whole story on a real table: sealed, run, judged, unsealed
	@rm -rf build/demo
	@$(BIN)/heldout demo --out build/demo

test: native-test ## tests of the core, then of the package (ARGS="-k tree" runs a part)
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

native-test: installed ## tests of the C++ core alone
	@$(CONFIGURE) -B build/native -DHELDOUT_MODULE=OFF -DHELDOUT_NATIVE_TESTS=ON > /dev/null
	@$(BIN)/cmake --build build/native -- --quiet
	@build/native/native_tests
	@HELDOUT_PLAIN=1 build/native/native_tests

# A page that was read is not read again, and would not warn again: what failed is forgotten.
docs: installed ## the site of the documentation, in build/docs; warnings are errors
	@$(BIN)/sphinx-build -q -n -W --keep-going -j 2 -d build/docs-trees docs build/docs || \
	  { rm -rf build/docs-trees; exit 1; }
	@echo "The site is build/docs/index.html."

check: installed ## ruff, mypy, import-linter and clang-format; changes nothing
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/clang-format --dry-run -Werror $(NATIVE)

format: installed ## let ruff and clang-format write their form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(NATIVE)

bench: installed $(PEERS)/complete ## speed against peers, side by side (ROWS="fit_100k csv" runs a part)
	@sh tests/peers/find_classics.sh || true
	@$(PEERS)/bin/python -m benchmarks $(ROWS)

peers: installed ## trees and forests of Weka, R and scikit-learn beside ours (ARGS="-k id3" runs a part)
	@sh tests/peers/find_classics.sh
	@$(BIN)/python -m pytest tests/peers $(ARGS)

statistical: installed ## simulations: weights, errors, intervals, fair draws, studies of noise, the seal
	@$(BIN)/python -m pytest tests/statistical $(ARGS)

# libasan must come first in the process, and libstdc++ before the first exception is thrown.
# Leaks are not reported: Python and NumPy keep memory until the process ends, on purpose.
# -S leaves out the hook of the editable install, which would load the module without sanitizers.
sanitize: installed ## ASan and UBSan over the native, unit and golden tests (needs GCC)
	@$(CONFIGURE) -B build/sanitize -DHELDOUT_SANITIZE=ON -DHELDOUT_NATIVE_TESTS=ON \
	  -DCMAKE_BUILD_TYPE=Debug > /dev/null
	@$(BIN)/cmake --build build/sanitize -- --quiet
	@build/sanitize/native_tests
	@HELDOUT_PLAIN=1 build/sanitize/native_tests
	@rm -rf build/sanitize/package
	@mkdir -p build/sanitize/package
	@cp -R src/heldout build/sanitize/package/heldout
	@cp build/sanitize/_native*.so build/sanitize/package/heldout/
	@site="$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; \
	  env ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  PYTHONPATH="$(CURDIR)/build/sanitize/package:$$site" \
	  $(BIN)/python -S -m pytest -p no:cacheprovider $(wildcard tests/unit tests/golden) $(ARGS)

fuzz: installed ## property tests with many more examples, at random
	@HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest tests $(ARGS)

clean: ## remove everything that these chores made, .venv too
	rm -rf build dist .venv $(PEERS) .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Sources are compared by content with those that were installed last: an older file that comes back, or
# one that is gone, rebuilds too. Ninja compares times, so what differs from the last build is touched;
# every build directory then sees it as new. What was installed is written down only afterwards.
installed: .venv/dependencies
	@$(LISTED) > .venv/present; touch .venv/built; \
	if ! cmp -s .venv/present .venv/installed; then \
	  rm -f .venv/installed; \
	  LC_ALL=C comm -23 .venv/present .venv/built | cut -d ' ' -f 3- | grep -e '^native/' -e '^CMake' | \
	    while read -r file; do touch "$$file"; done; \
	  cp .venv/present .venv/built; \
	  echo "building heldout"; \
	  $(BIN)/python -m pip install --quiet --no-build-isolation --editable . \
	    --config-settings=cmake.define.HELDOUT_STRICT=ON && cp .venv/built .venv/installed; \
	fi

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Heldout needs Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@echo "making .venv"
	@$(PYTHON) -m venv .venv

.venv/dependencies: pyproject.toml | $(BIN)/python
	@echo "installing the tools into .venv"
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# The peers live in their own environment, which sees .venv: `make check` and `make test` never see them.
$(PEERS)/complete: benchmarks/requirements.txt .venv/dependencies
	@echo "installing the peers into .venv-bench"
	@$(BIN)/python -m venv $(PEERS)
	@site='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	  echo "import site; site.addsitedir('$$($(BIN)/python -c "$$site")')" \
	  > "$$($(PEERS)/bin/python -c "$$site")/heldout_environment.pth"
	@$(PEERS)/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt
	@touch $@
