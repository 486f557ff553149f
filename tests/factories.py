"""Factories without surprises: the least that is valid, everything else by name."""

from datetime import UTC, date, datetime, timedelta

import factory
from django.contrib.auth.models import User

from league.models import (
    Campaign,
    Club,
    Division,
    Membership,
    Player,
    Rider,
    Round,
    Season,
    Series,
    SeriesEntrant,
    Stage,
    Team,
    TeamSpell,
)
from league.models.campaign import Speciality
from league.models.club import Role

FIRST_EVENING = datetime(2026, 2, 5, 18, 30, tzinfo=UTC)


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"user{n}")
    email = factory.LazyAttribute(lambda u: f"{u.username}@example.org")
    first_name = factory.LazyAttribute(lambda u: u.username.title())


class ClubFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"V.C. Number {n}")
    slug = factory.Sequence(lambda n: f"club-{n}")


class MembershipFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.MEMBER


class PlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda n: f"Player Number{n}")


class SeasonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    name = "Season 2026"
    slug = factory.Sequence(lambda n: f"2026-{n}")
    starts_on = date(2026, 1, 1)
    ends_on = date(2026, 12, 31)


class TeamFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Team

    season = factory.SubFactory(SeasonFactory)
    name = factory.Sequence(lambda n: f"Team {n}")
    colour = "white"
    pattern = "plain"


class TeamSpellFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = TeamSpell

    team = factory.SubFactory(TeamFactory)
    player = factory.SubFactory(PlayerFactory)
    first_day = date(2026, 1, 1)


class CampaignFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Campaign

    season = factory.SubFactory(SeasonFactory)
    name = "Giro d'Inverno"
    slug = factory.Sequence(lambda n: f"giro-{n}")


class RiderFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Rider

    campaign = factory.SubFactory(CampaignFactory)
    bib = factory.Sequence(lambda n: n % 900 + 1)
    draft_order = factory.SelfAttribute("bib")
    name = factory.LazyAttribute(lambda r: f"Rider Nr{r.bib}")
    speciality = Speciality.ROULEUR
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..campaign.season.club"))


class StageFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Stage

    campaign = factory.SubFactory(CampaignFactory)
    order = factory.Sequence(lambda n: n + 1)
    number = factory.LazyAttribute(lambda s: str(s.order))
    name = "Pianura"
    course = "pianura"
    kind = "road"
    starts_at = factory.LazyAttribute(lambda s: FIRST_EVENING + timedelta(days=14 * (s.order - 1)))


class SeriesFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Series

    season = factory.SubFactory(SeasonFactory)
    name = "Coppa delle Corse"
    slug = factory.Sequence(lambda n: f"coppa-{n}")
    game = "breaking_away"


class DivisionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Division

    series = factory.SubFactory(SeriesFactory)
    order = factory.Sequence(lambda n: n + 1)
    name = factory.LazyAttribute(lambda d: f"Division {d.order}")


class SeriesEntrantFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SeriesEntrant

    series = factory.SubFactory(SeriesFactory)
    order = factory.Sequence(lambda n: n + 1)
    code = factory.LazyAttribute(lambda e: chr(ord("A") + (e.order - 1) % 26))
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..series.season.club"))


class RoundFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Round

    series = factory.SubFactory(SeriesFactory)
    order = factory.Sequence(lambda n: n + 1)
    number = factory.LazyAttribute(lambda r: str(r.order))
    starts_at = factory.LazyAttribute(lambda r: FIRST_EVENING + timedelta(days=14 * (r.order - 1)))
    setup = {"breaking_away-course": "kermesse-60"}
    options = {"course": "kermesse-60"}
