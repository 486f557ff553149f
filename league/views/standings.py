"""The public pages of a campaign: its front page, the general classification, teams, stages, and what others embed.

They print what was counted; nothing is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from csp.decorators import csp_replace
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt

from league import charts, racing, words
from league.access import campaign_of, stage_of
from league.book import Book, Row, of, open_book, road_of, sheet_of
from league.campaigns import is_public
from league.courses import course_of
from league.loading import TeamsOfTheDay
from league.models import BonusSprint, Campaign, Rider, Ruling, SheetVersion, Stage, Standing, Team
from league.models.results import SheetState
from league.ruling_words import in_words
from league.tables import Table, bonus_winners, gaps_table, gc_table, stage_table, teams_table
from league.views.public import public_page, recount_of, still_counting
from races.board.profile import SkylineStage, State, columns_of, profile, skyline
from rules.giro.course import Course, course_energy
from rules.giro.data import GC_LOOP_ALLOWED, MAX_RIDERS, Kind

NOTICES = 8
OPEN_FRAMES = csp_replace({"frame-ancestors": ["*"]})


# ---- the campaign ----------------------------------------------------------------------------------------------------
@public_page
def campaign(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The front page: who wears pink, what was ridden, what comes next."""
    found = campaign_of(request, club, season, campaign)
    if waiting := still_counting(request, found):
        return waiting
    book = open_book(found, wanted=of_the_front(found))
    context = {
        **standing(book),
        "front": front(book) if book.after else None,
        "skyline": skylines(book),
        "ridden": squares_ridden(book),
        "next": card(book, book.next_stage) if book.next_stage else None,
        "races": (races := racing.ridden_now(found)),
        "next_is_raced": any(one.stage == book.next_stage for one in races),
        "itinerary": [itinerary(book, stage) for stage in book.stages],
        "wears": wears(book),
        "teams": [(row, book.team(row)) for row in book.rows(Standing.TEAMS, book.after)],
        "notices": notices(book),
        "podium": podium(book),
        "start_list": start_list(book) if book.after is None else (),
        "start": start_words(book),
        "start_headline": words.start_headline(len(book.stages)),
        "tab": "campaign",
    }
    return render(request, "league/campaign.html", context)


def of_the_front(campaign: Campaign) -> Q:
    """The lines that the front page prints from: all of the latest stage, wearers and winners of the others."""
    first = Q(classification__in=[Standing.STAGE, Standing.TEAMS], rank=1)
    return of_the_latest(campaign) | Q(in_pink=True) | first


def of_the_latest(campaign: Campaign) -> Q:
    """The lines after the latest stage that was counted."""
    return Q(stage__in=Standing.objects.filter(campaign=campaign).order_by("-stage__order").values("stage")[:1])


def standing(book: Book) -> dict[str, Any]:
    """What every page with a standing says of it: after which stage, what it is worth, whether it is fresh."""
    return {
        "book": book,
        "after": book.after,
        "stamp": book.stamp(book.after, whole=True),
        "missing": words.missing_words([book.names.riders[pk] for pk in book.unresolved()]),
        "recount": recount_of(book.campaign),
    }


@dataclass(frozen=True, slots=True)
class Front:
    """The cloth of the wearer."""

    headline: str
    story: str
    wearer: Rider | None
    since: Stage | None
    evenings: int
    second: str
    lead: int | None
    advantage: str  # over the second, where both have the same score


def front(book: Book) -> Front:
    stage = book.after
    assert stage is not None
    pink, wearer = book.pink(), book.wearer(stage)
    result = {row.rider: row for row in book.rows(Standing.STAGE, stage)}
    mine = result.get(wearer.rider) if wearer else None
    out: dict[str, list[str]] = {}
    for row in book.rows(Standing.GC, stage):
        if row.state == "out" and row.facts["out_after"] == stage.pk:
            out.setdefault(row.facts["why_out"], []).append(book.name(row))
    story = words.StoryFacts(
        number=stage.number,
        name=stage.name,
        winners=winner_names(book, stage),
        wearer=pink.wearer if pink.wearer not in pink.winners else "",
        wearer_behind=mine.gap if mine else None,
        wearer_bonuses=mine.facts["bonuses"] if mine else 0,
        out=tuple((reason, tuple(riders)) for reason, riders in out.items()),
        going_on=sum(row.state != "out" for row in book.rows(Standing.GC, stage)),
        is_final=book.is_at_the_end,
        missing=tuple(book.names.riders[pk] for pk in book.unresolved()),
        is_time_trial=stage.is_time_trial,
    )
    return Front(
        headline=words.front_headline(pink, book.names),
        story=words.story(story),
        wearer=book.rider(wearer) if wearer else None,
        since=book.pink_since(),
        evenings=wearer.facts["days_in_pink"] if wearer else 0,
        second=pink.second,
        lead=pink.lead,
        advantage=words.tie_advantage(pink.tie) if pink.tie else "",
    )


