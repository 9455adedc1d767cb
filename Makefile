# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
  if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$p; break; fi; done)
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check format clean

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

$(VENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found: install one, or say make PYTHON=/path/to/python"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) .
	touch $@

$(VENV)/ready: $(VENV)/installed
	$(INSTALL) '.[dev]'
	touch $@

demo: $(VENV)/installed
	$(BIN)/tanteo generate examples/figure_one --time 15 --fresh --session $(VENV)/demo --out $(VENV)/demo/tests

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: check
	$(BIN)/python -m pytest

format: $(VENV)/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache build dist
