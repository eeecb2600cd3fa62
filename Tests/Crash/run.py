#!/usr/bin/env python3
"""Power losses at any moment: what a data folder may hold then, by a record of a program's file operations, and whether it keeps what docs/storage.md promises.

    python3 Tests/Crash/run.py onesheet [--points 10000] [--starts 200] [--size 60] [--seed 1] [--only alone,isolated]

Clients fetch, render and purge posters, sign in, and change lists and ratings, while a library for LD_PRELOAD (recorder.c, compiled here) records all changes of files. At points between
two operations, replay.py drops what was not synchronised, by a seeded choice; the files are checked (check.py), and for some points a program starts with them and is asked for everything.
`alone` has one node; `isolated` has one with Redis and a shared store that cannot be reached, so that purges wait in files. Records differ between runs, by time: --keep keeps them,
and --again replays one, with --point only at the named point. Needs Python 3.9, a C compiler and memory in /dev/shm. Sends nothing beyond this machine.
"""
import argparse
import collections
import hashlib
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Cluster"))
from accounts import call
from check import Checker, write
from child import free_port
from engines import Failure
from node import Program
from origin import Origin
from pictures import LARGE
from replay import Disk, operations
from report import Report
from workload import FILMS, QUERIES, Recorded, Workload

# Bytes of a variant must not depend on its age; the budget makes a few posters leave the disk.
OPTIONS = ["--connections-per-address", "0", "--reencode", "off", "--log-level", "warning", "--disk-budget", "512KiB", "--variant-disk-budget", "128KiB",
           "--new-token-rate", "6000", "--new-token-burst", "1000"]
SCENARIOS = ["alone", "isolated"]
SHOWN = 10


def compile_recorder(folder):
    library = folder / "recorder.so"
    compiler = shutil.which("cc") or "clang"
    # Checked copies of libc's functions would not call this one's.
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-U_FORTIFY_SOURCE", "-o", library, HERE / "recorder.c"], check=True)
    return library


def isolated_options(folder):
    """Redis and a shared store at ports without a server."""
    keys = folder / "keys"
    keys.touch(mode=0o600)
    keys.write_text("[default]\naws_access_key_id = nobody\naws_secret_access_key = nothing\n")
    return ["--redis", f"redis://127.0.0.1:{free_port()}", "--node-name", "crash", "--originals", "s3://posters/originals",
            "--originals-endpoint", f"http://127.0.0.1:{free_port()}", "--originals-credentials", str(keys)]


