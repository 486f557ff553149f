"""How the account library speaks here: short, and with the way out."""

from allauth.account.adapter import DefaultAccountAdapter
from django.utils.translation import gettext_lazy as _


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is closed. Ask an organiser of your club."),
        "cannot_remove_primary_email": _("This is the address you sign on with. Make another one primary first."),
        "duplicate_email": _("This address is yours already."),
        "email_password_mismatch": _(
            "That password does not go with this address. Try again, or let us send you a code."
        ),
        "email_taken": _("Somebody signs on with this address already. If it is you, sign on or reset the password."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_code": _("That is not the code that we sent. Check the newest mail."),
        "incorrect_password": _("That is not your password."),
        "too_many_login_attempts": _("Too many tries with this address. Wait five minutes, or let us send you a code."),
        "unknown_email": _("Nobody signs on with this address."),
        "unverified_primary_email": _("Confirm this address first: the link is in the mail that we sent."),
        "rate_limited": _("Too many tries in a short time. Wait a few minutes."),
    }

    def format_email_subject(self, subject: str) -> str:
        """The subject alone: the sender says whose site it is."""
        return str(subject)
