#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys

NEEDS_NO_SITE = ("simulate",)
"""Commands that read no secret and keep nothing: they run from a fresh clone, before there is a key."""


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in NEEDS_NO_SITE:
        os.environ.setdefault("BUILDING", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
