"""A club's courses: the list, one of them, the editor."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import library
from league.access import club_of
from league.courses import BUILT_IN_IDS, course_groups, pasted
from league.errors import Late
from league.forms.library import MOST_HEXAGONS, MOST_TOKENS, Reading, Typed, terrain_choices
from league.models import Club, ClubCourse, Role
from league.models.campaign import StageKind
from races.board.giro import road_of
from races.board.profile import Size, profile
from races.board.strip import Strip
from races.board.whole import course_map
from races.errors import said
from rules.errors import RulesError
from rules.giro.course import Course, LineKind, built_in, compile_course, start_energy
from rules.giro.notation import LONGEST_TEXT, plan_from_json
from rules.giro.validity import findings


def facts(course: Course) -> dict[str, Any]:
    """A course in numbers, with its small picture."""
    return {
        "course": course,
        "kind": StageKind(course.kind).label,
        "energy": start_energy(course),
        "categories": len(course.segments),
        "bonus": len(course.columns_of(LineKind.BONUS)),
        "feed": len(course.columns_of(LineKind.FEED)),
        "profile": profile(course, Size.MINI, name=course.name),
    }


def drawings(course: Course, *, beside: bool = False) -> dict[str, Any]:
    """The road in its sizes; `beside`: the map for a narrow place, with letters that can still be read there."""
    strip = Strip(road=road_of(course, giro=True))
    return {
        "wide": profile(course, Size.WIDE, name=course.name),
        "narrow": profile(course, Size.NARROW, name=course.name),
        "map": course_map(strip, width=380, height=240) if beside else course_map(strip),
        "map_narrow": course_map(strip, width=380, height=240),
    }


def compiled(kept: ClubCourse) -> Course | None:
    """The course of the library, if it can be ridden."""
    return None if kept.plan is None else pasted(json.dumps(kept.plan, sort_keys=True))


@require_safe
def courses(request: HttpRequest, club: str) -> HttpResponse:
    """The club's courses, drafts among them; those put away; and the ones that come with the site."""
    found = club_of(request, club, Role.MEMBER)
    rows = [(kept, facts(road) if (road := compiled(kept)) else None) for kept in library.courses_of(found)]
    context = {
        "page": "courses",
        "kept": [row for row in rows if not row[0].is_archived],
        "away": [row for row in rows if row[0].is_archived],
        "groups": [(group.label, [facts(course) for course in group.courses]) for group in course_groups()],
    }
    return render(request, "league/library/courses.html", context)


@require_safe
def course(request: HttpRequest, club: str, course: str) -> HttpResponse:
    """One course of the library: its road, its numbers, its notation to copy."""
    found = club_of(request, club, Role.MEMBER)
    kept = course_at(found, course)
    road = compiled(kept)
    context: dict[str, Any] = {"page": "courses", "kept": kept}
    if road is not None:
        context |= {
            "facts": facts(road),
            "drawings": drawings(road),
            "notation": notation(kept.plan or {}),
            "warnings": [(finding.check, said(finding.saying)) for finding in findings(road.plan)],
        }
    return render(request, "league/library/course.html", context)


def course_at(club: Club, slug: str) -> ClubCourse:
    kept = get_object_or_404(ClubCourse.objects.select_related("by"), club=club, slug=slug)
    kept.club = club
    return kept


def notation(plan: dict[str, Any]) -> str:
    return json.dumps(plan, ensure_ascii=False, indent=1)


# ---- the editor ------------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def course_new(request: HttpRequest, club: str) -> HttpResponse:
    """Lay out a course: from three hexagons, or `like` one of the site or the club."""
    found = club_of(request, club, Role.COMMISSAIRE)
    typed = Typed.blank()
    like = request.GET.get("like", "")
    if like in BUILT_IN_IDS:
        typed = Typed.of(built_in(like).plan)
    elif like and (kept := ClubCourse.objects.filter(club=found, slug=like[:40]).first()):
        typed = Typed.stored(kept.draft)
    if like and typed.name:
        typed.name = (_("%(course)s, changed") % {"course": typed.name})[:80]
    return editor(request, found, None, typed)


@require_http_methods(["GET", "POST"])
def course_edit(request: HttpRequest, club: str, course: str) -> HttpResponse:
    """Change a course of the library; stages and races that took it keep theirs."""
    found = club_of(request, club, Role.COMMISSAIRE)
    kept = course_at(found, course)
    return editor(request, found, kept, Typed.stored(kept.draft))


