"""What every test may use: the cast and a club's Giro."""

import uuid
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from hypothesis import settings

from league.models import Club
from league.models.club import Role
from tests import factories as make
from tests.evening import Evening, giro
from tests.processes import queue, web, worker  # noqa: F401 - fixtures

# The same examples in every run: what fails was broken by the change at hand; `make fuzz` looks farther. Nothing is timed.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("wide", derandomize=False, deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz", type=int, default=0, metavar="RACES", help="also ride so many races that nobody thinks about"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fuzz: runs for as long as `--fuzz` says, and not at all without it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `--fuzz` the long tests are not chosen at all: they are not skipped, which would hide other skips."""
    if not config.getoption("fuzz"):
        endless = [item for item in items if item.get_closest_marker("fuzz")]
        config.hook.pytest_deselected(items=endless)
        items[:] = [item for item in items if item not in endless]


@dataclass
class Cast:
    """Anna organises, Bruno is commissaire, Carla is a member; Dino organises another club."""

    club: Club
    other_club: Club
    anna: User
    bruno: User
    carla: User
    dino: User


@pytest.fixture(autouse=True)
def fresh_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """No counter of another test. Not `clear`: that would empty the Redis that carries other workers' jobs."""
    prefix = uuid.uuid4().hex
    monkeypatch.setattr(caches["default"], "key_prefix", prefix)
    monkeypatch.setitem(caches.settings["default"], "KEY_PREFIX", prefix)  # of threads that begin in the test


@pytest.fixture
def cast(db: None) -> Cast:
    club = make.ClubFactory(name="V.C. Lanterna", slug="lanterna", motto="riders who never leave the table")
    other = make.ClubFactory(name="Wielerclub De Dobbel", slug="dobbel")
    people = {}
    for name, where, role in (
        ("anna", club, Role.ORGANISER),
        ("bruno", club, Role.COMMISSAIRE),
        ("carla", club, Role.MEMBER),
        ("dino", other, Role.ORGANISER),
    ):
        people[name] = make.UserFactory(username=name, first_name=name.title(), email=f"{name}@example.org")
        make.MembershipFactory(club=where, user=people[name], role=role)
    return Cast(club, other, **people)


@pytest.fixture
def evening(cast: Cast) -> Evening:
    """The club's Giro of five stages with six riders, nothing ridden yet; Anna organises."""
    return giro(club=cast.club, organiser=cast.anna)
