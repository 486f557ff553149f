"""The public pages of a points series: its table, a round, what stood on its sheet, what the next round could bring."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from league import series_racing, series_table
from league.access import round_of, series_of
from league.entrants import AS_SHOWN, names_of
from league.export import as_csv, as_json
from league.ical import feed, rounds_as_evenings
from league.models import Round, RoundVersion, Series, SeriesEntrant
from league.models.results import SheetState
from league.round_sheets import RoundSheet, sheet_of
from league.rounds import called, starters_of
from league.series_table import Tables, tables_of
from league.series_times import FILES, TimesTable, time_text, times_in, times_of
from league.views.public import public_page
from races.setups import title_of


def sheet_for(series: Series) -> RoundSheet:
    sheet = sheet_of(series.game, timed=series.is_timed)
    if sheet is None:
        raise Http404
    return sheet


@public_page
def series(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """The table after a round (?after=NUMBER), and the calendar."""
    found = series_of(request, club, season, series)
    table = standing_of(found, request.GET.get("after"))
    sheet = sheet_for(found)
    races = series_racing.ridden_now(found)
    context = {
        "series": found,
        "table": table,
        "game": title_of(found.game),
        "calendar": [(round_, dict(sheet.road(round_.options)), races.get(round_.pk)) for round_ in table.rounds],
        "next": next((round_ for round_ in table.rounds if not round_.is_public), None),
        "feed": request.build_absolute_uri(found.url("series_ics")),
        "page": "table",
    }
    return render(request, "league/series_times.html" if found.is_timed else "league/series.html", context)


def standing_of(series: Series, after: str | None) -> Tables | TimesTable:
    """The series as it is counted."""
    return times_of(series, after) if series.is_timed else tables_of(series, after)


def times_file(request: HttpRequest, table: TimesTable, name: str, fmt: str) -> HttpResponse:
    """As CSV one of the classifications (?of=teams), as JSON all of them."""
    series, after = table.series, table.after
    if fmt == "csv":
        which = request.GET.get("of", FILES[0])
        if which not in FILES:
            raise Http404
        return as_csv(f"{name}-{which}", table.keys(which), table.rows(which))
    content = {
        "club": series.season.club.name,
        "season": series.season.name,
        "series": series.name,
        "game": series.game,
        "after": {"number": after.number, "name": after.name} if after else None,
        "state": table.stamp or None,
        "counting": series.counting,
        "does_not_count": [round_.number for round_ in table.void],
        "generated_from": request.build_absolute_uri(series.url() + (f"?after={after.number}" if after else "")),
    }
    return as_json(name, content | {which: table.rows(which) for which in FILES})


@public_page
def series_file(request: HttpRequest, club: str, season: str, series: str, fmt: str) -> HttpResponse:
    """The table as CSV or JSON, with the figures of the page."""
    found = series_of(request, club, season, series)
    table = standing_of(found, request.GET.get("after"))
    after = table.after
    name = f"{found.season.club.slug}-{found.season.slug}-{found.slug}" + (f"-after-{after.number}" if after else "")
    if isinstance(table, TimesTable):
        return times_file(request, table, name, fmt)
    if fmt == "csv":
        rows = [
            {key: str(value) if isinstance(value, float) else value for key, value in row.items()}
            for row in table.file_rows()
        ]
        return as_csv(name, table.keys, rows)
    content = {
        "club": found.season.club.name,
        "season": found.season.name,
        "series": found.name,
        "game": found.game,
        "after": {"number": after.number, "name": after.name} if after else None,
        "state": table.stamp or None,
        "counting": {"points": found.points, "bonus": found.bonus, "kept": table.tables[0].standing.kept},
        "does_not_count": [{"round": round_.number, "why": why} for one in table.tables for round_, why in one.void],
        "generated_from": request.build_absolute_uri(found.url() + (f"?after={after.number}" if after else "")),
        "columns": table.keys,
        "rows": table.file_rows(),
    }
    if table.is_divided:
        content["divisions"] = [
            {"name": one.name, "kept": told.standing.kept}
            for one, told in zip(table.facts.divisions, table.tables, strict=True)
        ]
        content["moves"] = {"up": found.promoted, "down": found.relegated, "final": table.is_at_the_end}
    return as_json(name, content)


@public_page
def series_ics(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """The rounds for telephones."""
    found = series_of(request, club, season, series)
    rounds = list(found.rounds.select_related("division"))
    for round_ in rounds:
        round_.series = found
    body = feed(found, rounds_as_evenings(rounds, lambda r: request.build_absolute_uri(r.get_absolute_url())))
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{found.slug}.ics"'
    return response


@public_page
def what_if(request: HttpRequest, club: str, season: str, series: str, entrant: int) -> HttpResponse:
    """What each place in the next round would bring an entrant."""
    found = series_of(request, club, season, series)
    if found.is_timed:
        raise Http404
    table = tables_of(found).table_with(entrant)
    if table is None:
        raise Http404
    one = table.facts.line[entrant]
    row = next(row for row in table.lined_up.rows if row.entrant == one.pk)
    places = [
        {
            "place": what.place,
            "halves": series_table.points_text(what.halves),
            "total": series_table.points_text(what.total),
            "gain": series_table.points_text(what.gain),
            "with_bonus": series_table.points_text(what.total_with_bonus),
            "then": what.then,
        }
        for what in table.next_places(one)
    ]
    context = {
        "series": found,
        "table": table,
        "entrant": one,
        "points": series_table.points_text(row.halves),
        "rank": row.rank,
        "places": places,
        "bonus": found.bonus,
        "kept": table.rules.kept(len(table.standing.rounds) + 1),
        "rounds": len(table.standing.rounds) + 1,
        "page": "next",
    }
    return render(request, "league/what_if.html", context)


# ---- a round -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ResultLine:
    """A line in the result of a round."""

    entrant: SeriesEntrant
    row: dict[str, Any]
    brought: str  # points of the series
    facts: tuple[str, ...]
    substitute: str = ""


def _brought(tables: Tables, round_: Round) -> dict[int, str]:
    """By entrant what the round brought his line. Where two entries are one person's, it stands at the one that counts."""
    parts = {
        row.entrant: part
        for table in tables.tables
        for row in table.standing.rows
        for part in row.parts
        if part.round == round_.order
    }
    rows: dict[int, list[dict[str, Any]]] = {}
    for row in tables.facts.results[round_.pk]["rows"]:
        rows.setdefault(tables.facts.line[row["entrant"]].pk, []).append(row)
    return {
        row["entrant"]: series_table.points_text(parts[line].halves)
        for line, own in rows.items()
        if line in parts
        for row in own
        if len(own) == 1 or row["rank"] == parts[line].rank
    }


