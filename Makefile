# make demo   check the example designs and show both reports
# make test   style, types, import order and all tests
# Needs Python 3.11 or later, make and git; everything else goes to .venv/. Works with GNU make 3.81 (macOS).

VENV := .venv
BIN := $(VENV)/bin
# The first Python that is new enough, unless PYTHON says which.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check
WORKERS ?= auto

.PHONY: help demo test style types imports pytest lock clean

help:
	@sed -n '1,3p' Makefile

demo: $(VENV)/.runtime
	@echo '--- a scalable unit of 32 DGX H100 as its reference architecture builds it'
	@$(BIN)/aikg check data/designs/su-32-dgx-h100.yaml
	@echo
	@echo '--- four DGX H100 in one rack: expected to fail (exit code 1)'
	@$(BIN)/aikg check data/designs/four-dgx-rack.yaml; code=$$?; \
	if [ $$code -ne 1 ]; then echo "make demo: expected exit code 1, got $$code" >&2; exit 1; fi

test: style types imports pytest

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS)

# The package itself is linked, not copied: what runs is what lies here. Hashes make the rest the same everywhere.
$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --require-hashes -r requirements/runtime.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --require-hashes -r requirements/dev.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo 'aikg needs Python 3.11 or later: make PYTHON=/path/to/python3' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Pin anew what pyproject.toml allows; UV is a `uv` of your own.
UV ?= uv
lock:
	$(UV) pip compile $(LOCK) pyproject.toml requirements/build.in -o requirements/runtime.txt
	$(UV) pip compile $(LOCK) pyproject.toml requirements/build.in --extra dev -c requirements/runtime.txt -o requirements/dev.txt
LOCK := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
	--custom-compile-command 'make lock'

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
