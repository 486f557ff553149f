"""The words that all classifications, pages and exports share: how a rider's stage ended, the kinds of stages."""

from enum import StrEnum


class Status(StrEnum):
    """How a stage ended for a rider; one meaning everywhere."""

    UNRESOLVED = "unresolved"  # no result yet: never a zero
    FINISHED = "finished"
    DNS = "dns"
    DNF = "dnf"
    OTL = "otl"  # outside the time limit
    DSQ = "dsq"
    WITHDRAWN = "withdrawn"


OUT = frozenset({Status.DNS, Status.DNF, Status.OTL, Status.DSQ, Status.WITHDRAWN})
"""The statuses that take a rider out of a Giro for good, unless a ruling at that stage reinstates him."""


class OutReason(StrEnum):
    """Why a rider left the general classification: one of the `OUT` statuses, or he was lapped on the GC track."""

    DNS = "dns"
    DNF = "dnf"
    OTL = "otl"
    DSQ = "dsq"
    WITHDRAWN = "withdrawn"
    LAPPED = "lapped"


class Kind(StrEnum):
    """The kind of a stage."""

    ROAD = "road"
    ITT = "itt"  # individual time trial
    TTT = "ttt"  # team time trial

    @property
    def is_time_trial(self) -> bool:
        """Is it ridden alone or by teams against the clock, without a peloton?"""
        return self is not Kind.ROAD
