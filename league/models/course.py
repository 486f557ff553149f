"""Courses that a club has laid out and keeps."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from league.models.club import Club


class ClubCourse(models.Model):
    """A course in a club's library. A stage or a race that takes it keeps a copy: changing it here changes neither.

    `draft` is the editor as it was typed, whatever it says. `plan` is the course in the public notation; None while
    the draft cannot be ridden at any table.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="courses")
    slug = models.SlugField(max_length=40)
    name = models.CharField(max_length=80)
    draft = models.JSONField(default=dict)
    plan = models.JSONField(null=True, blank=True)
    # counts what was saved, so that nobody overwrites what he never saw
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)  # no more offered

    class Meta:
        ordering = ("name", "pk")
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="one_course_per_club_and_address")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("course", args=[self.club.slug, self.slug])

    @property
    def is_draft(self) -> bool:
        return self.plan is None

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None
