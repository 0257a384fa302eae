# The menu of chores. Each makes .venv if it is missing, installs what it needs itself and no more, and rebuilds
# what changed; no venv need be active.
#
# A fresh machine needs Python 3.11 or newer, GNU make and a C++20 compiler.
# CMake, Ninja and every other tool come from pip into .venv.

PYTHON ?= python3
ROWS   ?=
ARGS   ?=
# ON: warnings of the compiler are errors.
STRICT ?= OFF

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

# The lines of pyproject.toml that name what is installed for a chore: a dependency group, or "runtime".
WANTED := import sys, tomllib; parts = tomllib.load(open("pyproject.toml", "rb")); \
  print(*{"runtime": parts["project"]["dependencies"], **parts["dependency-groups"]}[sys.argv[1]], sep="\n")

CONFIGURE := $(BIN)/cmake -S . -G Ninja -DHELDOUT_STRICT=ON -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python"
COMPILER  := $(if $(filter-out default undefined,$(origin CXX)),-DCMAKE_CXX_COMPILER=$(CXX))

.DEFAULT_GOAL := menu
.PHONY: menu demo test quick test-plain native-test docs check format wheel aarch64 bench peers statistical sanitize fuzz clean installed

menu: ## print this menu
	@echo "make <chore>, where <chore> is one of:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "  %-12s %s\n", $$1, $$2 }'

demo: installed ## the whole story on a real table: sealed, run, judged, unsealed
	@rm -rf build/demo
	@$(BIN)/heldout demo --out build/demo

test: native-test .venv/group-test .venv/group-docs .venv/group-check ## tests of the core, then of the package (ARGS="-k tree" runs a part)
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# Another processor in disguise: no wide vectors in the core, in NumPy or in BLAS. Nothing may depend on them.
OLD := HELDOUT_PLAIN=1 OPENBLAS_CORETYPE=Prescott NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -c \
  'from numpy._core._multiarray_umath import __cpu_dispatch__ as known, __cpu_features__ as has; \
  print(*(name for name in known if has[name]))')"

# What an engineer wants between two edits: the form, the layers, and every test that is not marked slow.
quick: installed .venv/group-test .venv/group-check ## ruff, the layers and the quick tests, in less than a minute
	@$(BIN)/ruff check .
	@PYTHONPATH=src $(BIN)/lint-imports > /dev/null
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" $(wildcard tests/unit tests/golden) $(ARGS)

test-plain: installed .venv/group-test ## the unit tests as on an old processor
	@$(OLD) $(BIN)/python -m pytest -n 2 --dist loadfile tests/unit $(ARGS)

native-test: installed ## tests of the C++ core alone; warnings are errors
	@echo "compiling the tests of the core"
	@$(CONFIGURE) $(COMPILER) -B build/native -DHELDOUT_MODULE=OFF -DHELDOUT_NATIVE_TESTS=ON > /dev/null
	@$(BIN)/cmake --build build/native -- --quiet
	@build/native/native_tests
	@HELDOUT_PLAIN=1 build/native/native_tests

# A page that was read is not read again, and would not warn again: what failed is forgotten.
docs: installed .venv/group-docs ## the site of the documentation, in build/docs; warnings are errors
	@$(BIN)/sphinx-build -q -n -W --keep-going -j 2 -d build/docs-trees docs build/docs || \
	  { rm -rf build/docs-trees; exit 1; }
	@echo "The site is build/docs/index.html."

check: .venv/group-runtime .venv/group-check ## ruff, mypy, import-linter and clang-format; changes nothing
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@PYTHONPATH=src $(BIN)/lint-imports
	@$(BIN)/clang-format --dry-run -Werror $(NATIVE)

format: .venv/group-check ## let ruff and clang-format write their form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(NATIVE)

wheel: .venv/group-runtime .venv/group-wheel ## sdist and wheel; the wheel alone runs the demo, with newest and oldest dependencies
	@BIN=$(BIN) sh tests/journey/run_wheel.sh