def editor(request: HttpRequest, club: Club, kept: ClubCourse | None, typed: Typed) -> HttpResponse:
    """The editor's page; for htmx its form, or its preview alone. Only `save` stores anything."""
    seen = kept.version if kept else None
    status, late, paste, paste_faults, unsaved = 200, "", "", [], False
    do = request.POST.get("do", "check")
    if request.method == "POST":
        typed, unsaved = Typed.posted(request.POST), True
        seen = int(text) if (text := request.POST.get("seen", "")).isdigit() and len(text) < 9 else None
        paste = request.POST.get("paste", "")
        if do == "save":
            try:
                stored = store(request, club, kept, typed, seen)
            except Late as refusal:
                late, status = str(refusal), 409
                seen = ClubCourse.objects.values_list("version", flat=True).get(pk=kept.pk) if kept else None
            else:
                return gone_to(request, stored.get_absolute_url())
        elif do == "read":
            try:
                found = Typed.of(plan_from_json(paste))
            except RulesError as fault:
                paste_faults, status = [said(saying) for saying in fault.sayings[:20]], 422
            else:
                if found.fits:
                    typed, paste = found, ""
                else:
                    most = {"hexagons": MOST_HEXAGONS, "tokens": MOST_TOKENS}
                    text = (
                        _("This is more than fits in here: %(hexagons)s hexagons and %(tokens)s tokens at most.") % most
                    )
                    paste_faults, status = [text], 422
        else:
            typed.press(do)
    reading = typed.read(kept.slug if kept else library.free_slug(club, typed.name))
    context = {
        "page": "courses",
        "kept": kept,
        "typed": typed,
        "hexes": [
            {
                "n": n,
                "key": str(n),
                "hexagon": hexagon,
                "lanes": typed.squares_of(n),
                "notes": reading.notes.get(f"hex-{n}", ()),
            }
            for n, hexagon in enumerate(typed.hexes)
        ],
        "places": [(place, reading.notes.get(place, ())) for place in typed.places()],
        "terrains": terrain_choices(),
        "kinds": StageKind.choices,
        "dotted": ["0", "1", "2", "3"],
        "reading": reading,
        "preview": preview(reading),
        "seen": seen,
        "late": late,
        "paste": paste,
        "paste_faults": paste_faults,
        "longest": LONGEST_TEXT,
        "unsaved": unsaved,
    }
    template = "edit"
    if getattr(request, "htmx", False):
        template = "_preview" if do == "preview" else "_editor"
        context["oob"] = do == "preview"
    return render(request, f"league/library/{template}.html", context, status=status)


def store(request: HttpRequest, club: Club, kept: ClubCourse | None, typed: Typed, seen: int | None) -> ClubCourse:
    assert isinstance(request.user, User)  # a commissaire is signed on
    reading = typed.read(kept.slug if kept else library.free_slug(club, typed.name))
    plan = reading.plan.as_json() if reading.plan is not None and reading.is_sound else None
    name = " ".join(typed.name.split())[:80] or _("No name yet")
    layout = library.Layout(name=name, draft=typed.as_json(), plan=plan)
    if kept is None:
        stored = library.add(club, request.user, layout)
    else:
        stored = library.change(kept, request.user, layout, seen=seen)
    stored.club = club
    said = _("%(course)s is kept as a draft.") if stored.is_draft else _("%(course)s is in the library.")
    messages.success(request, said % {"course": stored.name})
    return stored


def gone_to(request: HttpRequest, url: str) -> HttpResponse:
    """On to another page, for htmx too."""
    if not getattr(request, "htmx", False):
        return redirect(url)
    return HttpResponse(status=204, headers={"HX-Redirect": url})


def preview(reading: Reading) -> dict[str, Any] | None:
    """The road as it stands, if it can be laid."""
    if reading.plan is None or not reading.is_sound:
        return None
    road = compile_course(reading.plan)
    return {"facts": facts(road), **drawings(road, beside=True), "notation": notation(reading.plan.as_json())}


@require_POST
def course_archive(request: HttpRequest, club: str, course: str) -> HttpResponse:
    """Put a course away, or take it out again."""
    found = club_of(request, club, Role.COMMISSAIRE)
    kept = course_at(found, course)
    away = request.POST.get("away") != "no"
    library.put_away(kept, away=away)
    said = _("%(course)s is put away.") if away else _("%(course)s is offered again.")
    messages.success(request, said % {"course": kept.name})
    return redirect(reverse("courses", args=[found.slug]))
