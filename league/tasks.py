"""Background work. A task holds no truth and may run twice or never: the sweep finds what was lost."""

from celery import shared_task


@shared_task(name="league.recount", ignore_result=True)
def recount(campaign_id: int) -> None:
    """Count a campaign's tables if its facts are newer. Safe to run twice."""
    from league.recount import count  # leaf: recount publishes this task

    count(campaign_id)


@shared_task(name="league.sweep", ignore_result=True)
def sweep() -> None:
    """Count again whatever waits: a task lost with the queue, or a count that failed."""
    from league.health import note_sweep
    from league.models import Campaign

    note_sweep()
    for campaign_id in Campaign.objects.waiting().values_list("pk", flat=True):
        recount.delay(campaign_id)
