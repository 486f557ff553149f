"""`make bench`: prints the table, ratios first.

classify       a 12-rider, 21-stage Giro from nothing, against adding up the same numbers with plain loops
page 12 : 6    the general classification page with twelve riders against six
page 21 : 3    the same page after 21 stages against after 3
recount        a whole recount of that Giro (load, classify, save) against its classify alone
page : query   the page against one trip to the database
window : query a window of the board, drawn: of the Giro, of Breaking Away

and the tables of `bench/rules.py` and `bench/live.py`; then, in processes of their own with a PostgreSQL and a Redis,
those of `bench/moves.py` and `bench/crowd.py`.
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="league-bench-"))
os.environ.setdefault("HTTPS", "0")
os.environ.setdefault("SECRET_KEY", "bench-" + "0" * 60)

import django  # the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from bench import live as bench_live  # noqa: E402
from bench import rules as bench_rules  # noqa: E402
from league.loading import Loaded, load  # noqa: E402
from league.models import BonusSprint, Campaign, Result, Sheet  # noqa: E402
from league.models.results import SheetState  # noqa: E402
from league.recount import count  # noqa: E402
from races.board.strip import draw  # noqa: E402
from tests import factories as make  # noqa: E402
from tests.races.board.look import SAMPLES as ROADS  # noqa: E402
from tests.races.board.look import strip_of  # noqa: E402
from tests.races.board.look_breaking_away import SAMPLES as CIRCUITS  # noqa: E402

ROUNDS = 25
COLOURS = ("white", "yellow", "blue", "green")


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The quickest of many rounds, in seconds: what the work costs without what else the machine did."""
    work()
    took = []
    gc.disable()
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    gc.enable()
    return min(took)


def giro(riders: int, stages: int) -> Campaign:
    """A Giro in which nobody is lapped and everything is official."""
    campaign = make.CampaignFactory(gc_loop=30)
    teams = [make.TeamFactory(season=campaign.season, name=c.title(), colour=c) for c in COLOURS]
    field = [
        make.RiderFactory(campaign=campaign, bib=n, draft_order=n, team=teams[n % 4]) for n in range(1, riders + 1)
    ]
    for number in range(1, stages + 1):
        stage = make.StageFactory(
            campaign=campaign, number=str(number), order=number, starts_at=make.FIRST_EVENING + timedelta(days=number)
        )
        sheet = Sheet.objects.create(stage=stage, state=SheetState.OFFICIAL, peloton_turn=14, version=1)
        order = sorted(field, key=lambda r: (r.bib + number) % riders)
        for place, rider in enumerate(order, 1):
            Result.objects.create(
                sheet=sheet,
                rider=rider,
                team=rider.team,
                status="finished",
                turn=12 + place // 6,
                place=place,
                energy=place,
            )
        BonusSprint.objects.create(sheet=sheet, token=1, rider=order[-1])
    Campaign.objects.filter(pk=campaign.pk).update(revision=1)
    count(campaign.pk)
    return Campaign.objects.select_related("season__club").get(pk=campaign.pk)


def plain(loaded: Loaded) -> dict[int, int]:
    """The yardstick: the same scores with plain loops, no reasons, no ranks, no teams."""
    score = {e.rider: 0 for e in loaded.entrants}
    for sheet in loaded.sheets:
        first = min(line.turn for line in sheet.lines if line.turn)
        for line in sheet.lines:
            score[line.rider] += first - (line.turn or first) + (2 if line.place == 1 else 0)
        for won in sheet.bonuses:
            score[won.rider] += 1
    return score


def main() -> None:
    call_command("migrate", verbosity=0)
    small, big, long = giro(6, 3), giro(12, 3), giro(12, 21)
    client = Client(HTTP_HOST="127.0.0.1")

    def page(campaign: Campaign) -> Callable[[], object]:
        address = campaign.url("gc")

        def get() -> None:
            answer = client.get(address)
            assert answer.status_code == 200, answer.status_code

        return get

    def query() -> None:
        Campaign.objects.get(pk=small.pk)

    def recount() -> None:
        Campaign.objects.filter(pk=long.pk).update(counted_revision=0)
        count(long.pk)

    loaded = load(long)
    assert {row.rider: row.score for row in loaded.classify()[-1].gc} == plain(loaded), "both count the same"
    classify, yardstick = best(loaded.classify), best(lambda: plain(loaded))
    six, twelve, after21 = best(page(small)), best(page(big)), best(page(long))
    whole, trip = best(recount, 5), best(query)
    road, circuit = strip_of(ROADS["road"]), strip_of(CIRCUITS["ba-sprint"])
    window, lap = best(lambda: draw(road, upright=True)), best(lambda: draw(circuit, upright=True))
    rows = [
        ("classify : plain loops", classify / yardstick, classify, "12 riders, 21 stages, every reason"),
        ("GC page 12 : 6 riders", twelve / six, twelve, "anonymous, nothing cached"),
        ("GC page 21 : 3 stages", after21 / twelve, after21, "with the chart of all gaps"),
        ("recount : classify", whole / classify, whole, "load, classify, save 21 stages, season tables"),
        ("GC page : one query", twelve / trip, twelve, connection.vendor),
        ("window : one query", window / trip, window, "the road of a stage of the Giro, upright"),
        ("circuit : one query", lap / trip, lap, "the pack of Breaking Away on its lap, upright"),
    ]
    sys.stdout.write(f"{'what':<26}{'ratio':>9}{'ms':>10}   note\n")
    for what, ratio, seconds, note in rows:
        sys.stdout.write(f"{what:<26}{ratio:>9.1f}{seconds * 1000:>10.2f}   {note}\n")
    sys.stdout.write("\n")
    bench_rules.main()
    sys.stdout.write("\n")
    bench_live.main()
    for apart in ("bench.moves", "bench.crowd"):
        sys.stdout.write("\n")
        sys.stdout.flush()
        subprocess.run([sys.executable, "-m", apart], check=True)


if __name__ == "__main__":
    main()
