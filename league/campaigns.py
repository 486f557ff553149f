"""Setting up a campaign, and what setting up has in common. One call for each form; the demo makes the same calls.

A *plan* is what somebody wants a campaign or a stage to be. A call checks the whole of it and either does it or raises
`Faulty` with every fault at once; a fault that only *asks* is confirmed by `sure=True`. A stage is *public* once it has
a published result. The start list is the business of `startlist`, stages are that of `stages`.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.access import open_for_change
from league.errors import Refused
from league.models import Campaign, Rider, Season, Sheet, Stage
from league.models.club import clean_name
from league.models.results import SheetState
from league.recount import touch
from league.results import lock
from rules.giro import data

UNREADABLE = frozenset({"Cc", "Cs"})  # control characters and broken halves of characters


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong, in a sentence, and where: a field of the form (empty: the whole), and for a start list the line."""

    message: str
    field: str = ""
    line: int | None = None  # index into the lines as given
    rider: int | None = None  # of one who cannot leave the start list
    asks: bool = False  # unusual, not impossible: one tick confirms


class Faulty(Refused):
    """Nothing was changed; `faults` say why, all of them."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.message for fault in self.faults))


def refuse(faults: Sequence[Fault], *, sure: bool) -> None:
    """Raise what stands in the way; asks do not once they are confirmed."""
    if any(not fault.asks for fault in faults) or (faults and not sure):
        raise Faulty(faults)


def is_public(stage: Stage) -> bool:
    """Whether a result of the stage is published. Its sheet is looked up unless it came with the stage."""
    sheet = getattr(stage, "sheet", None)
    return sheet is not None and sheet.is_public


def public_stages(campaign: Campaign) -> int:
    """How many stages have a published result."""
    return Sheet.objects.filter(stage__campaign=campaign).exclude(state=SheetState.DRAFT).count()


def named(text: str) -> str:
    """A name as stored; empty when nothing in it could be read aloud or seen."""
    name = clean_name("".join(mark for mark in text if mark.isspace() or unicodedata.category(mark) not in UNREADABLE))
    return name if any(unicodedata.category(mark)[0] in "LNSP" for mark in name) else ""


# ---- the campaign ----------------------------------------------------------------------------------------------------
SCORING = (
    "gc_loop", "stage_win", "bonus", "time_limit", "cap_road", "cap_time_trial", "team_classification", "team_count",
)  # fmt: skip
"""Options that a standing depends on: changing one counts every table of the campaign again."""


@dataclass(frozen=True, kw_only=True)
class CampaignPlan:
    """What a campaign shall be. An empty address is made from the name.

    Rules: GI-D1-01, GI-D1-04, GI-D2-01, GI-D4-01, GI-F-05, E12.
    """

    name: str
    slug: str = ""
    gc_loop: int = data.GC_LOOP
    stage_win: int = data.STAGE_WIN
    bonus: int = data.BONUS
    time_limit: int = data.TIME_LIMIT
    cap_road: int = data.CARRY_CAP[data.Kind.ROAD]
    cap_time_trial: int = data.CARRY_CAP[data.Kind.ITT]
    riders_per_player: int = 1
    team_classification: bool = True
    team_count: int | None = None

    @classmethod
    def of(cls, campaign: Campaign) -> CampaignPlan:
        return cls(**{f.name: getattr(campaign, f.name) for f in fields(cls)})


def propose_address(season: Season, name: str) -> str:
    """A free address in the season, made from the name."""
    stem = slugify(name)[:36].strip("-") or "giro"
    taken = set(Campaign.objects.filter(season=season, slug__startswith=stem).values_list("slug", flat=True))
    return next(
        slug for n in range(1, len(taken) + 2) if (slug := stem if n == 1 else f"{stem}-{n}") not in taken
    )  # fmt: skip


def new_campaign(season: Season, plan: CampaignPlan) -> Campaign:
    """A campaign of the season, still without riders and stages."""
    with transaction.atomic():
        season = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
        open_for_change(season)
        name = named(plan.name)
        slug = plan.slug or propose_address(season, name)
        refuse([*name_faults(name, Campaign), *_address_faults(season, slug, None)], sure=False)
        return Campaign.objects.create(season=season, **{**asdict(plan), "name": name, "slug": slug})


def change_campaign(campaign: Campaign, plan: CampaignPlan, *, sure: bool = False) -> bool:
    """Change the campaign; whether its tables are counted again because of it.

    Asks when published results would count differently. The address stays once a result has been published under it.
    """
    with transaction.atomic():
        found = lock(campaign)
        old, public = CampaignPlan.of(found), public_stages(found)
        name = named(plan.name)
        wanted = {**asdict(plan), "name": name, "slug": plan.slug or found.slug}
        faults = [*name_faults(name, Campaign), *_address_faults(found.season, wanted["slug"], found)]
        if public and wanted["slug"] != found.slug:
            faults.append(
                Fault(
                    field="slug",
                    message=_(
                        "Results have been published under the address %(slug)s, so it stays: links to it are out."
                    )
                    % {"slug": found.slug},
                )
            )
        faults += _too_many_riders_now(found, plan.riders_per_player)
        rescored = any(wanted[option] != getattr(old, option) for option in SCORING)
        if rescored and public:
            faults.append(
                Fault(
                    asks=True,
                    message=_(
                        "Stages have been published under the old rules. All their tables will be counted again."
                    ),
                )
            )
        refuse(faults, sure=sure)
        changed = [option for option, value in wanted.items() if value != getattr(old, option)]
        for option in changed:
            setattr(found, option, wanted[option])
            setattr(campaign, option, wanted[option])
        if changed:
            found.save(update_fields=changed)
            touch(found)
        return rescored and public > 0


def name_faults(name: str, model: type[Campaign] | type[Stage] | type[Rider]) -> list[Fault]:
    longest = model._meta.get_field("name").max_length or 0
    if not name:
        return [Fault(field="name", message=_("A name is missing."))]
    if len(name) > longest:
        return [Fault(field="name", message=_("This name is too long: %(most)s characters fit.") % {"most": longest})]
    return []


def _address_faults(season: Season, slug: str, campaign: Campaign | None) -> list[Fault]:
    holder = Campaign.objects.filter(season=season, slug=slug).first()
    if holder is None or holder == campaign:
        return []
    return [
        Fault(
            field="slug",
            message=_("Another campaign of this season has the address %(slug)s. Take another.") % {"slug": slug},
        )
    ]


def _too_many_riders_now(campaign: Campaign, allowed: int) -> list[Fault]:
    riders = campaign.riders.select_related("player__merged_into")
    per_player = Counter(rider.player.merged_into or rider.player for rider in riders)
    player, most = max(per_player.items(), key=lambda item: item[1], default=(None, 0))
    if most <= allowed:
        return []
    return [
        Fault(
            field="riders_per_player",
            message=_("%(player)s has %(count)s riders on the start list. Take one off first, or allow as many.")
            % {"player": player, "count": most},
        )
    ]