def winner_names(book: Book, stage: Stage) -> tuple[str, ...]:
    """What to call who won a stage: the riders, or in a team time trial the teams."""
    return tuple(dict.fromkeys(winner_name(book, row) for row in book.winners(stage)))


def winner_name(book: Book, row: Row) -> str:
    run = row.facts["run"]
    return book.names.teams[run] if run else book.name(row)


def start_words(book: Book) -> str:
    """Before anything was ridden: when it starts."""
    first = book.stages[0] if book.stages else None
    if first is None:
        return _("The organiser has not drawn the route yet.")
    return _("It starts with stage %(number)s, %(name)s: %(evening)s.") % {
        "number": first.number,
        "name": first.name,
        "evening": words.evening(first.starts_at),
    }


def start_list(book: Book) -> list[tuple[Rider, Team | None]]:
    """Who starts, and for which team as things stand on the day of the first stage."""
    if not book.stages:
        return [(rider, rider.team) for rider in book.riders.values()]
    day, teams = book.stages[0].day, TeamsOfTheDay(book.campaign)
    return [(rider, teams.team(rider, day)) for rider in book.riders.values()]


def skylines(book: Book) -> tuple[SafeString, SafeString] | None:
    """All stages on one line, wide and narrow."""
    if not book.stages:
        return None
    drawn = [
        SkylineStage(
            number=stage.number,
            name=stage.name,
            road=road_of(stage),
            state=state_of(book, stage),
            winner=str(min((book.rider(row).bib for row in book.winners(stage)), default="")),
        )
        for stage in book.stages
    ]
    return skyline(drawn, "wide"), skyline(drawn, "narrow")


def state_of(book: Book, stage: Stage) -> State:
    if is_public(stage):
        return State.PAST
    return State.NEXT if stage == book.next_stage else State.AHEAD


def squares_ridden(book: Book) -> tuple[int, int] | None:
    """How many squares of road are ridden, and of how many; not told where a stage's length is not known."""
    lengths = {stage.pk: length_of(stage) for stage in book.stages}
    if not lengths or None in lengths.values():
        return None
    known = {pk: length or 0 for pk, length in lengths.items()}
    return sum(known[stage.pk] for stage in book.stages if is_public(stage)), sum(known.values())


def length_of(stage: Stage) -> int | None:
    """Columns of the course, where somebody told them."""
    drawn = road_of(stage)
    if isinstance(drawn, Course):
        return columns_of(drawn)
    return drawn.columns


@dataclass(frozen=True, slots=True)
class Card:
    """A stage that is to come, or how it was ridden: its profile and its facts."""

    stage: Stage
    wide: SafeString
    narrow: SafeString
    kind: str
    length: int | None
    energy: int | None
    is_first: bool  # nothing was saved before


