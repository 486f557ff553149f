"""Signing up."""

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.models.club import clean_name


class SignupForm(forms.Form):
    """What allauth's sign-up form is built on: the name that the club sees."""

    name = forms.CharField(label=_("Your name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"}))

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth once the user is made."""
        user.first_name = self.cleaned_data["name"][:150]
        user.save(update_fields=["first_name"])
