"""The results of the runs: a row each, and failed checks."""
import sys


class Skipped(Exception):
    """The reason for skipping a run."""


class Report:
    def __init__(self):
        self.failures = []
        self.skipped = []

    def row(self, run, **figures):
        print(f"| {run} | " + " | ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items()) + " |", flush=True)

    def check(self, run, what, holds):
        """Records a condition that must hold."""
        if not holds:
            self.failures.append(f"{run}: {what}")
            print(f"FAILED {run}: {what}", flush=True)

    def skip(self, run, reason):
        self.skipped.append(run)
        print(f"| {run} | skipped: {reason} |", flush=True)

    def end(self):
        if self.skipped: print(f"skipped: {', '.join(self.skipped)}")
        for failure in self.failures: print(f"FAILED {failure}", file=sys.stderr)
        return 1 if self.failures else 0
