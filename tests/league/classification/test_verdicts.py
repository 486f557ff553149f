"""Which ruling stands behind a verdict: the last one alone."""

import pytest

from league.classification.status import Status
from league.classification.verdicts import verdict

from .builders import A, came, disqualified, reinstated


@pytest.mark.parametrize(
    ("rulings", "status", "disqualified_by", "reinstated_by"),
    [
        ([], Status.FINISHED, None, None),
        ([disqualified(A, 4)], Status.DSQ, 4, None),
        ([disqualified(A, 4), reinstated(A, 6)], Status.FINISHED, None, 6),
        ([reinstated(A, 6), disqualified(A, 8)], Status.DSQ, 8, None),
    ],
)
def test_a_verdict_names_the_ruling_that_holds_and_no_other(rulings, status, disqualified_by, reinstated_by):
    given = verdict(came(A, 12, 1), None, rulings)

    assert (given.status, given.disqualified_by, given.reinstated_by) == (status, disqualified_by, reinstated_by)
    assert (given.arrived, given.turn) == (True, 12)
