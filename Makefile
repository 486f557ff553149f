# Needs python3 (3.11 or newer, with venv), make and a package index. Everything else comes with it.
.PHONY: run test fuzz bench lint lock format clean
PY = .venv/bin/python
PIP = $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes
ENV = HTTPS=0 DEMO=1

run: .venv/run.ok var/secret_key       ## the site, with a demo club in mid-season
	@$(ENV) $(PY) manage.py serve --demo

test: .venv/dev.ok                     ## every test; says aloud what this machine could not run
	$(PY) -m pytest -n auto --maxprocesses 8 --dist worksteal

fuzz: .venv/dev.ok                     ## other examples of every property at each run, and FUZZ races at random
	$(PY) -m pytest -n auto --maxprocesses 8 --dist worksteal --hypothesis-profile=wide --fuzz $(or $(FUZZ),1000) tests/rules tests/races/board tests/league/classification tests/league/sheets

bench: .venv/dev.ok                    ## measurements, ratios first
	$(PY) -m bench

lint: .venv/dev.ok                     ## style, types, import contracts, templates, migrations
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
	.venv/bin/lint-imports
	BUILDING=1 $(PY) -m mypy
	.venv/bin/djlint templates --lint --quiet
	BUILDING=1 $(PY) manage.py makemigrations --check --dry-run
	BUILDING=1 SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(50))') ALLOWED_HOSTS=club.example HTTPS=1 $(PY) manage.py check --deploy --fail-level WARNING

format: .venv/dev.ok
	$(PY) -m ruff check --fix --quiet . ; $(PY) -m ruff format .

lock: .venv/dev.ok                     ## renew the lock files from requirements.in and dev.in
	$(PY) -m pip install --quiet uv
	.venv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header -U requirements.in -o requirements.txt
	.venv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header -U dev.in -o dev.txt

var/secret_key:
	@mkdir -p var && (umask 077 && python3 -c 'import secrets; print(secrets.token_urlsafe(50))' > $@)

.venv/pip.ok:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "This needs Python 3.11 or newer; python3 here is older."; exit 1; }
	@python3 -c 'import ensurepip, venv' || { echo "python3 lacks venv. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	python3 -m venv .venv && touch $@

.venv/run.ok: requirements.txt .venv/pip.ok
	$(PIP) -r requirements.txt && touch $@

.venv/dev.ok: dev.txt .venv/run.ok
	$(PIP) -r dev.txt && touch $@

clean:
	rm -rf .venv var staticfiles