class Result:
    """A published sheet as a table to read."""

    def __init__(self, round_: Round, version: RoundVersion, tables: Tables | None = None) -> None:
        self.round, self.version = round_, version
        self.counts = tables is not None  # it is told what the round brought in the series
        sheet = sheet_for(round_.series)
        rows = version.result["rows"]
        self.columns = called(sheet, rows)
        entrants = {one.pk: one for one in round_.series.entrants.select_related(*AS_SHOWN)}
        names = {pk: str(player) for pk, player in names_of({row["substitute"] for row in rows} - {None}).items()}
        brought = _brought(tables, round_) if tables is not None else {}
        self.lines = [
            ResultLine(
                entrant=entrants[row["entrant"]],
                row=row,
                brought=brought.get(row["entrant"], ""),
                facts=tuple(str(row["facts"].get(key, "")) for key, _label in self.columns),
                substitute=names.get(row["substitute"], ""),
            )
            for row in sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0, row["entrant"]))
        ]
        self.times = (
            [
                (row, *("–" if one is None else time_text(one, signed=True) for one in (row.gap, row.time)))
                for row in times_in(version.result).riders
            ]
            if round_.series.is_timed
            else []
        )
        version.round = round_
        self.starters = starters_of(version)
        self.told = sheet.told(version.content["game"], round_.options, self.starters)

    def changes(self, older: RoundVersion) -> list[tuple[str, str, str]]:
        """What differs from an older version: what, before, now."""
        sheet = sheet_for(self.round.series)
        found = [
            (change.what, change.old, change.new)
            for change in sheet.changes(
                older.content["game"], self.version.content["game"], self.round.options, self.starters
            )
        ]
        names = {str(line.entrant.pk): line.entrant.name for line in self.lines}
        old, new = older.content["who"], self.version.content["who"]
        found += [
            (_("Who rode for %(name)s") % {"name": names.get(pk, "?")}, old.get(pk, "–"), new.get(pk, "–"))
            for pk in dict.fromkeys([*old, *new])
            if old.get(pk) != new.get(pk)
        ]
        return found


@public_page
def round_page(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """A round: its result once it is public, what is ridden, its race, the versions of its sheet."""
    found = round_of(request, club, season, series, number)
    sheet = sheet_for(found.series)
    versions = list(found.versions.select_related("by").order_by("-number"))
    tables = tables_of(found.series, found.number) if versions and not found.series.is_timed else None
    rounds = tables.rounds if tables else list(found.series.rounds.all())
    voids = [why for table in tables.tables for round_, why in table.void if round_ == found] if tables else []
    context = {
        "series": found.series,
        "round": found,
        "rounds": rounds,
        "road": sheet.road(found.options),
        "result": Result(found, versions[0], tables) if versions else None,
        "void": voids[0] if voids else "",
        "versions": versions,
        "races": series_racing.races_of(found),
        "page": "round",
    }
    return render(request, "league/round.html", context)


@public_page
def round_version(
    request: HttpRequest, club: str, season: str, series: str, number: str, version: int
) -> HttpResponse:  # fmt: skip
    """What stood on the sheet when it was published for the nth time; a permanent address."""
    found = round_of(request, club, season, series, number)
    shown = get_object_or_404(RoundVersion.objects.select_related("by"), round=found, number=version)
    older = found.versions.filter(number__lt=shown.number).order_by("-number").first()
    result = Result(found, shown)
    context = {
        "series": found.series,
        "round": found,
        "version": shown,
        "older": older,
        "result": result,
        "changes": result.changes(older) if older else (),
        "state": SheetState(shown.state),
        "page": "round",
    }
    return render(request, "league/round_version.html", context)
