"""How pages speak of rulings: in words, and by whom. `{% load jury %}`."""

from django import template
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league import ruling_words
from league.models import Ruling

register = template.Library()


@register.filter
def in_words(ruling: Ruling) -> str:
    """ "Penalty of 5 squares for Venn"."""
    return ruling_words.in_words(ruling)


@register.filter
def signature(user: User | None) -> str:
    """The name that stands under a decision; never an e-mail address."""
    return (user.get_full_name() if user else "") or _("the jury")
