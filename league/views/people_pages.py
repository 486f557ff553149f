"""Club, season, riders, players and teams, as everybody may look at them."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from league import careers, fronts, roster
from league.access import campaign_of, club_of, has, season_of
from league.book import open_book
from league.courses import course_of
from league.export import as_csv, as_json
from league.first_steps import way
from league.fronts import SIGNS, Front, books_of
from league.models import Campaign, Player, Rider, Role, Season, SeasonStanding, Standing, Team
from league.recount import TEAM_POINTS
from league.ruling_words import in_words
from league.season_tables import season_headline, season_table, standings_of
from league.series_table import fronts_of
from league.stages import road_of
from league.views.public import public_page, recount_of, still_counting
from races.board.profile import Size, profile


# ---- the club --------------------------------------------------------------------------------------------------------
@public_page
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The club's front page: who wears pink, what comes next, its seasons; for an organiser the way to the first result."""
    found = club_of(request, club)
    seasons = list(found.seasons.all())
    for season in seasons:
        season.club = found
    by_pk = {season.pk: season for season in seasons}
    campaigns = list(Campaign.objects.filter(season__club=found))
    for campaign in campaigns:
        campaign.season = by_pk[campaign.season_id]
    books = books_of(campaign for campaign in campaigns if not campaign.season.is_archived)
    giri = [Front(book) for book in books.values()]
    now = fronts.season_today(seasons, roster.today_in(found))
    first = fronts.foremost(giri)
    organiser = has(getattr(request, "role", None), Role.ORGANISER)
    ahead = fronts.next_evening(giri, first)
    road = road_of(ahead, course_of(ahead)) if ahead else None
    context = {
        "front": first,
        "next": ahead,
        "next_wide": profile(road, Size.WIDE, name=ahead.name) if road and ahead else "",
        "next_narrow": profile(road, Size.NARROW, name=ahead.name) if road and ahead else "",
        "seasons": len(seasons),
        "now": now,
        "giri": [front for front in giri if front.campaign.season_id == (now.pk if now else None)],
        "series": fronts_of(now) if now else (),
        "others": [season for season in seasons if not season.is_archived and season != now],
        "archive": archive(seasons, campaigns),
        "players": roster.on_roster(found).count(),
        "way": way(found, now, [f for f in giri if now and f.campaign.season_id == now.pk]) if organiser else None,
    }
    return render(request, "league/club.html", context)


def archive(seasons: list[Season], campaigns: list[Campaign]) -> list[tuple[Season, list[tuple[Campaign, Any]]]]:
    """The archived seasons with their Giri, each with the line of who wore pink in the end."""
    past = [campaign for campaign in campaigns if campaign.season.is_archived]
    worn = fronts.honours(Campaign.objects.filter(pk__in=[campaign.pk for campaign in past]))
    return [
        (season, [(campaign, worn.get(campaign.pk)) for campaign in past if campaign.season_id == season.pk])
        for season in seasons
        if season.is_archived
    ]


# ---- the season ------------------------------------------------------------------------------------------------------
def campaigns_of(season: Season) -> list[Campaign]:
    """The Giri of a season, newest first."""
    campaigns = list(Campaign.objects.filter(season=season))
    for campaign in campaigns:
        campaign.season = season
    return campaigns


@public_page
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A season: its Giri, its tables of teams and players with the why of every point, its teams and transfers."""
    found = season_of(request, club, season)
    campaigns = campaigns_of(found)
    stale = next((campaign for campaign in campaigns if not campaign.is_counted), None)
    if stale is not None and (waiting := still_counting(request, stale)):
        return waiting
    books = books_of(campaigns)
    standings = standings_of(found)
    spells = careers.spells_in(found)
    day = careers.day_within(found, roster.today_in(found.club))
    tables = [season_table(name, rows, books) for name, rows in standings.items() if rows]
    context = {
        "giri": [Front(book) for book in books.values()],
        "series": fronts_of(found),
        "headline": season_headline(found, tables[0]) if tables else "",
        "tables": tables,
        "stamp": fronts.worth(books.values()),
        "points": found.team_points or TEAM_POINTS,
        "line_ups": careers.line_ups(found, spells, day),
        "moves": careers.moves(found, spells),
        "wearing": {roster.kept(spell.player).pk: spell.team for spell in spells if spell.covers(day)},
        "recount": recount_of(stale) if stale is not None else None,
    }
    return render(request, "league/season.html", context)


@public_page
def season_table_file(request: HttpRequest, club: str, season: str, table: str, fmt: str) -> HttpResponse:
    """A season's table as a file, with the figures of the page."""
    found = season_of(request, club, season)
    shown = season_table(table, standings_of(found)[table], books_of(campaigns_of(found)))
    name = f"{found.club.slug}-{found.slug}-{table}"
    if fmt == "csv":
        return as_csv(name, shown.keys, shown.rows())
    return as_json(name, {"club": found.club.name, "season": found.name, "table": table, "rows": shown.rows()})


