"""Whoever is signed on."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def me(request: HttpRequest) -> User:
    """The user of a request that only signed-on users reach."""
    assert request.user.is_authenticated
    return request.user