def card(book: Book, stage: Stage) -> Card:
    course, drawn = course_of(stage), road_of(stage)
    milestones = course.milestones if course else stage.milestones
    return Card(
        stage=stage,
        wide=profile(drawn, "wide", name=stage.name),
        narrow=profile(drawn, "narrow", name=stage.name),
        kind=words.capital(words.kind_words(stage.kind)),
        length=length_of(stage),
        energy=None if milestones is None else course_energy(Kind(stage.kind), milestones),
        is_first=stage == book.stages[0],
    )


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A line of the list of stages."""

    stage: Stage
    kind: str
    length: int | None
    mini: SafeString
    stamp: str  # of its result; "": none yet
    is_next: bool
    winners: Sequence[tuple[Rider | None, Team | None]]  # riders, or teams in a team time trial
    pink: Rider | None
    pink_team: Team | None


def itinerary(book: Book, stage: Stage) -> Itinerary:
    winners: dict[tuple[str, int], tuple[Rider | None, Team | None]] = {}
    for row in book.winners(stage):
        run, rider = row.facts["run"], book.rider(row)
        winners["team" if run else "rider", run or rider.pk] = (None if run else rider, book.team(row))
    wearer = book.wearer(stage)
    return Itinerary(
        stage=stage,
        kind=words.kind_words(stage.kind),
        length=length_of(stage),
        mini=profile(road_of(stage), "mini", name=stage.name),
        stamp=book.stamp(stage) if is_public(stage) else "",
        is_next=stage == book.next_stage,
        winners=list(winners.values()),
        pink=book.rider(wearer) if wearer else None,
        pink_team=book.team(wearer) if wearer else None,
    )


@dataclass(frozen=True, slots=True)
class Wears:
    """Who wears what tonight, and since when."""

    pink: tuple[Rider, Team | None, Stage | None] | None
    winners: Sequence[tuple[Rider | None, Team | None]]
    teams: Sequence[tuple[Team, Stage]]


def wears(book: Book) -> Wears | None:
    stage = book.after
    if stage is None:
        return None
    wearer = book.wearer(stage)
    leading = [
        (team, lead_since(book, row))
        for row in book.rows(Standing.TEAMS, stage)
        if row.rank == 1 and (team := book.team(row))
    ]
    return Wears(
        pink=(book.rider(wearer), book.team(wearer), book.pink_since()) if wearer else None,
        winners=itinerary(book, stage).winners,
        teams=leading,
    )


def lead_since(book: Book, row: Row) -> Stage:
    """From which stage on a team has been first without a break."""
    since = book.by_pk[row.stage]
    for stage in reversed(book.counted):
        if not any(line.team == row.team and line.rank == 1 for line in book.rows(Standing.TEAMS, stage)):
            break
        since = stage
    return since


@dataclass(frozen=True, slots=True)
class Notice:
    """A line of the list of communiqués."""

    number: str
    text: str
    url: str
    at: datetime


def notices(book: Book) -> list[Notice]:
    """What was published and ruled, newest first."""
    found = [
        Notice(str(stage.order), published_words(stage, book.stamp(stage)), stage.get_absolute_url(), at)
        for stage in book.stages
        if is_public(stage) and (at := stage.sheet.official_at or stage.sheet.published_at)
    ]
    for ruling in book.rulings:
        ruling.campaign = book.campaign
        found.append(Notice("", ruling_line(ruling), ruling.get_absolute_url(), ruling.at))
    return sorted(found, key=lambda notice: notice.at, reverse=True)[:NOTICES]


def published_words(stage: Stage, stamp: str) -> str:
    facts = {"number": stage.number}
    if stamp == "revised":
        return _("Stage %(number)s is official, and was revised") % facts
    if stamp == SheetState.OFFICIAL:
        return _("Stage %(number)s is official") % facts
    return _("Stage %(number)s is provisional") % facts


def ruling_line(ruling: Ruling) -> str:
    told = {"number": ruling.number, "decision": in_words(ruling), "stage": ruling.stage.number}
    line = _("Ruling %(number)s, stage %(stage)s: %(decision)s") % told
    return _("%(line)s (withdrawn)") % {"line": line} if ruling.is_withdrawn else line


def podium(book: Book) -> list[tuple[Row, Rider, Team | None]]:
    """The first three, once no stage remains."""
    if not book.is_final:
        return []
    rows = [row for row in book.rows(Standing.GC, book.after) if row.rank is not None and row.rank <= 3]
    return [(row, book.rider(row), book.team(row)) for row in rows]


# ---- the general classification --------------------------------------------------------------------------------------
def after_of(request: HttpRequest) -> str | None:
    """The stage that the visitor wants to look back to: ?after=NUMBER."""
    return request.GET.get("after")


@public_page
def gc(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The general classification after a stage: table, track, and the gaps up to it."""
    found = campaign_of(request, club, season, campaign)
    if waiting := still_counting(request, found):
        return waiting
    book = open_book(found, after_of(request), wanted=of(Standing.GC))
    table = gc_table(book)
    context = {
        **standing(book),
        **document(book, "gc"),
        "table": table,
        "headline": words.gc_headline(book.pink()) if book.after else words.start_headline(len(book.stages)),
        "start": start_words(book),
        "loop": track(book),
        "gaps": gap_charts(book),
        "gaps_table": gaps_table(book),
        "off_track": [line for line in table.lines if line.state != "in"],
        "embed": request.build_absolute_uri(found.url("gc_embed")),
        "tab": "gc",
    }
    return render(request, "league/gc.html", context)


