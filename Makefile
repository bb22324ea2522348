# Two commands on a fresh machine: `make verify` runs the main job, `make test` the tests.
# Each makes what it needs: a virtual environment in .venv, by uv if it is there, else by pip.
#
#: make verify      verify every case on all processors
#: make test        run the quick tests
#: make test-slow   run the slow tests, and every property with all examples
#: make explore     try every property with a thousand examples, others each time
#: make check       look for mistakes in style and types
#: make benchmark   measure how fast it is
#: make docs        build the documentation site in build/site
#: make lock        pin every dependency
#: make changelog   move what is in news/ into CHANGELOG.md
#: make dist        build wheel and sdist, and run the main job from the wheel
#: make clean       remove all that these have made
#: make help        print these lines

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
TEST_READY := $(VENV)/.ready-for-tests
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),uv pip install --quiet --python $(BIN)/python,\
  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile)
# What is needed now and then is in an environment of its own.
TOOLS := build/tools/bin
COMPILE := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate

# Python and pytest compile every module once and keep it here, outside the sources, even where
# PYTHONDONTWRITEBYTECODE is set: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/pycache

# Each process is given tests that lie together, which share what their modules have compiled.
TESTS := $(BIN)/python -m pytest -n auto --dist worksteal $(OPTIONS)

.PHONY: verify test test-slow explore check benchmark docs lock changelog dist clean help

verify: $(READY)
	$(BIN)/macproof verify

test: $(TEST_READY)
	$(TESTS) -m "not slow"

# Properties, which `make test` tries with a few examples, are tried with all here.
test-slow: $(TEST_READY)
	$(TESTS) -m "slow or hypothesis" --hypothesis-profile=thorough

explore: $(TEST_READY)
	$(TESTS) -m hypothesis --hypothesis-profile=explore

check: $(TEST_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: $(READY)
	$(BIN)/python benchmarks/engine_speed.py
	$(BIN)/python benchmarks/trap_speed.py
	$(BIN)/python -m benchmarks.toolbox_speed
	$(BIN)/python -m benchmarks.start_up
	$(BIN)/python benchmarks/record_speed.py
	$(BIN)/python benchmarks/scene_cost.py
	$(BIN)/python -m benchmarks.road_cost
	$(BIN)/python benchmarks/play_speed.py

# With every routine of the Toolbox and every public name, which the pages in docs/ only count.
docs: $(READY)
	$(BIN)/python docs/generate.py --site build/docs
	$(PYTHON) -m venv build/tools
	$(TOOLS)/pip install --quiet 'mkdocs>=1.6,<2'
	$(TOOLS)/mkdocs build --quiet

# What running needs, and with it what tests and checks need: a lock each.
$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else \
	  f"macproof needs Python 3.11 or later, and $(PYTHON) is {v[0]}.{v[1]}: make PYTHON=python3.11 ...")'
	@if [ -n "$(UV)" ]; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV); else $(PYTHON) -m venv $(VENV); fi
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps -e .
	@touch $@

$(TEST_READY): requirements-test.lock $(READY)
	@$(INSTALL) --require-hashes -r requirements-test.lock
	@touch $@

# For maintainers, who need uv: pins every dependency for all systems with its hashes, and no address.
lock:
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra test --extra cluster --constraint requirements.lock --output-file requirements-test.lock

# For maintainers: the steps of a release.
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' emu/__init__.py)

changelog:
	$(PYTHON) -m venv build/tools
	$(TOOLS)/pip install --quiet towncrier
	$(TOOLS)/towncrier build --yes --version $(VERSION)

dist:
	$(PYTHON) -m venv build/tools
	$(TOOLS)/pip install --quiet build
	rm -rf dist
	$(TOOLS)/python -m build --outdir dist
	$(PYTHON) -m venv --clear build/installed
	build/installed/bin/pip install --quiet dist/macproof-$(VERSION)-py3-none-any.whl
	cd build/installed && bin/macproof verify --programs prebuilt --scenes 60

help:
	@sed -n 's/^#: //p' Makefile

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
