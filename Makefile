# Flagfall: `make play` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PLAYING := $(VENV)/.playing
TRAINING := $(VENV)/.training
SPENT  := $(VENV)/.seconds
# Three more than there are cores: tests of servers, commands and browsers often wait.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 3)))
# Groups start in the order of tests/conftest.py, the longest first, not those of most tests first.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
SIDE_BY_SIDE := $(MAKE) --no-print-directory -j 2 --output-sync=target
RULES  := $(addprefix tests/,rulebook edition golden match notation project setups view)

# Every process of the tests imports the same modules: compile them once, in a folder that `make clean` removes.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode

# $(call timed,part,command): run the command and note how many seconds it took.
timed = (mkdir -p $(VENV); start=$$(date +%s); ($(2)); code=$$?; \
	echo "$(1) $$(($$(date +%s) - start))" >> $(SPENT); exit $$code)
ALL_TESTS = $(call timed,tests,$(PYTEST) tests)
# Print the seconds that were noted.
table = awk '{ printf "%-10s %5d s\n", $$1, $$2 }' $(SPENT)

.PHONY: install play terminal web-install web-build web-for-tests web-check browser kernels test check everything \
	quick-parts bytecode lint types contracts docs rules tests all-tests test-times coverage soak bench \
	bench-parsers bench-click screenshots tutorials wheel-trial lock relock help clean

help:            ## what can be made
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

# $(call pip,lock): install what the lock lists, and this project from its sources. uv takes a fifth of pip's time;
# where it cannot be had, or cannot reach the packages, pip does all of it.
pip = test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); \
	command -v uv >/dev/null 2>&1 || test -x $(BIN)/uv || $(BIN)/python -m pip install -q --no-compile \
	  --disable-pip-version-check --only-binary :all: --require-hashes -r requirements-uv.lock >/dev/null 2>&1; \
	UV=$$(command -v uv || command -v $(BIN)/uv || echo false); export VIRTUAL_ENV=$(CURDIR)/$(VENV); \
	{ $$UV pip install -q --require-hashes -r $(1) && \
	  $$UV pip install -q --no-deps --no-build-isolation -e . ; } 2>/dev/null || { \
	  $(BIN)/python -m pip install -q --no-compile --disable-pip-version-check --require-hashes -r $(1) && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ; }

install: $(STAMP) $(TRAINING) ## everything into .venv, from the lock

$(STAMP): requirements.lock pyproject.toml
	@$(call timed,install,$(call pip,requirements.lock))
	@touch $(STAMP) $(PLAYING)

# torch is not in the lock, as the build that fits differs by machine; pip finds it, and is asked only once.
$(TRAINING): requirements-train.txt | $(STAMP)
	@$(BIN)/python -c "import importlib.metadata as m; assert m.version('torch').split('+')[0] == '2.13.0'" \
	  2>/dev/null || { $(BIN)/python -m ensurepip >/dev/null 2>&1; \
	  $(BIN)/python -m pip install -q --no-compile --disable-pip-version-check -r $<; }
	@touch $@

$(PLAYING): requirements-play.lock pyproject.toml # only what playing needs
	@echo "Installing what Flagfall needs to play (only the first time) ..."
	@$(call pip,requirements-play.lock)
	@touch $@

play:            ## play in the browser
	@$(MAKE) --no-print-directory -j 2 $(PLAYING) web-build
	@FLAGFALL_PREPARES=1 FLAGFALL_LOG_LEVEL=$${FLAGFALL_LOG_LEVEL:-warning} $(BIN)/flagfall serve --open

terminal: $(PLAYING) ## play in the terminal
	@$(BIN)/flagfall play

# The web client needs no installed Python package, so that both are installed at the same time.
web-install: # what the web client is built with; again only when its lock has changed
	@$(PYTHON) hatch_build.py install

web-build: # the web client, if anything it is made from is newer than the last build
	@$(call timed,web-build,$(PYTHON) hatch_build.py)

web-for-tests: # the same, with what its own checks and axe in browser tests need
	@$(call timed,web-build,$(PYTHON) hatch_build.py install && $(PYTHON) hatch_build.py)

web-check: web-for-tests # types, style and tests of the web client
	@$(call timed,web-check,cd web && $(CALM) npm run --silent check && $(CALM) npm test --silent)

SHELL_PACKAGE := chromium-headless-shell
# The headless shell costs the tests a third less than a whole browser.
browser: # a browser for the tests
	@command -v chromium-headless-shell >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && \
	  timeout 60 apt-get install -qq --no-install-recommends --download-only $(SHELL_PACKAGE) >/dev/null 2>&1 && \
	  apt-get install -qq --no-install-recommends $(SHELL_PACKAGE) >/dev/null 2>&1; } || \
	 command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	 command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then RUN=; else RUN="sudo -n"; fi; \
	  $$RUN apt-get install -y --no-install-recommends chromium; } || { \
	  echo "The tests need a browser, and none could be installed: install Chromium or Chrome so that" \
	       "chromium, chromium-browser or google-chrome is found on the PATH, then try again."; exit 2; }

