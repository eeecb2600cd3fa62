#!/usr/bin/env python3
"""Compares two builds of onesheet in turns on one machine: the CPU time of cache hits and of cold posters, and the ratio of each pair.

    python3 Benchmarks/builds.py NEW/onesheet OLD/onesheet [--rounds 5] [--seconds 2]

Each program must be in its build folder, beside its resources. Needs Python 3.9 and wrk. Sends nothing beyond this machine.
"""

import argparse
import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

HIT = "/poster/nosferatu-1922?w=368"
WIDTHS = [185, 342, 500]
FORMATS = ["jpeg", "webp"]


class Server:
    def __init__(self, program):
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(self.port), "--data-dir", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.get("/healthz")
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"{program} does not start")

    def get(self, target, connection=None):
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        own.request("GET", target)
        response = own.getresponse()
        body = response.read()
        if response.status != 200:
            raise SystemExit(f"{target}: {response.status} {body[:200]}")
        return body

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def hits(server, seconds):
    """CPU seconds per 1000 hits, 32 connections."""
    before = server.cpu_seconds()
    report = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{seconds}", f"http://127.0.0.1:{server.port}{HIT}"],
        check=True, capture_output=True, text=True).stdout
    count = int(re.search(r"(\d+) requests in", report)[1])
    return 1000 * (server.cpu_seconds() - before) / count


def cold(program, ids):
    """CPU seconds of the first renders of all embedded posters in three widths and two formats."""
    server = Server(program)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        before = server.cpu_seconds()
        for width in WIDTHS:
            for name in FORMATS:
                for id in ids:
                    server.get(f"/poster/{id}?w={width}&format={name}", connection)
        return server.cpu_seconds() - before
    finally:
        server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    arguments = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("wrk is missing: install Debian's package wrk")
    server = Server(arguments.old)
    ids = sorted(set(re.findall(rb"/poster/([a-z0-9-]+)\?", server.get("/"))))
    server.end()
    ids = [id.decode() for id in ids]
    report("hit, CPU s per 1000", hit_pairs(arguments))
    report(f"{len(ids) * 6} cold variants, CPU s",
           [(cold(arguments.new, ids), cold(arguments.old, ids)) for _ in range(arguments.rounds)])


def hit_pairs(arguments):
    """Both servers run all the time and are measured in turns."""
    servers = [Server(arguments.new), Server(arguments.old)]
    try:
        for server in servers:
            hits(server, 1)
        return [tuple(hits(server, arguments.seconds) for server in servers) for _ in range(arguments.rounds * 4)]
    finally:
        for server in servers:
            server.end()


def report(name, pairs):
    new, old = (statistics.median(values) for values in zip(*pairs))
    ratios = sorted(a / b for a, b in pairs)
    quarter = len(ratios) // 4
    print(f"{name}: new {new:.4f}, old {old:.4f}, ratio {statistics.median(ratios):.3f} "
          f"(middle half {ratios[quarter]:.3f} to {ratios[-1 - quarter]:.3f}, {len(ratios)} pairs)", flush=True)


if __name__ == "__main__":
    main()
