#!/usr/bin/env python3
"""Suites of others as data, against a running server: HTTP/2 (h2spec), HTTP caching (cache-tests) and TLS (testssl.sh).

    python3 Tests/Conformance/suites.py PROGRAM [h2] [cache] [tls] [--write docs/conformance.md]

Without names all of them. PROGRAM is onesheet. Known differences have a reason in the module of their suite; others, and reasons of cases that do not differ, are failures.
Needs Python 3.9, and for TLS the program openssl. Sends nothing beyond this machine. Exit status 1 if there was a failure, or if a server logged an error.
"""
import argparse
import collections
import datetime
import os
import sys
import tempfile
import time

import cache
import cache_cases
import h2
import tls

SUITES = {"h2": h2, "cache": cache, "tls": tls}
HEADING = "\n## HTTP and TLS\n"
INTRODUCTION = """Cases of h2spec, cache-tests and testssl.sh as data, against a running server: `make conformance-http`, which also runs schemathesis.

- HTTP/2: reactions are RFC 9113's where h2spec has RFC 7540's; `more` has cases of RFC 9113 that h2spec lacks.
- HTTP caching: with `--original-ttl-min 0` and, except in `stale`, `--stale-if-error 0`. With the defaults originals are used for an hour at least, and stale ones are served.
  Where cache-tests only asks (`check`), OneSheet's rule is the expectation."""


def run(suite, program):
    """The outcomes, and the errors in the servers' logs."""
    with tempfile.TemporaryFile("w+") as log:
        outcomes = suite.run(program, log)
        log.seek(0)
        return outcomes, [line for line in log if " error " in line or " critical " in line]


def groups(outcomes):
    """Numbers of cases and of differences by the first part of the ids."""
    counts = collections.defaultdict(lambda: [0, 0])
    for outcome in outcomes:
        count = counts[outcome.id.partition("/")[0]]
        count[0] += 1
        count[1] += not outcome.is_met
    return counts


def table(results):
    """The part of docs/conformance.md."""
    lines = [f"{datetime.date.today()}. {INTRODUCTION}", "", "| suite | group | cases | as expected | differs |", "|---|---|--:|--:|--:|"]
    for name, outcomes in results.items():
        for group, (count, differing) in groups(outcomes).items():
            lines.append(f"| {SUITES[name].TITLE} | {group} | {count} | {count - differing} | {differing or ''} |")
    every = [outcome for outcomes in results.values() for outcome in outcomes]
    differing = [outcome for outcome in every if not outcome.is_met]
    lines += [f"| **all** | | **{len(every)}** | **{len(every) - len(differing)}** | **{len(differing)}** |", "", "| differs | reason |", "|---|---|"]
    reasons = collections.defaultdict(list)
    for outcome in differing: reasons[outcome.reason or "**unknown**"].append(f"`{outcome.id}`")
    lines += [f"| {', '.join(ids)} | {reason} |" for reason, ids in reasons.items()]
    lines += ["", "Groups of cache-tests that do not apply:", "", "| group | reason |", "|---|---|"]
    lines += [f"| {group} | {reason} |" for group, reason in cache_cases.NOT_APPLICABLE.items()]
    return "\n".join(["", *lines, ""])


def write(path, results):
    with open(path) as file: kept = file.read().partition(HEADING)[0]
    with open(path, "w") as file: file.write(kept.rstrip("\n") + "\n" + HEADING + table(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*SUITES, []])
    parser.add_argument("--write", metavar="FILE", help="replaces the part of this document; with all suites only")
    arguments = parser.parse_args()
    results, failures = {}, 0
    for name in arguments.names or SUITES:
        start = time.monotonic()
        results[name], complaints = run(SUITES[name], arguments.program)
        surprises = [outcome for outcome in results[name] if outcome.is_surprise]
        for outcome in surprises: print(f"FAILED {outcome.id}: {outcome.sentence}: {outcome.detail}{'' if not outcome.is_met else ', although it has a reason'}")
        for line in complaints: print(f"FAILED the server logged: {line.rstrip()}")
        failures += len(surprises) + len(complaints)
        known = sum(not outcome.is_met for outcome in results[name])
        print(f"| {SUITES[name].TITLE} | {len(results[name])} cases | {known} differ | {len(surprises)} without a reason | {time.monotonic() - start:.0f} s |", flush=True)
    if arguments.write and len(results) == len(SUITES): write(arguments.write, results)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
