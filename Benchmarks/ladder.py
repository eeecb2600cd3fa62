#!/usr/bin/env python3
"""All variants of posters over HTTP, from builds of onesheet in turns on one machine: sequentially, and by many concurrent
clients.

    python3 Benchmarks/ladder.py NEW/onesheet [OLD/onesheet ...] [--corpus FOLDER] [--rounds 3] [--peers --python VENV/bin/python]
                                 [--only sequence,crowd,width,arriving] [--serve-options "..."]

sequence: six widths in two formats of each poster, one request after the other over one connection, in a random order that is the same for
all (and from the smallest to the largest); each original is fetched once from an origin on this machine. Sums of the best times.
crowd: 2000 clients request one cold poster at once, in six widths.
width: a new width of at most 368 pixels, JPEG, of a poster that was served in another width before.
arriving: baseline originals of 2000×3000 that take 200 ms to arrive, the time from their last byte to the response; and 200 very slow
origins: CPU time, memory, and the times of other originals beside them.

Each program must be in its build folder, beside its resources. Needs Python 3.9; --peers needs pyvips, Pillow and numpy. Sends nothing
beyond this machine.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arriving import arriving
from program import POSTERS

HERE = Path(__file__).resolve().parent
WIDTHS = [92, 154, 185, 342, 500, 780]
FORMATS = ["jpeg", "webp"]
LADDER = [(width, form) for width in WIDTHS for form in FORMATS]
COUNTERS = ["onesheet_renders_total", "onesheet_decodes_total", "onesheet_planes_hits_total"]


class Origin:
    """Sends the file of a path; counts requests."""

    def __init__(self, files):
        self.files = {str(number): file for number, file in enumerate(files)}
        self.requests = 0
        self.delay = 0.0

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests += 1
                await asyncio.sleep(self.delay)
                body = self.files[head.split(b" ")[1].decode().rpartition("/")[2]].read_bytes()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


class Server:
    """A program under test."""

    def __init__(self, program, origin, options):
        self.name, self.process, self.folder = program, None, tempfile.mkdtemp(prefix="onesheet-ladder-")
        self.words = [program, "serve", "--port", "0", "--data-dir", self.folder, "--allow-private-origins", "--origin-queue", "1000",
                      "--origin", f"ladder=http://127.0.0.1:{origin}/{{key}}", *options.split()]

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.words, stdout=asyncio.subprocess.PIPE, env={**os.environ, "ONESHEET_CONNECTIONS_PER_ADDRESS": "0"})
        line = (await self.process.stdout.readline()).decode()
        found = re.search(r":(\d+)/", line)
        if not found:
            sys.exit(f"{self.name} does not start: {line}")
        self.port = int(found.group(1))

    async def get(self, path):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        answer = await reader.read()
        writer.close()
        return int(answer[9:12])

    def cpu(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def counts(self):
        """The counters that this build has."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        found = {name: re.search(rf"^{name} (\S+)$", text, re.M) for name in COUNTERS}
        return {name: float(match.group(1)) for name, match in found.items() if match}

    async def end(self):
        if self.process:
            self.process.terminate()
            await self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def word(counter):
    return counter.removeprefix("onesheet_").removesuffix("_total").replace("_", " ")


class Since:
    """The work of a server since the initialisation."""

    def __init__(self, server):
        self.server, self.cpu, self.counts = server, server.cpu(), server.counts()

    def text(self):
        counts = self.server.counts()
        words = [f"{counts[name] - before:.0f} {word(name)}" for name, before in self.counts.items()]
        return f"CPU {self.server.cpu() - self.cpu:.2f} s, " + ", ".join(words)


def ask(connection, path):
    """Seconds until the whole response has arrived."""
    start = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    took = time.perf_counter() - start
    if response.status != 200:
        raise ValueError(f"{path}: {response.status} {body[:200]!r}")
    return took


def climb(server, key, order):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    try:
        return {step: ask(connection, f"/poster/ladder:{key}?w={step[0]}&format={step[1]}") for step in order}
    finally:
        connection.close()


