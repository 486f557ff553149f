from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "League"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give the club's roles their rights over its races, and listen to them."""
        from league import library, racing, receivers, series_racing  # noqa: F401  # models are there by now; receivers register themselves
        from races import access, lobby, setups

        for house in (racing, series_racing):
            access.register(house.gatekeeper)
            lobby.register_house(house)
        setups.register_courses(library.offered)
