"""The house: settings that shout at nonsense, a compose file that holds together, a lock without hosts."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client

from league.env import Env

ROOT = Path(__file__).resolve().parents[2]
GOOD_KEY = "a-key-of-the-tests-" + "x" * 50


def start(**env: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check --deploy` in a fresh process with only this environment."""
    base = {"PATH": os.environ["PATH"], "DATA_DIR": os.environ["DATA_DIR"]}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=base | env, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_the_tests_run_on_postgresql_where_they_can() -> None:
    if os.environ.get("DATABASE_URL"):
        assert connection.vendor == "postgresql"
    else:
        pytest.skip("no PostgreSQL on this machine")


def test_a_site_with_a_key_and_a_host_passes_the_deployment_check() -> None:
    done = start(SECRET_KEY=GOOD_KEY, ALLOWED_HOSTS="club.example")

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "too short"),
        ({"SECRET_KEY": GOOD_KEY, "DEBUG": "maybe"}, "DEBUG='maybe' is neither yes nor no"),
        ({"SECRET_KEY": GOOD_KEY, "EMAIL_PORT": "smtp"}, "EMAIL_PORT='smtp' is not a whole number"),
        ({"SECRET_KEY": GOOD_KEY, "EMAIL_PORT": "99999"}, "not between 1 and 65535"),
        ({"SECRET_KEY": GOOD_KEY, "DATABASE_URL": "mysql://x"}, "DATABASE_URL must start with postgresql://"),
        ({"SECRET_KEY": GOOD_KEY, "REDIS_URL": "127.0.0.1"}, "REDIS_URL must start with redis://"),
        ({"SECRET_KEY": GOOD_KEY, "WEB_CONCURRENCY": "4"}, "needs DATABASE_URL and REDIS_URL"),
    ],
)
def test_nonsense_in_the_environment_stops_the_start_and_names_itself(env: dict[str, str], says: str) -> None:
    done = start(**env)

    assert done.returncode != 0
    assert says in done.stderr


def test_words_flags_and_numbers_are_read_as_people_write_them() -> None:
    env = Env({"A": " yes ", "B": "off", "C": " 12 ", "D": "a, b,,c "})

    assert env.flag("A", default=False)
    assert not env.flag("B", default=True)
    assert env.whole("C", 0) == 12
    assert env.words("D") == ["a", "b", "c"]
    with pytest.raises(ImproperlyConfigured, match="E"):
        Env({"E": "-1"}).whole("E", 0)


def test_every_service_of_the_compose_file_restarts_and_is_watched() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    services = compose["services"]

    assert set(services) == {"postgres", "redis", "migrate", "web", "worker", "beat"}
    for name, service in services.items():
        if name == "migrate":
            continue
        assert service["restart"] == "unless-stopped", name
        assert service["healthcheck"]["test"], name
    for service in services.values():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in compose["volumes"]
        for other in service.get("depends_on", {}):
            assert other in services


def test_compose_passes_only_settings_that_exist() -> None:
    known = set(re.findall(r'env\.\w+\("([A-Z_]+)"', (ROOT / "league/settings.py").read_text()))
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for name in ("web", "worker", "beat", "migrate"):
        assert set(compose["services"][name]["environment"]) <= known


def test_the_image_runs_as_an_ordinary_user() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()

    assert "USER club" in lines
    assert lines.index("USER club") < next(n for n, line in enumerate(lines) if line.startswith("CMD"))


def test_every_setting_is_explained() -> None:
    known = set(re.findall(r'env\.\w+\("([A-Z_]+)"', (ROOT / "league/settings.py").read_text()))
    told = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/settings.md").read_text()))

    assert known - told == set()


def test_the_lock_files_pin_everything_with_hashes_and_name_no_host() -> None:
    for name in ("requirements.txt", "dev.txt"):
        text = (ROOT / name).read_text()
        pins = re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE)
        assert len(pins) > 10
        assert text.count("--hash=sha256:") >= len(pins)
        assert "://" not in text


@pytest.mark.django_db
def test_health_says_that_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"


@pytest.mark.django_db
def test_every_page_carries_a_strict_content_policy(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