kernels: $(STAMP) # the machine code that tests run, with every index checked and less optimised; kept between runs
	@$(call timed,kernels,NUMBA_OPT=1 FLAGFALL_KERNELS=compiled FLAGFALL_BOUNDSCHECK=1 \
	  $(BIN)/python -m tests.kernels)

test:            ## lint, types, contracts, all tests
	@rm -f $(SPENT)
	@$(call timed,total,$(MAKE) --no-print-directory -j 2 everything CALM="nice -n 5")
	@$(table)

check:           ## lint, types, contracts and the tests of rules: for use while you work
	@rm -f $(SPENT)
	@$(call timed,total,$(MAKE) --no-print-directory install && $(SIDE_BY_SIDE) quick-parts)
	@$(table)

# Make begins them in this order, two at a time: what the tests need and what fails soonest; the tests as soon as they
# have what they need; the long checks while one core waits for the kernels, and in the time in which tests wait.
everything: kernels web-for-tests bytecode lint contracts browser all-tests types web-check docs

quick-parts: rules types lint contracts

bytecode: install # the tests as byte code, so that not every worker compiles them
	@$(call timed,bytecode,$(BIN)/python -m pytest --collect-only -qq tests >/dev/null)

lint: $(STAMP)
	@$(call timed,lint,$(BIN)/ruff check . && $(BIN)/ruff format --check .)

types: install
	@$(call timed,types,$(CALM) $(BIN)/mypy)

contracts: $(STAMP)
	@$(call timed,contracts,$(BIN)/lint-imports)

# Material's notice about its successor is no warning of ours.
docs: install    ## the documentation site, into site/; a warning is an error
	@$(call timed,docs,NO_MKDOCS_2_WARNING=1 $(CALM) $(BIN)/mkdocs build --strict -q)

rules: install # the tests of rules, views, records and matches
	@$(call timed,rules,$(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder $(RULES))

tests: install browser kernels web-for-tests # all tests
	@$(ALL_TESTS)

all-tests: kernels web-for-tests bytecode browser # the same when all they need is there
	@$(ALL_TESTS)

test-times: install browser kernels web-for-tests ## all tests, with the CPU seconds of each folder, file and fixture
	@$(PYTEST) -p tests.cpu_times tests

coverage: install ## which lines the tests of rules, views and match reach
	@$(PYTEST) tests --ignore tests/server --ignore tests/e2e --cov --cov-report=term-missing:skip-covered

bench: install   ## measure the engine against the C references, and a server with 50 live matches
	@$(BIN)/flagfall bench engine
	@$(BIN)/flagfall bench rl
	@$(BIN)/flagfall bench server --live 50 --seconds 10

bench-parsers: install ## measure every parser at the largest input it reads
	@$(BIN)/python -m bench.parsers

bench-click: install browser web-build ## measure from a click to the screen, in a browser
	@$(BIN)/python -m bench.click

TRIAL := $(VENV)/wheel-trial
wheel-trial: install web-build ## build the wheel and try it in a new environment without extras, with TRIAL_PYTHON
	@rm -rf $(TRIAL) && $(BIN)/python -m hatchling build -t wheel -d $(TRIAL)/dist
	@$(or $(TRIAL_PYTHON),$(PYTHON)) -m venv $(TRIAL)/venv && \
	  $(TRIAL)/venv/bin/python -m pip install -q --disable-pip-version-check $(TRIAL)/dist/*.whl
	@cd $(TRIAL) && venv/bin/python $(CURDIR)/tests/wheel_trial.py

tutorials: install ## run the tutorials and write their pages
	@$(BIN)/python -m docs.tutorials.render

screenshots: install browser web-build ## make the pictures of the README
	@$(BIN)/python -m docs.pictures.terminal
	@$(BIN)/python -m docs.pictures.browser

soak: install    ## the long runs: ten times the games of the laws, 100,000 mutated texts, kills and other troubles of the server
	@FLAGFALL_SOAK=1 $(PYTEST) --timeout 7200 tests/laws tests/view tests/players/belief tests/fuzz tests/puzzles tests/rl \
	  tests/server/test_nothing_lost.py tests/server/test_chaos.py tests/server/test_schema.py

# The extras that tests use. Not all: torch would bring gigabytes of CUDA packages into the lock.
LOCKED_EXTRAS := server rl data cluster openspiel
COMPILE := uv pip compile pyproject.toml --universal --generate-hashes --no-annotate --no-header --no-strip-extras \
	--no-emit-index-url -q
LOCK_FLAGS = --upgrade

lock:            ## write both locks anew from pyproject.toml, with the newest versions
	@$(COMPILE) --group dev $(addprefix --extra ,$(LOCKED_EXTRAS)) $(LOCK_FLAGS) -o requirements.lock
	@grep -v '^    --hash' requirements.lock | sed 's/ \\$$//' > $(VENV)/versions.txt
	@$(COMPILE) --group play --extra server -c $(VENV)/versions.txt -o requirements-play.lock
	@echo uv | uv pip compile - --universal --generate-hashes --no-annotate --no-header --no-emit-index-url \
	  -q -o requirements-uv.lock

relock: LOCK_FLAGS =
relock: lock     ## write both locks anew, and leave the versions that still fit

clean:           ## remove what was installed and cached
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
