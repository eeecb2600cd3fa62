#!/usr/bin/env python3
"""Several nodes with everything that they share, under load and faults: a row for each run, and an exit status.

    python3 Tests/Cluster/run.py onesheet [--only load,purges,faults,budgets,accounts,guards] [--short]

Posters are drawn by an origin of this machine, which counts requests. Runs of what the program or this machine does not have are skipped, with the reason.
Needs Python 3.9, and programs of the Debian packages redis-server, postgresql and haproxy and of `make store-deps`. Sends nothing beyond this machine.
"""
import argparse
import contextlib
import os
import pathlib
import resource
import shutil
import signal
import sys
import tempfile
import time

import accounts
import budgets
import faults
import guards
import load
import purges
from cluster import ENGINES, Cluster
from engines import Failure
from node import Program
from origin import Origin
from report import Report, Skipped

RUNS = {"guards": guards.run, "accounts": accounts.run, "purges": purges.run, "load": load.several_nodes, "budgets": budgets.run, "faults": faults.run}
# Clients are all of one address. What is encoded again would change bytes and counts while they are compared.
OPTIONS = ["--connections-per-address", "0", "--reencode", "off", "--log-level", "warning"]


class Settings:
    """The size of the runs, and what they begin with."""

    def __init__(self, program, folder, arguments):
        self.program, self.folder = Program(program), folder
        self.is_short = arguments.short
        # File systems of these runs.
        self.mounts = []
        self.posters = arguments.posters or (200 if self.is_short else 10_000)
        self.clients = arguments.clients or (16 if self.is_short else 64)
        self.seconds = arguments.seconds or (2 if self.is_short else 10)

    @contextlib.contextmanager
    def origin(self, address="127.0.0.1"):
        origin = Origin(address)
        try:
            yield origin
        finally:
            origin.stop()

    def cluster(self, name, origin=None, count=3, engines=tuple(ENGINES), options=(), **more):
        # A machine with other work does not answer in 5 ms.
        patient = ["--redis-timeout", "1"] if self.is_short and self.program.has("--redis-timeout") else []
        options = [*OPTIONS, *patient, *(origin.options if origin else []), *options]
        return Cluster(self.program, self.folder / name, count, engines, options, durable=False, **more)

    def need(self, *names):
        """Leaves out a run of what this program does not have."""
        missing = [name for name in names if not self.program.has(name)]
        if missing: raise Skipped(f"this program has no {', '.join(missing)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default=",".join(RUNS))
    parser.add_argument("--short", action="store_true", help="few posters, and no limits of latency, for machines with other work")
    parser.add_argument("--keep", action="store_true", help="leave the data folder")
    for name in ("posters", "clients", "seconds"): parser.add_argument("--" + name, type=int)
    arguments = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65536, hard), hard))
    # Ends the runs in their order, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-cluster-"))
    # PostgreSQL's user has to pass it.
    folder.chmod(0o711)
    os.umask(0o022)
    settings, report = Settings(arguments.program, folder, arguments), Report()
    try:
        for name in arguments.only.split(","):
            start = time.monotonic()
            try:
                RUNS[name](settings, report)
            except Skipped as reason:
                report.skip(name, reason)
            except Failure as failure:
                report.check(name, str(failure), False)
            print(f"== {name}: {time.monotonic() - start:.0f} s", flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    finally:
        if not arguments.keep: shutil.rmtree(folder, ignore_errors=True)
        else: print(f"data: {folder}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