class Points:
    """The power losses of one workload."""

    def __init__(self, workload, report, folder, arguments):
        self.workload, self.report, self.folder, self.arguments = workload, report, folder, arguments
        self.checker = Checker(workload, folder)
        self.origin, self.program = workload.origin, workload.program
        self.broken, self.modes = collections.Counter(), collections.Counter()
        self.starts = self.variants = 0

    def run(self):
        log = b"".join(record.read_bytes() for record in self.workload.records)
        done = list(operations(log))
        changes = [index for index, each in enumerate(done) if each.is_change]
        source = random.Random(self.arguments.seed)
        count = min(self.arguments.points, len(changes))
        chosen = sorted(source.sample(changes, count)) if self.arguments.point is None else [self.arguments.point]
        started = set(source.sample(chosen, min(self.arguments.starts, len(chosen))))
        disk, next_index = Disk(), 0
        begin = time.monotonic()
        for index in chosen:
            for each in done[next_index:index + 1]: disk.apply(each)
            next_index = index + 1
            self.point(disk, index, done[index].end, index in started)
        for each in done[next_index:]: disk.apply(each)
        self.compare(disk)
        self.report.row(self.workload.name, operations=len(done), bytes=len(log), points=len(chosen), starts=self.starts, variants_on_disk=self.variants, seconds=round(time.monotonic() - begin),
                        failures=sum(self.broken.values()), modes=dict(self.modes))
        for text, count in self.broken.most_common(SHOWN): self.report.check(self.workload.name, f"{count} points: {text}", False)

    def compare(self, disk):
        """The record must explain the folder, or it says nothing about power losses."""
        found = {path.relative_to(self.workload.node.folder).as_posix(): path.read_bytes() for path in self.workload.node.folder.rglob("*")
                 if path.is_file() and not path.name.endswith("-shm")}
        replayed = disk.everything()
        wrong = [path for path in found.keys() | replayed.keys() if found.get(path) != replayed.get(path)]
        self.report.check(self.workload.name, f"the record does not explain {wrong[:5]}", not wrong)

    def point(self, disk, index, position, is_started):
        mode, share, files = disk.after_loss(random.Random(f"{self.arguments.seed} {self.workload.name} {index}"))
        self.modes[mode] += 1
        found = self.checker.check(files, position, disk.touched)
        if is_started or self.arguments.point is not None: found += self.start(files, position, disk.touched)
        if not found: return
        print(f"  point {index} ({mode}, {share}): {'; '.join(found[:3])}", flush=True) if sum(self.broken.values()) < 3 * SHOWN else None
        for text in found: self.broken[kind(text)] += 1

    # A program with the files of a power loss

    def start(self, files, position, touched):
        self.starts += 1
        folder = self.folder / f"start-{self.starts}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "data").mkdir(mode=0o700)
        shutil.copy(self.workload.folder / "token", folder)
        write(files, folder / "data")
        numbers = [*range(self.workload.size), LARGE, LARGE + 1]
        for number in numbers: self.origin.control("version", number=number, to=self.checker.version(number, position))
        # Nothing leaves the disk by itself.
        node = Recorded(folder, self.program, [*self.workload.options, "--disk-budget", "64MiB"])
        try:
            node.start()
        except Failure as failure:
            return [f"the program does not start: {failure}"]
        try:
            return [*self.posters(node, numbers, position, touched), *self.users(node, position), *self.log(node)]
        finally:
            node.kill()
            if not self.arguments.keep: shutil.rmtree(folder)

    def posters(self, node, numbers, position, touched):
        """All pictures are those of an allowed version, and originals that are there are not fetched again."""
        before = self.origin.counts(each=True)["each"]
        claimed = self.checker.claimed(position, touched)
        for number in numbers:
            allowed = range(self.checker.least_version(number, position), self.checker.version(number, position) + 1)
            status, _, body = node.get(f"/poster/films:p{number}")
            version = self.workload.version_of(number, body) if status == 200 else None
            if version not in allowed: yield f"poster {number} is {status} with other bytes than those of its versions {allowed}"
            # Variants that were never made are not asked for.
            for query in QUERIES if version in allowed else []:
                known = self.workload.bodies.get((number, version, query))
                if not known: continue
                status, fields, body = node.get(f"/poster/films:p{number}?{query}")
                is_stored = "variant-on-disk" in fields.get("cache-status", "")
                self.variants += is_stored
                # A render may have other bytes than an earlier one, from decoded planes; a stored variant may not.
                if status != 200 or is_stored and hashlib.sha256(body).digest() not in known: yield f"poster {number} with {query} is {status} with wrong bytes: {fields}"
        after = self.origin.counts(each=True)["each"]
        for number in numbers:
            key = hashlib.sha256(f"films:p{number}".encode()).hexdigest()
            is_there = f"originals/{key[:2]}/{key}.original" in claimed
            if is_there and before.get(str(number), 0) != after.get(str(number), 0): yield f"poster {number} was fetched again, although it was durable"

    def users(self, node, position):
        for token, account in self.workload.users.items():
            status, page = call(node, "GET", "/favourites", token)
            allowed = self.workload.things[token, "session", ""].allowed(position)
            if (status == 200) not in allowed: yield f"a session of {account} gets {status}; allowed: {allowed}"
            if status != 200: continue
            shown = {each["id"] for each in page["results"]}
            for film in FILMS:
                history = self.workload.things.get((token, "favourites", film))
                if history and (True if film in shown else None) not in history.allowed(position): yield f"the favourite {film} of {account} is wrong"

    def log(self, node):
        lines = [line for line in node.log.read_text().splitlines() if "level=error" in line or "level=critical" in line]
        if lines: yield f"the log has {lines[0]}"


def kind(text):
    """A broken promise without its names and numbers."""
    return " ".join("…" if any(letter.isdigit() for letter in word) else word for word in text.split())[:160]


def scenario(name, folder, report, arguments):
    folder.mkdir(exist_ok=True)
    kept = pickle.loads((folder / "workload").read_bytes()) if arguments.again else None
    # Originals name the URL that they came from.
    origin = Origin(port=kept["port"] if kept else 0)
    try:
        options = [*OPTIONS, *origin.options, *(isolated_options(folder) if name == "isolated" else [])]
        workload = Workload(name, folder, Program(arguments.program), origin, options, arguments.seed, arguments.size, is_isolated=name == "isolated")
        if kept: workload.load(kept)
        else: record(workload, compile_recorder(folder), report)
        Points(workload, report, folder, arguments).run()
    finally:
        origin.stop()


def record(workload, recorder, report):
    begin = time.monotonic()
    workload.run(recorder)
    workload.save()
    print(f"  {workload.name}: recorded in {time.monotonic() - begin:.0f} s", flush=True)
    for fault in workload.faults[:SHOWN]: report.check(workload.name, f"workload: {fault}", False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default=",".join(SCENARIOS))
    for name, value in (("points", 10_000), ("starts", 200), ("size", 60), ("seed", 1)): parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--point", type=int, help="only the power loss after this operation")
    parser.add_argument("--keep", action="store_true", help="keep the record and the folders of started programs")
    parser.add_argument("--again", type=pathlib.Path, metavar="FOLDER", help="replay a kept record")
    arguments = parser.parse_args()
    folder = arguments.again or pathlib.Path(tempfile.mkdtemp(prefix="onesheet-crash-", dir="/dev/shm"))
    report = Report()
    try:
        for name in arguments.only.split(","): scenario(name, folder / name, report, arguments)
    finally:
        if arguments.keep or arguments.again: print(f"record: {folder}")
        else: shutil.rmtree(folder, ignore_errors=True)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
