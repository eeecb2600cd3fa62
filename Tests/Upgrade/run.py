#!/usr/bin/env python3
"""Upgrades and downgrades: data of earlier programs, and clusters of two versions.

    python3 Tests/Upgrade/run.py onesheet [--commits A,B,C] [--old PROGRAM]… [--only data,mixed] [--keep]

`data`: an earlier program and this one use a data folder in turn, in both orders. No original is fetched again, stored variants are those of the same program, users keep what they have,
and no log has an error. `mixed`: a node of each with one Redis, S3 server and PostgreSQL exchange originals, variants, purges and sessions. Programs of commits are built in
worktrees below .build/upgrade; --old takes built ones instead. Posters are from an origin on this machine. Needs what `make test-cluster` needs. Sends nothing beyond this machine.
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Cluster"))
import data
import mixed
import programs
from clients import eventually
from cluster import Cluster
from engines import Failure
from node import Program
from origin import Origin
from report import Report

RUNS = {"data": data.run, "mixed": mixed.run}


class Settings:
    def __init__(self, folder, new, old):
        self.folder = folder
        self.new, self.old = self.program(new, "new"), [self.program(each, programs.name(each)) for each in old]
        self.eventually = eventually

    @staticmethod
    def program(path, name):
        found = Program(path)
        found.name = name
        return found

    @contextlib.contextmanager
    def origin(self):
        origin = Origin()
        try:
            yield origin
        finally:
            origin.stop()

    def cluster(self, name, origin):
        # A busy machine does not answer within 5 ms.
        options = [*data.OPTIONS, "--redis-timeout", "1", "--originals-timeout", "5", *origin.options]
        return Cluster(self.new, self.folder / name, 0, options=options, durable=False, balanced=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--commits", default=",".join(programs.COMMITS))
    parser.add_argument("--old", action="append", default=[], help="a built program of an earlier commit")
    parser.add_argument("--only", default=",".join(RUNS))
    parser.add_argument("--keep", action="store_true", help="keep the data folder")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-upgrade-"))
    # PostgreSQL's user has to enter it.
    folder.chmod(0o711)
    os.umask(0o022)
    report = Report()
    try:
        settings = Settings(folder, arguments.program, arguments.old or [programs.build(each) for each in arguments.commits.split(",")])
        for name in arguments.only.split(","): RUNS[name](settings, report)
    except Failure as failure:
        report.check("upgrade", str(failure), False)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    finally:
        if arguments.keep: print(f"data: {folder}")
        else: shutil.rmtree(folder, ignore_errors=True)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