aarch64: .venv/group-build ## the core compiled for ARM by Debian's cross compiler, its tests run by qemu
	@sh native/tests/find_aarch64.sh
	@echo "compiling the core and its tests for aarch64"
	@$(CONFIGURE) -B build/aarch64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
	  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DHELDOUT_MODULE=OFF -DHELDOUT_NATIVE_TESTS=ON > /dev/null
	@$(BIN)/cmake --build build/aarch64 -- --quiet
	@qemu-aarch64 -L /usr/aarch64-linux-gnu build/aarch64/native_tests

bench: installed .venv/group-test $(PEERS)/complete ## speed against peers, side by side (ROWS="fit_100k csv" runs a part)
	@sh tests/peers/find_classics.sh || true
	@$(PEERS)/bin/python -m benchmarks $(ROWS)

peers: installed .venv/group-test ## trees and forests of Weka, R and scikit-learn beside ours (ARGS="-k id3" runs a part)
	@sh tests/peers/find_classics.sh
	@$(BIN)/python -m pytest tests/peers $(ARGS)

statistical: installed .venv/group-test ## simulations: weights, errors, intervals, fair draws, studies of noise, the seal
	@$(BIN)/python -m pytest tests/statistical $(ARGS)

# libasan must come first in the process, and libstdc++ before the first exception is thrown.
# Leaks are not reported: Python and NumPy keep memory until the process ends, on purpose.
# -S leaves out the hook of the editable install, which would load the module without sanitizers.
sanitize: installed .venv/group-test ## ASan and UBSan over the native, unit and golden tests (needs GCC)
	@$(CONFIGURE) $(COMPILER) -B build/sanitize -DHELDOUT_SANITIZE=ON -DHELDOUT_NATIVE_TESTS=ON \
	  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=OFF > /dev/null
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

fuzz: installed .venv/group-test .venv/group-docs .venv/group-check ## property tests with many more examples, at random
	@HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest tests $(ARGS)

clean: ## remove everything that these chores made, .venv too
	rm -rf build dist .venv $(PEERS) .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Sources are compared by content with those that were installed last: an older file that comes back, or
# one that is gone, rebuilds too. Ninja compares times, so what differs from the last build is touched;
# every build directory then sees it as new. What was installed is written down only afterwards.
installed: .venv/group-runtime .venv/group-build
	@$(LISTED) > .venv/present; touch .venv/built; \
	if ! cmp -s .venv/present .venv/installed; then \
	  rm -f .venv/installed; \
	  LC_ALL=C comm -23 .venv/present .venv/built | cut -d ' ' -f 3- | grep -e '^native/' -e '^CMake' | \
	    while read -r file; do touch "$$file"; done; \
	  cp .venv/present .venv/built; \
	  echo "compiling the core, about half a minute on two cores the first time"; \
	  $(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable . \
	    --config-settings=cmake.define.HELDOUT_STRICT=$(STRICT) && cp .venv/built .venv/installed; \
	fi

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Heldout needs Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@echo "making .venv"
	@$(PYTHON) -m venv .venv

# Python compiles a module when it is first imported; to compile all of them here takes longer than the demo.
.venv/group-%: pyproject.toml | $(BIN)/python
	@$(BIN)/python -c '$(WANTED)' $* > .venv/wanted-$*
	@echo "installing into .venv: $$(sed 's/[<>=].*//' .venv/wanted-$* | paste -s -d ' ' -)"
	@$(BIN)/python -m pip install --quiet --no-compile --requirement .venv/wanted-$*
	@touch $@

# The peers live in their own environment, which sees .venv: `make check` and `make test` never see them.
$(PEERS)/complete: benchmarks/requirements.txt .venv/group-runtime
	@echo "installing the peers into .venv-bench"
	@$(BIN)/python -m venv $(PEERS)
	@site='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	  echo "import site; site.addsitedir('$$($(BIN)/python -c "$$site")')" \
	  > "$$($(PEERS)/bin/python -c "$$site")/heldout_environment.pth"
	@$(PEERS)/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt
	@touch $@
