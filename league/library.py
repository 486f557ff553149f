"""A club's own courses: kept as drafts as long as they like, used once they can be ridden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Late
from league.models import Club, ClubCourse
from races.setups import Offered

SLUG_LENGTH: Final = 40
TRIES: Final = 5
TAKEN: Final = "new"  # the address of the page for another one
GAME: Final = "giro"


class Layout(NamedTuple):
    """A course as it shall be kept: the editor as it was typed, and the plan, None while nobody could ride it."""

    name: str
    draft: Mapping[str, Any]
    plan: Mapping[str, Any] | None


def courses_of(club: Club) -> list[ClubCourse]:
    """The library: all courses, the drafts and those put away too."""
    found = list(ClubCourse.objects.filter(club=club).select_related("by"))
    for course in found:
        course.club = club
    return found


def usable(club: Club, kind: str | None = None) -> list[ClubCourse]:
    """Those that can be chosen for a stage, or only those of one kind."""
    found = ClubCourse.objects.filter(club=club, archived_at=None, plan__isnull=False)
    return [course for course in found if course.plan is not None and kind in (None, course.plan["kind"])]


def offered(game: str, user: User | AnonymousUser) -> Sequence[Offered]:
    """For a friendly: the courses of all clubs that somebody is a member of."""
    if game != GAME or not user.is_authenticated:
        return []
    found = ClubCourse.objects.filter(archived_at=None, plan__isnull=False, club__memberships__user=user)
    return [
        Offered(value=f"{course.club.slug}.{course.slug}", house=course.club.name, course=course.plan)
        for course in found.select_related("club").order_by("club__name", "club_id", "name", "pk")
        if course.plan is not None
    ]


def free_slug(club: Club, name: str) -> str:
    """An address in the club's library, which is the id in the notation too; it stays when the course is renamed."""
    stem = slugify(name).replace("_", "-")[: SLUG_LENGTH - 4].strip("-") or "course"
    have = {TAKEN, *ClubCourse.objects.filter(club=club, slug__startswith=stem).values_list("slug", flat=True)}
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in have:
        number += 1
    return slug


def add(club: Club, user: User, layout: Layout) -> ClubCourse:
    """A new course in the library; a draft if it cannot be ridden yet."""
    for attempt in range(TRIES):
        try:
            with transaction.atomic():
                slug = free_slug(club, layout.name)
                return ClubCourse.objects.create(club=club, slug=slug, **_values(layout, slug, user))
        except IntegrityError:  # somebody took the address between the look and the writing
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def change(course: ClubCourse, user: User, layout: Layout, *, seen: int | None) -> ClubCourse:
    """Store the course as typed. Stages and races that took it before keep theirs. Late: `seen` is not what stands."""
    with transaction.atomic():
        found = ClubCourse.objects.select_for_update().get(pk=course.pk)
        if seen != found.version:
            raise Late(
                _("%(who)s has saved this course in the meantime. Save once more to put yours in its place.")
                % {"who": (found.by.get_full_name() if found.by else "") or _("Somebody else")}
            )
        for name, value in _values(layout, found.slug, user).items():
            setattr(found, name, value)
        found.version += 1
        found.save()
    return found


def put_away(course: ClubCourse, *, away: bool) -> None:
    """Offer the course no more, or again; nothing is deleted."""
    ClubCourse.objects.filter(pk=course.pk).update(archived_at=timezone.now() if away else None)


def _values(layout: Layout, slug: str, user: User) -> Mapping[str, Any]:
    return {
        "name": layout.name,
        "draft": dict(layout.draft),
        "plan": None if layout.plan is None else {**layout.plan, "id": slug},
        "by": user,
        "changed_at": timezone.now(),
    }
