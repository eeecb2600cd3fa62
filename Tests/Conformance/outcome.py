"""The outcome of a case."""
import collections


class Outcome(collections.namedtuple("Outcome", "id sentence is_met detail reason")):
    """`reason` is of a known difference; `None` where the server does what the suite expects."""

    @property
    def is_surprise(self):
        """Whether the case differs without a known reason, or has a reason and does not differ."""
        return self.is_met == (self.reason is not None)
