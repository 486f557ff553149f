"""The Django app of the races."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RacesConfig(AppConfig):
    name = "races"
    verbose_name = _("Races")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Whose seat a bot keeps goes on watching; whoever runs the site may mend what stands still."""
        from races import access, clocks, trouble  # models are there by now

        access.register(clocks.gatekeeper, most=access.Right.WATCH)
        access.register(trouble.gatekeeper)
