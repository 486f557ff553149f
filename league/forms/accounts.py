"""Signing up, and the name that the club sees."""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.forms.names import NameField

PASSWORD_HINT = _("At least 8 characters, not only figures, and not one that everybody uses.")


def name_field() -> NameField:
    return NameField(label=_("Your name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"}))


class SignupForm(AllauthSignupForm):
    """E-mail and password as allauth asks for them, and the name that the club sees."""

    name = name_field()
    field_order = ("name", "email", "password1")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = PASSWORD_HINT

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth once the user is made."""
        user.first_name = self.cleaned_data["name"]
        user.save(update_fields=["first_name"])


class AccountForm(forms.Form):
    """What one may change about oneself here; e-mail and password have pages of their own."""

    name = name_field()
