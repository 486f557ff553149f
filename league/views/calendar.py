"""The evenings of a campaign: the calendar, its feed, and the sheet that lies on the table tonight."""

from typing import Any

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from league.access import campaign_of, stage_of
from league.campaigns import is_public
from league.courses import course_of, facts_of
from league.ical import feed, stages_as_evenings
from league.models import Campaign, Stage
from league.sheets.giro import start_energy
from league.stages import road_of
from league.tonight import table_for
from races.board.profile import profile
from rules.giro import data


def stages_in_order(campaign: Campaign) -> list[Stage]:
    stages = list(campaign.stages.select_related("sheet").order_by("order"))
    for stage in stages:
        stage.campaign = campaign
    return stages


@require_safe
def calendar(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """Every evening of the campaign, by the club's clock; the next one stands out."""
    found = campaign_of(request, club, season, campaign)
    stages = stages_in_order(found)
    coming = next((stage for stage in stages if not is_public(stage)), None)
    rows: list[dict[str, Any]] = []
    for stage in stages:
        facts = facts_of(stage)
        rows.append(
            {
                "stage": stage,
                "public": is_public(stage),
                "next": stage is coming,
                "columns": facts.columns,
                "energy": start_energy(facts, 0),
                "profile": profile(road_of(stage, course_of(stage)), "mini", name=stage.name),
            }
        )
    context = {
        "tab": "calendar",
        "rows": rows,
        "coming": coming,
        "ridden": sum(row["public"] for row in rows),
        "squares": sum(row["columns"] for row in rows),
        "feed": request.build_absolute_uri(found.url("calendar_ics")),
    }
    return render(request, "league/calendar.html", context)


@require_safe
def calendar_ics(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The same for telephones."""
    found = campaign_of(request, club, season, campaign)
    stages = stages_in_order(found)
    evenings = stages_as_evenings(found, stages, lambda stage: request.build_absolute_uri(stage.get_absolute_url()))
    body = feed(found, evenings)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{found.slug}.ics"'
    return response


@require_safe
def tonight(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """One A4 page to write on at the table, to be typed in afterwards."""
    stage = stage_of(request, club, season, campaign, number)
    table = table_for(stage)
    road = road_of(stage, table.course)
    sheet = request.build_absolute_uri(stage.campaign.url("sheet", stage.number))
    lines = len(table.rows) + len(table.runs)
    context: dict[str, Any] = {
        "tab": "",
        "stage": stage,
        "table": table,
        "is_road": not table.kind.is_time_trial,
        "is_team_trial": bool(table.runs),
        "wide": profile(road, "wide", name=stage.name),
        "narrow": profile(road, "narrow", name=stage.name),
        "free": free_squares(table.free_squares),
        "most_paid": data.MAX_PAID,
        "paid": DOT.join(str(price) for price in data.PAID_SQUARES[1:]),
        "fast": DOT.join(str(squares) for squares, price in data.PELOTON_PRICE.items() if price),
        "price": DOT.join(str(price) for price in data.PELOTON_PRICE.values() if price),
        "risks": data.CRACK_TILES if table.kind.is_time_trial else data.RISK_ROW,
        "field": "packed full-field" if lines > FULL else "full-field" if lines > ROOMY else "",
        "sheet": sheet,
        "qr": qr(sheet),
    }
    return render(request, "league/tonight.html", context)


DOT = " · "
ROOMY = 7  # lines that leave room for 14 mm cells on one A4 page
FULL = 12  # lines that fit onto it at all without putting each on one line of text


def free_squares(by_speciality: Any) -> list[tuple[str, list[int]]]:
    """For each terrain the free squares of rouleur, leader and climber. Rules: GI-B1-01, GI-D3-03."""
    order = (data.Terrain.PLAIN, data.Terrain.RISE, data.Terrain.MOUNTAIN, data.Terrain.DOWNHILL)
    return [(terrain.value, [row[terrain] for row in by_speciality.values()]) for terrain in order]


def qr(address: str) -> SafeString:
    """The address as a QR code in SVG, black on white in every theme."""
    code = segno.make(address, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, light="#fff", svgclass="qr-s", border=2))  # noqa: S308  # no markup of ours in it
