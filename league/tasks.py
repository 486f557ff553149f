"""Background work. A task holds no truth and may run twice or never: the sweep finds what was lost."""

from celery import shared_task


@shared_task(name="league.recount", ignore_result=True)
def recount(campaign_id: int) -> None:
    """Count a campaign's tables if its facts are newer. Safe to run twice."""
    from league.recount import count  # leaf: recount publishes this task

    count(campaign_id)


@shared_task(name="league.settle", ignore_result=True)
def settle(race_id: int) -> None:
    """Bring the outcome of a race onto the sheet of its stage. Safe to run twice."""
    from league.racing import settle  # leaf: the domain's receivers publish this task

    settle(race_id)


@shared_task(name="league.settle_round", ignore_result=True)
def settle_round(race_id: int) -> None:
    """Bring the outcome of a race onto the sheet of its round. Safe to run twice."""
    from league.series_racing import settle  # leaf: the domain's receivers publish this task

    settle(race_id)


@shared_task(name="league.sweep", ignore_result=True)
def sweep() -> None:
    """Do again whatever waits: a task lost with the queue, or a count that failed."""
    from league import racing, series_racing
    from league.health import note_sweep
    from league.models import Campaign

    note_sweep()
    for campaign_id in Campaign.objects.waiting().values_list("pk", flat=True):
        recount.delay(campaign_id)
    for race_id in racing.unsettled().values_list("race", flat=True):
        settle.delay(race_id)
    for race_id in series_racing.unsettled().values_list("race", flat=True):
        settle_round.delay(race_id)
