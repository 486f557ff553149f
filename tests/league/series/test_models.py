"""What the tables of a points series hold, whoever writes into them."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import RestrictedError

from league.models import Division
from tests import factories as make


def test_an_entrant_is_a_team_or_a_player_or_a_bot(db: None) -> None:
    series = make.SeriesFactory()
    team, player = make.TeamFactory(season=series.season), make.PlayerFactory(club=series.season.club)

    for facts in ({"team": team, "player": player}, {"player": player, "bot": "easy"}, {"player": None}):
        with pytest.raises(IntegrityError, match="an_entrant_is_one_thing"), transaction.atomic():
            make.SeriesEntrantFactory(series=series, **facts)
    make.SeriesEntrantFactory(series=series, player=None, bot="easy", label="Bot 1")

    assert [str(entrant) for entrant in series.entrants.all()] == ["Bot 1"]


def test_nobody_is_entered_twice_and_no_two_share_their_letters(db: None) -> None:
    anna = make.SeriesEntrantFactory(code="A")

    for facts in ({"player": anna.player, "code": "B"}, {"code": "A"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            make.SeriesEntrantFactory(series=anna.series, **facts)

    assert anna.series.entrants.count() == 1


def test_a_round_is_called_by_its_number_and_name(db: None) -> None:
    plain, named = make.RoundFactory(number="2a"), make.RoundFactory(number="3", name="Kermesse")

    assert [str(plain), str(named)] == ["Round 2a", "Round 3, Kermesse"]


def test_a_series_goes_with_its_divisions_and_a_division_that_is_used_stays(db: None) -> None:
    division = make.DivisionFactory()
    make.SeriesEntrantFactory(series=division.series, division=division)
    make.RoundFactory(series=division.series, division=division)

    with pytest.raises(RestrictedError):
        division.delete()
    division.series.delete()

    assert not Division.objects.exists()
