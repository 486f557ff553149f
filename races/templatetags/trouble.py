"""Races in trouble, on the pages of whoever may mend them."""

from typing import Any

from django import template
from django.contrib.auth.models import User

from races import trouble
from races.access import Viewer

register = template.Library()


@register.simple_tag
def troubles_of_the_site(user: Any) -> int:
    """How many races stand still, for whoever runs the site; 0 for everybody else, who is asked no query for it."""
    return trouble.in_trouble(user).count() if isinstance(user, User) and user.is_staff else 0


@register.simple_tag
def trouble_of(viewer: Viewer) -> str:
    """What is wrong with a race, for whoever leads it; empty if nothing is, and for everybody else."""
    race = viewer.race
    told = trouble.Trouble.read(race.trouble) if viewer.leads and race.is_running else None
    return trouble.says(race, told) if told else ""
