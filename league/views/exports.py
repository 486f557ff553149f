"""The tables of a campaign as files: the figures of the pages, and what they are worth.

JSON carries beside the rows: club, season, campaign, table, the stage it stands after, its state, the revision of the
results it was counted from, whether that is the present one, and the address of the page that shows the same.
"""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse

from league.access import campaign_of, stage_of
from league.book import Book, of, open_book
from league.export import as_csv, as_json
from league.models import Stage, Standing
from league.tables import Table, gaps_table, gc_table, stage_table, teams_table
from league.views.public import public_page
from league.views.standings import after_of


def answer(request: HttpRequest, book: Book, table: Table, stage: Stage | None, page: str, fmt: str) -> HttpResponse:
    """The table as CSV or JSON. `page`: the address that shows it."""
    campaign = book.campaign
    season = campaign.season
    name = f"{season.club.slug}-{season.slug}-{campaign.slug}-{table.name}"
    if stage is not None and not table.name.startswith("stage-"):
        name += f"-after-{stage.number}"
    if fmt == "csv":
        return as_csv(name, table.keys, table.rows())
    whole = not table.name.startswith("stage-")
    content = {
        "club": season.club.name,
        "season": season.name,
        "campaign": campaign.name,
        "table": table.name,
        "after": {"number": stage.number, "name": stage.name} if stage else None,
        "state": book.stamp(stage, whole=whole) if stage else None,
        "revision": campaign.counted_revision,
        "is_counted": campaign.is_counted,
        "generated_from": request.build_absolute_uri(page),
        "columns": list(table.keys),
        "rows": table.rows(),
    }
    return as_json(name, content)


def page_after(book: Book, page: str) -> str:
    address = book.campaign.url(page)
    return f"{address}?after={book.after.number}" if book.after else address


@public_page
def gc(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The general classification."""
    book = open_book(campaign_of(request, club, season, campaign), after_of(request), wanted=of(Standing.GC))
    return answer(request, book, gc_table(book), book.after, page_after(book, "gc"), fmt)


@public_page
def gaps(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The gaps after every stage."""
    book = open_book(campaign_of(request, club, season, campaign), after_of(request), wanted=of(Standing.GC))
    return answer(request, book, gaps_table(book), book.after, page_after(book, "gc"), fmt)


@public_page
def teams(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The team classification."""
    found = campaign_of(request, club, season, campaign)
    if not found.team_classification:
        raise Http404
    book = open_book(found, after_of(request), wanted=of(Standing.TEAMS, Standing.STAGE))
    return answer(request, book, teams_table(book), book.after, page_after(book, "teams"), fmt)


@public_page
def stage(request: HttpRequest, club: str, season: str, campaign: str, number: str, fmt: str) -> HttpResponse:
    """The result of a stage; none before it is published."""
    found = stage_of(request, club, season, campaign, number)
    own = Q(stage=found, classification__in=[Standing.STAGE, Standing.GC])
    book = open_book(found.campaign, wanted=own)
    if book.after is None:
        raise Http404
    here = book.after
    return answer(request, book, stage_table(book, here), here, here.get_absolute_url(), fmt)