def document(book: Book, page: str) -> dict[str, Any]:
    """The head and foot of a communiqué: which stages can be looked at, the versions of the sheet, the rulings."""
    stage = book.after
    sheet = sheet_of(stage)
    with_standing = {s.pk for s in book.all_counted}
    return {
        "page": page,
        "pick": [(s, s.pk in with_standing) for s in book.stages],
        "sheet": sheet,
        "published_at": (sheet.official_at or sheet.published_at) if sheet else None,
        "rulings": [ruling for s in book.counted for ruling in rulings_at(book, s)],
    }


def rulings_at(book: Book, stage: Stage) -> list[Ruling]:
    rulings = book.rulings_of(stage)
    for ruling in rulings:
        ruling.campaign = book.campaign
    return rulings


def fits(book: Book, rows: Sequence[Row]) -> bool:
    """Whether the track and the chart can be drawn: a race of the game, on a track that the game has."""
    return bool(rows) and len(rows) <= MAX_RIDERS and book.campaign.gc_loop in GC_LOOP_ALLOWED


def colours(team: Team | None) -> dict[str, str]:
    """The jersey of a team; a rider without one has the dashed outline."""
    return {"colour": team.colour, "pattern": team.pattern} if team else {"colour": "bot", "pattern": ""}


def lapped_gap(row: Row, stage: Stage) -> int | None:
    """How far behind a rider was when this stage lapped him."""
    if row.facts["why_out"] != "lapped" or row.facts["out_after"] != stage.pk:
        return None
    part = next((part for part in row.facts["parts"] if part["kind"] == "lapped"), None)
    return dict(part["facts"])["gap"] if part else None


def once(draw: Callable[..., SafeString], *told: Hashable) -> SafeString:
    """A drawing, made once for the same values and language: it takes longer than the rest of its page."""
    return _drawn(get_language(), draw, *told)


@lru_cache(maxsize=256)
def _drawn(language: str | None, draw: Callable[..., SafeString], *told: Hashable) -> SafeString:
    return draw(*told)


def track(book: Book) -> SafeString | None:
    rows, stage = book.rows(Standing.GC, book.after), book.after
    if stage is None or not fits(book, rows):
        return None
    drawn = []
    for row in rows:
        gap, state = row.gap, row.state
        if (caught := lapped_gap(row, stage)) is not None:
            gap, state = caught, "lapped"
        rider = book.rider(row)
        drawn.append(
            charts.TrackRow(
                bib=str(rider.bib),
                gap=gap,
                state=state,
                wearer=row.in_pink,
                name=book.name(row),
                **colours(book.team(row)),
            )
        )
    wearer = book.wearer(stage)
    middle = _("%(rider)s in pink") % {"rider": book.name(wearer)} if wearer else _("nobody in pink")
    return once(charts.loop, tuple(drawn), book.campaign.gc_loop, middle)


def gap_charts(book: Book) -> tuple[SafeString, SafeString] | None:
    rows = book.rows(Standing.GC, book.after)
    if not fits(book, rows):
        return None
    series = []
    left_after = {stage.pk: stage.number for stage in book.counted}
    for row in rows:
        assert row.rider is not None
        past = book.rider_rows(Standing.GC, row.rider)
        gaps = tuple(past[s.pk].gap if past[s.pk].state == "in" else lapped_gap(past[s.pk], s) for s in book.counted)
        series.append(
            charts.GapLine(
                bib=str(book.rider(row).bib),
                name=book.name(row),
                gaps=gaps,
                end=row.facts["why_out"] or "",
                out_after=left_after.get(row.facts["out_after"], ""),
                **colours(book.team(row)),
            )
        )
    numbers = tuple(stage.number for stage in book.counted)
    wearers = tuple(str(book.rider(worn).bib) if (worn := book.wearer(s)) else None for s in book.counted)
    told = (tuple(series), numbers)
    limit = book.campaign.gc_loop
    return once(charts.gaps, *told, "wide", limit, wearers), once(charts.gaps, *told, "narrow", limit, wearers)


