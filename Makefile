# Two commands set everything up: `make demo` and `make test`.
# They need Python 3.11 or later, make, and a package index; PYTHON=... chooses the interpreter.

.DEFAULT_GOAL := help
.PHONY: setup java demo test check faults bench docs pins clean help

PYTHON ?=
export PYTHON
# Another checkout on the path would be tested in place of this one.
unexport PYTHONPATH PYTHONHOME

BIN := .venv/bin
READY := .venv/.ready

setup: $(READY) ## make .venv from the pins, and see to a Java for Spark

# Made again when the pins, the project or the way of making it changed, and only then.
$(READY): pyproject.toml requirements/dev.txt requirements/build.txt requirements/uv.txt scripts/environment.sh scripts/python.sh
	@sh scripts/environment.sh
	@sh scripts/java.sh || true
	@touch $@

java: ## install a Java 17 runtime, where none is found
	@sh scripts/java.sh

demo: $(READY) ## an orders feed through joins and reducers, each view beside its recompute
	@$(BIN)/ominus demo

test: $(READY) ## all tests but those that break things, doctests and the house rules included
	$(BIN)/python -m pytest

check: $(READY) ## the one gate: format, lint, types, tests, doctests, docs, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

faults: $(READY) ## kill, corrupt, flood; and every property again, with many more examples
	$(BIN)/python -m pytest tests --hypothesis-profile=long -m "faults or hypothesis"

bench: $(READY) ## run every program of bench/; each writes its figures to bench/results/
	@set -e; for program in bench/[a-z]*.py; do \
	    echo "== $$program"; $(BIN)/python $$program; \
	done

docs: $(READY) ## write docs/reference/, and the tables and pictures of other pages, from the code
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/tables.py

pins: $(READY) ## pin the packages anew in requirements/ (UPGRADE=1: the newest of all)
	@sh scripts/pins.sh

clean: ## remove the environment, caches and builds
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests bench scripts -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@awk -F ':[^#]*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' Makefile
