"""Background work of the races. A task holds no truth and may run twice or never: the sweep finds what was lost."""

from celery import shared_task


@shared_task(name="races.advance", ignore_result=True)
def advance(race_id: int) -> None:
    """Take the chance and bot decisions that are due. Safe to run twice; a lost one is found by the sweep."""
    from races import play, watch  # leaf: play publishes this task

    try:
        play.advance(race_id)
    except Exception as fault:
        watch.failed(race_id, fault)
        raise


@shared_task(name="races.sweep", ignore_result=True)
def sweep() -> None:
    """Wake every race in which chance or a bot is due, and note the ones in which nobody is."""
    from races import watch

    deadlines.delay()
    notices.delay()
    watch.sweep()


@shared_task(name="races.deadlines", ignore_result=True)
def deadlines() -> None:
    """Deal with everybody whose time is up. Safe to run twice: each is looked at again under the lock."""
    from races import clocks

    clocks.sweep()


@shared_task(name="races.notices", ignore_result=True)
def notices() -> None:
    """Find who has been waited for long enough. Safe to run twice: who is told already is left alone."""
    from races import notices

    notices.sweep()


@shared_task(name="races.tell", ignore_result=True)
def tell(user_id: int, race_id: int, after: int) -> None:
    """Tell somebody that it is his move, if it still is and nobody has told him. Safe to run twice."""
    from races import notices

    notices.tell(user_id, race_id, after)
