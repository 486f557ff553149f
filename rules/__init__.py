"""The games as pure values: no database, no web, no clock, no random numbers.

`rules` imports nothing of the site; `races` and `league` import `rules`.
"""