class Peer:
    """libvips in another process, on one thread."""

    def __init__(self, python):
        self.process = subprocess.Popen([python, HERE / "peers.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        peers = json.loads(self.process.stdout.readline())["peers"]
        if "libvips" not in peers:
            sys.exit(f"{python} has no libvips: pip install 'pyvips[binary]'")
        self.version, self.output = peers["libvips"], tempfile.mkstemp()[1]

    def climb(self, file):
        times = {}
        for width, form in LADDER:
            request = {"peer": "libvips", "file": str(file), "width": width, "format": form, "runs": 1, "output": self.output}
            print(json.dumps(request), file=self.process.stdin, flush=True)
            answer = json.loads(self.process.stdout.readline())
            if "ms" not in answer:
                return None
            times[width, form] = answer["ms"][0] / 1000
        return times


class Builds:
    """The programs under test. Every round starts new processes without stored originals."""

    def __init__(self, programs, origin, options):
        self.programs, self.origin, self.options = programs, origin, options

    async def rounds(self, count):
        """The number of each round and the servers, in alternating order."""
        for round in range(count):
            servers = [Server(program, self.origin, self.options) for program in self.programs]
            try:
                for server in servers:
                    await server.start()
                yield round, servers if round % 2 == 0 else servers[::-1]
            finally:
                for server in servers:
                    await server.end()


async def sequence(builds, files, rounds, peer):
    orders = {"random": lambda generator: generator.sample(LADDER, len(LADDER)), "rising": lambda _: LADDER}
    for title, order in orders.items():
        best = {}  # by program, file and variant
        counts = {name: [] for name in builds.programs}
        cpu = {name: [] for name in builds.programs}
        refused = set()
        async for round, servers in builds.rounds(rounds):
            started = {server.name: server.cpu() for server in servers}
            for number in range(len(files)):
                steps = order(random.Random(number))
                for server in servers:
                    try:
                        before = server.counts()
                        times = await asyncio.to_thread(climb, server, number, steps)
                        after = server.counts()
                    except ValueError as error:
                        if round == 0:
                            print(f"{files[number].name}: {error}", file=sys.stderr)
                        refused.add(number)
                        continue
                    counts[server.name].append({name: after[name] - before.get(name, 0) for name in after})
                    for step, took in times.items():
                        place = server.name, number, step
                        best[place] = min(best.get(place, 1e9), took)
                if peer and title == "random":
                    times = peer.climb(files[number])
                    if times is None:
                        refused.add(number)
                    for step, took in (times or {}).items():
                        place = "libvips", number, step
                        best[place] = min(best.get(place, 1e9), took)
            for server in servers:
                cpu[server.name].append(server.cpu() - started[server.name])
        names = builds.programs + (["libvips"] if peer and title == "random" else [])
        sums = {name: sum(took for (of, number, _), took in best.items() if of == name and number not in refused) for name in names}
        print(f"sequence, {title}: {len(files) - len(refused)} posters, {len(LADDER)} variants each, sums of the best times")
        for name in names:
            known = counts.get(name) or []
            words = [f"{min(cpu[name]):.2f} s of CPU"] if name in cpu else []
            words += [f"{statistics.mean(one[counter] for one in known):.1f} {word(counter)} a poster" for counter in (known[0] if known else [])]
            print(f"  {name}: {sums[name]:.3f} s, {sums[names[0]] / sums[name]:.3f}" + (f" ({', '.join(words)})" if words else ""))


async def crowd(builds, origin, rounds, count=2000):
    """The origin takes 0.3 s, so that all clients have connected before the poster arrives."""
    origin.delay = 0.3
    async for _, servers in builds.rounds(rounds):
        for server in servers:
            asked, since, start = origin.requests, Since(server), time.perf_counter()
            paths = [f"/poster/ladder:0?w={WIDTHS[index % len(WIDTHS)]}" for index in range(count)]
            answers = await asyncio.gather(*[server.get(path) for path in paths])
            took = time.perf_counter() - start
            print(f"crowd: {server.name}: {count} clients, {answers.count(200)} answered with 200, {origin.requests - asked} origin requests, "
                  f"{took:.2f} s, {since.text()}")
    origin.delay = 0.0


def widths(server, key, count):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        path = f"/poster/ladder:{key}?format=jpeg&w="
        ask(connection, f"{path}368")
        return [ask(connection, f"{path}{side}") for side in random.Random(key).sample(range(92, 368), count)]
    finally:
        connection.close()


async def width(builds, files, rounds, count=40):
    """p50 and p99 of new widths below 368 of eight originals, after 368 of each."""
    times = {name: [] for name in builds.programs}
    async for _, servers in builds.rounds(rounds):
        for number in range(min(len(files), 8)):
            for server in servers:
                try:
                    times[server.name] += await asyncio.to_thread(widths, server, number, count)
                except ValueError as error:
                    print(f"{files[number].name}: {error}", file=sys.stderr)
    for name, all_times in times.items():
        if all_times:
            all_times.sort()
            p50, p99 = all_times[len(all_times) // 2], all_times[len(all_times) * 99 // 100]
            print(f"new width: {name}: {len(all_times)} renders, p50 {1000 * p50:.2f} ms, p99 {1000 * p99:.2f} ms")


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="sequence,crowd,width,arriving")
    parser.add_argument("--serve-options", default="")
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65536, limit) if limit > 0 else 65536, limit))
    folder = options.corpus or POSTERS
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp"})
    if not files:
        sys.exit(f"there are no pictures below {folder}")
    origin = Origin(files)
    port = await origin.start()
    builds = Builds(options.programs, port, options.serve_options)
    peer = Peer(options.python) if options.peers else None
    for part in options.only.split(","):
        if part == "sequence":
            await sequence(builds, files, options.rounds, peer)
        elif part == "crowd":
            await crowd(builds, origin, options.rounds)
        elif part == "width":
            await width(builds, files, options.rounds)
        elif part == "arriving":
            await arriving(
                lambda port, more: Builds(options.programs, port, f"{options.serve_options} {more}"), files, options.rounds)
        else:
            sys.exit(f"--only: unknown part '{part}'")


if __name__ == "__main__":
    asyncio.run(main())