# ---- teams -----------------------------------------------------------------------------------------------------------
@public_page
def teams(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The team classification after a stage."""
    found = campaign_of(request, club, season, campaign)
    if not found.team_classification:
        raise Http404
    if waiting := still_counting(request, found):
        return waiting
    book = open_book(found, after_of(request), wanted=of(Standing.TEAMS, Standing.STAGE))
    table = teams_table(book)
    context = {
        **standing(book),
        **document(book, "teams"),
        "table": table,
        "headline": teams_headline(book, table),
        "count": next((line.cells["count"] for line in table.lines), 0),
        "start": start_words(book),
        "embed": request.build_absolute_uri(found.url("teams_embed")),
        "tab": "teams",
    }
    return render(request, "league/teams.html", context)


def teams_headline(book: Book, table: Table) -> str:
    if book.after is None:
        return _("No team has ridden yet")
    first = [line.team.name for line in table.lines if line.row.rank == 1 and line.team]
    second = next((line for line in table.lines if line.row.rank and line.row.rank > 1), None)
    return words.teams_headline(first, second.row.gap if second else None)


# ---- a stage ---------------------------------------------------------------------------------------------------------
@public_page
def stage(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """A stage: its result, or the road that is to come. What is only a draft is nobody's business here."""
    found = stage_of(request, club, season, campaign, number)
    if waiting := still_counting(request, found.campaign):
        return waiting
    own = Q(stage=found, classification__in=[Standing.STAGE, Standing.GC])
    where_the_giro_is = Q(in_pink=True) | of_the_latest(found.campaign) & of(Standing.GC)
    book = open_book(found.campaign, wanted=own | where_the_giro_is)
    here = book.by_pk[found.pk]
    public = is_public(here)
    table = stage_table(book, here) if book.rows(Standing.STAGE, here) else None
    winners = winner_names(book, here) if table else ()
    missing = [book.names.riders[pk] for pk in book.missing(here)] if table else []
    races = racing.races_of(here)
    context = {
        "book": book,
        "stage": here,
        "card": card(book, here),
        "is_public": public,
        "is_next": here == book.next_stage,
        "is_over": not public and book.next_stage is None,
        "table": table,
        "headline": words.stage_headline(
            here.number, here.name, winners, ridden=table is not None, missing=bool(missing)
        ),
        "stamp": book.stamp(here),
        "sheet": sheet_of(here) if public else None,
        "published_at": (here.sheet.official_at or here.sheet.published_at) if public else None,
        "missing": words.missing_words(missing),
        "bonuses": bonus_winners(book, here, bonuses_of(here)) if public else [],
        "versions": versions_of(here) if public else [],
        "rulings": rulings_at(book, here),
        "recount": recount_of(found.campaign),
        "racing": races.counts,
        "earlier_races": races.earlier,
        "previous": neighbour(book, here, -1),
        "following": neighbour(book, here, +1),
        "tab": "stage",
    }
    return render(request, "league/stage.html", context)


def bonuses_of(stage: Stage) -> dict[int, int | None]:
    return dict(BonusSprint.objects.filter(sheet__stage=stage).values_list("token", "rider"))


def versions_of(stage: Stage) -> QuerySet[SheetVersion]:
    """The published versions of the stage's sheet."""
    return SheetVersion.objects.filter(sheet__stage=stage).defer("content").select_related("by")


def neighbour(book: Book, stage: Stage, step: int) -> Stage | None:
    index = book.stages.index(stage) + step
    return book.stages[index] if 0 <= index < len(book.stages) else None


# ---- for other sites -------------------------------------------------------------------------------------------------
def open_to_frames(request: HttpRequest, club: str, season: str, campaign: str) -> Campaign:
    """A campaign of a club that is open to everybody: a frame on another site has no member."""
    found = campaign_of(request, club, season, campaign)
    if not found.season.club.is_public:
        raise Http404
    return found


@OPEN_FRAMES
@xframe_options_exempt
@public_page
def gc_embed(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The general classification, bare, to stand in a page of another site."""
    found = open_to_frames(request, club, season, campaign)
    book = open_book(found, after_of(request), wanted=of(Standing.GC))
    context = {**standing(book), "table": gc_table(book), "page": "gc", "title": _("General classification")}
    return render(request, "league/embed.html", context)


@OPEN_FRAMES
@xframe_options_exempt
@public_page
def teams_embed(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The team classification, bare, to stand in a page of another site."""
    found = open_to_frames(request, club, season, campaign)
    if not found.team_classification:
        raise Http404
    book = open_book(found, after_of(request), wanted=of(Standing.TEAMS, Standing.STAGE))
    context = {**standing(book), "table": teams_table(book), "page": "teams", "title": _("Team classification")}
    return render(request, "league/embed.html", context)
