# Flagfall: `make play` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: install play terminal web-install web-build web-check browser test lint types contracts tests coverage soak bench bench-parsers bench-click screenshots lock help clean

help:            ## what can be made
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

install: $(STAMP) ## everything into .venv, from the lock

$(STAMP): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@if command -v uv >/dev/null 2>&1; then \
	  VIRTUAL_ENV=$(CURDIR)/$(VENV) uv pip install -q --require-hashes -r requirements.lock && \
	  VIRTUAL_ENV=$(CURDIR)/$(VENV) uv pip install -q --no-deps --no-build-isolation -e . ; \
	else \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ; \
	fi
	@touch $@

play: install web-build ## play in the browser
	@FLAGFALL_PREPARES=1 $(BIN)/flagfall serve --open

terminal: install ## play in the terminal
	@$(BIN)/flagfall play --plain

web-install: install # what the web client is built with; again only when its lock has changed
	@$(BIN)/python hatch_build.py install

web-build: install # the web client, if anything it is made from is newer than the last build
	@$(BIN)/python hatch_build.py

web-check: web-install # types, style and tests of the web client
	@cd web && npm run --silent check && npm test --silent

browser: # a browser for the tests
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	 command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then RUN=; else RUN="sudo -n"; fi; \
	  $$RUN apt-get install -y --no-install-recommends chromium; } || { \
	  echo "The tests need a browser, and none could be installed: install Chromium or Chrome so that" \
	       "chromium, chromium-browser or google-chrome is found on the PATH, then try again."; exit 2; }

test: lint types contracts web-check browser web-build tests ## lint, types, contracts, all tests

lint: install
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: install
	@$(BIN)/mypy

contracts: install
	@$(BIN)/lint-imports

tests: install browser web-install web-build
	@$(BIN)/python -m pytest tests -n 2 --dist loadgroup

coverage: install ## which lines the tests of rules, views and match reach
	@$(BIN)/python -m pytest tests -n 2 --ignore tests/server --ignore tests/e2e --cov --cov-report=term-missing:skip-covered

bench: install   ## measure the engine beside the C references, and a server with 50 live matches
	@$(BIN)/flagfall bench engine
	@$(BIN)/flagfall bench server --live 50 --seconds 10

bench-parsers: install ## measure every parser at the largest input it reads
	@$(BIN)/python -m bench.parsers

bench-click: install browser web-build ## measure from a click to the screen, in a browser
	@$(BIN)/python -m bench.click

screenshots: install browser web-build ## make the pictures of the README
	@$(BIN)/python docs/pictures/make.py
	@$(BIN)/python -m docs.pictures.browser

soak: install    ## the long runs: ten times the games of the laws, 100,000 mutated texts, kills and other troubles of the server
	@FLAGFALL_SOAK=1 $(BIN)/python -m pytest tests/laws tests/view tests/players/belief tests/fuzz \
	  tests/server/test_nothing_lost.py tests/server/test_chaos.py -n 2

lock:            ## write requirements.lock anew from pyproject.toml
	@uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-annotate --no-header \
	  --no-strip-extras --no-emit-index-url --upgrade -q -o requirements.lock

clean:           ## remove what was installed and cached
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