@public_page
def team(request: HttpRequest, club: str, season: str, pk: int) -> HttpResponse:
    """A team of a season: its jersey, who rode for it and when, and what they won for it."""
    found = season_of(request, club, season)
    side = get_object_or_404(Team, season=found, pk=pk)
    side.season = found
    last = Standing.objects.filter(campaign=OuterRef("campaign"), classification=Standing.TEAMS)
    latest = Q(
        classification=Standing.TEAMS, team=side, stage=Subquery(last.order_by("-stage__order").values("stage")[:1])
    )
    books = books_of(campaigns_of(found), wanted=latest)
    table = season_table(SeasonStanding.TEAMS, standings_of(found)[SeasonStanding.TEAMS], books)
    day = careers.day_within(found, roster.today_in(found.club))
    spells = [spell for spell in careers.spells_in(found) if spell.team_id == side.pk]
    context = {
        "team": side,
        "line": table.line_of(side),
        "spells": [(spell, spell.covers(day)) for spell in spells],
        "fixed": list(
            Rider.objects.filter(team=side).select_related("campaign", "player__merged_into").order_by("bib")
        ),
        "giri": [
            (Front(book), row)
            for book in books.values()
            for row in book.rows(Standing.TEAMS, book.after)
            if row.team == side.pk
        ],
    }
    return render(request, "league/team.html", context)


# ---- riders ----------------------------------------------------------------------------------------------------------
@public_page
def riders(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The start list, and where everybody on it stands."""
    found = campaign_of(request, club, season, campaign)
    if waiting := still_counting(request, found):
        return waiting
    book = open_book(found, wanted=SIGNS | careers.latest_standing(found))
    starters = careers.start_list(book)
    context = {
        "tab": "riders",
        "book": book,
        "after": book.after,
        "starters": starters,
        "going": 0 if book.is_at_the_end else sum(not starter.is_out for starter in starters),
        "out": sum(starter.is_out for starter in starters),
        "recount": recount_of(found),
    }
    return render(request, "league/riders.html", context)


@public_page
def rider(request: HttpRequest, club: str, season: str, campaign: str, bib: int) -> HttpResponse:
    """A rider: his Giro evening by evening, the rulings on him, what is ahead; the evenings in pink of his player."""
    found = campaign_of(request, club, season, campaign)
    if waiting := still_counting(request, found):
        return waiting
    line = get_object_or_404(Rider.objects.select_related("player__merged_into", "team"), campaign=found, bib=bib)
    line.campaign = found
    ride = careers.ride_of(found, line)
    player = roster.kept(line.player)
    ahead = careers.next_stage(ride)
    team = careers.Jerseys(ride.book).team(line, ride.latest)
    context = {
        "tab": "riders",
        "book": ride.book,
        "after": ride.book.after,
        "ride": ride,
        "rider": line,
        "team": team,
        "player": player,
        "reason": careers.why_there(ride),
        "pink_since": ride.book.pink_since() if ride.is_in_pink else None,
        "rulings": [(made, in_words(made)) for made in careers.rulings_on(line)],
        "next": ahead,
        "next_profile": profile(ahead.road, Size.NARROW, name=ahead.stage.name) if ahead else "",
        "career": careers.career_of(player),
        "recount": recount_of(found),
    }
    return render(request, "league/rider.html", context)


# ---- players ---------------------------------------------------------------------------------------------------------
@public_page
def player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A player over all his Giri, those of players merged into him with them. A merged player's address leads to him."""
    found = club_of(request, club)
    person = get_object_or_404(Player, club=found, pk=pk)
    if person.merged_into_id is not None:
        return redirect("player", found.slug, person.merged_into_id, permanent=True)
    person.club = found
    career = careers.career_of(person)
    others = [other for other in roster.namesakes(found, person.name) if other.pk != person.pk]
    context = {
        "person": person,
        "career": career,
        "team": roster.teams_today(found, [person.pk]).get(person.pk),
        "spells": careers.spells_over_time(person),
        "places": careers.season_places(person),
        "namesakes": roster.know(others, found) if others else [],
        "once": sorted({other.name for other in person.merged.all()} - {person.name}),
    }
    return render(request, "league/player.html", context)
