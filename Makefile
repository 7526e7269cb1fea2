# Two commands do everything on a bare machine: `make demo` and `make test`.
VENV := .venv
PY := $(VENV)/bin/python
B ?= all
# Hundreds of Pythons are started by the tests; half of the time of each would go into compiling what was compiled before.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check lint types layers machine unit slow bench clean

demo: $(VENV)/ready  ## crawl the built-in sample web
	$(VENV)/bin/honeyguide demo

test:  ## everything a developer and CI run; what waits for the network and what computes run beside each other
	$(MAKE) --no-print-directory --jobs 3 check machine
	$(MAKE) --no-print-directory unit

check: lint types layers

lint: $(VENV)/ready
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

types: $(VENV)/ready
	$(VENV)/bin/mypy

layers: $(VENV)/ready
	$(VENV)/bin/lint-imports

machine:
	scripts/machine

unit: $(VENV)/ready machine
	scripts/unit-tests $(PY) $(ARGS)

slow: $(VENV)/ready  ## what takes longest: floors of every strategy, fifty kills, the console in every way
	$(PY) -m pytest -n auto --dist worksteal -m slow $(ARGS)

bench: $(VENV)/ready  ## make bench B=frontier runs one, make bench runs all
	$(PY) -m benchmarks $(B)

$(VENV)/ready: pyproject.toml scripts/set-up
	scripts/set-up $(VENV)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
