#!/usr/bin/env python3
"""Measures onesheet with crowds, with clients that disconnect, with a hanging origin, and at a start with a million originals,
over real sockets on loopback.

    python3 Benchmarks/load.py .build/release/onesheet

Needs Python 3.9 and, for the hanging origin, wrk. Simulates the origins and clients; takes about a minute.
"""

import argparse
import asyncio
import os
import re
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from program import POSTERS

WIDTHS = [92, 154, 185, 342, 500, 780]


class Origin:
    """Sends one poster for every path after a delay, and nothing for paths with "hang" in them."""

    def __init__(self, poster):
        self.poster = poster
        self.delay = 0.0
        self.requests = 0
        self.connections = 0
        self.last_closed = 0.0

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests += 1
                if b"hang" in head.split(b"\r\n")[0]:
                    await reader.read(1)
                    return
                try:
                    # Detects a client that disconnects while it waits.
                    await asyncio.wait_for(reader.read(1), self.delay or 0.000001)
                    return
                except asyncio.TimeoutError:
                    pass
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(self.poster) + self.poster)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self.connections -= 1
            self.last_closed = time.monotonic()
            writer.close()


class Server:
    """The program under test."""

    def __init__(self, program, folder, origins):
        self.program, self.folder = program, folder
        self.arguments = ["serve", "--port", "0", "--data-dir", folder, "--allow-private-origins", "--origin-queue", "1000"]
        for name, port in origins.items():
            self.arguments += ["--origin", f"{name}=http://127.0.0.1:{port}/{{key}}"]

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            self.program, *self.arguments, stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "ONESHEET_CONNECTIONS_PER_ADDRESS": "0"},  # all clients have one address
        )
        line = (await self.process.stdout.readline()).decode()
        self.port = int(re.search(r":(\d+)/", line).group(1))

    async def ask(self, path):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        return reader, writer

    async def get(self, path):
        reader, writer = await self.ask(path)
        answer = await reader.read()
        writer.close()
        return int(answer[9:12]), answer

    async def count(self, name):
        """A counter of the server; 0 for builds without it."""
        _, answer = await self.get("/metrics")
        found = re.search(rb"^" + name.encode() + rb" (\d+)", answer, re.M)
        return int(found.group(1)) if found else 0

    async def renders(self):
        return await self.count("onesheet_renders_total")

    @property
    def resident(self):
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


async def crowd(server, origin, count=2000):
    """All clients request one cold poster at once, in six widths."""
    origin.delay = 0.3
    asked, rendered, decoded = origin.requests, await server.renders(), await server.count("onesheet_decodes_total")
    start = time.monotonic()
    paths = [f"/poster/mine:crowd?w={WIDTHS[index % 6]}" for index in range(count)]
    answers = await asyncio.gather(*[server.get(path) for path in paths])
    took = time.monotonic() - start
    print(
        f"crowd: {count} clients, {sum(status == 200 for status, _ in answers)} answered with 200, "
        f"{origin.requests - asked} origin requests, {await server.renders() - rendered} renders, "
        f"{await server.count('onesheet_decodes_total') - decoded} decodes, {took:.2f} s (0.30 s of them the origin's), {server.resident:.0f} MiB resident"
    )


async def leaving(server, origin, number, count=500):
    """Each client requests another poster of an origin that takes 2 s, and disconnects after 100 ms."""
    origin.delay = 2.0
    before, rendered = server.resident, await server.renders()
    clients = await asyncio.gather(*[server.ask(f"/poster/mine:leaving{number}x{index}?w=92") for index in range(count)])
    await asyncio.sleep(0.1)
    meanwhile, descriptors = server.resident, server.descriptors
    for _, writer in clients:
        writer.close()
    left = time.monotonic()
    while origin.connections:
        await asyncio.sleep(0.002)
    closed = origin.last_closed - left
    started = await server.renders() - rendered
    origin.delay, start = 0.0, time.monotonic()
    status, _ = await server.get(f"/poster/mine:next{number}?w=92")
    print(
        f"leaving: {count} clients, the origin's last connection closed {closed * 1000:.0f} ms after the last client left, "
        f"{started} renders, next client {status} after {(time.monotonic() - start) * 1000:.0f} ms; MiB resident before "
        f"{before:.0f}, meanwhile {meanwhile:.0f} ({descriptors} descriptors), afterwards {server.resident:.0f}"
    )


async def hits(server):
    process = await asyncio.create_subprocess_exec(
        "wrk", "-t1", "-c16", "-d4s", "--latency", f"http://127.0.0.1:{server.port}/poster/nosferatu-1922?w=300",
        stdout=asyncio.subprocess.PIPE,
    )
    text = (await process.communicate())[0].decode()
    rate = re.search(r"Requests/sec:\s+(\S+)", text).group(1)
    slowest = re.search(r"99%\s+(\S+)", text).group(1)
    return f"hits {rate}/s, p99 {slowest}"


async def misses(server, tag):
    times = []
    for index in range(100):
        start = time.monotonic()
        status, _ = await server.get(f"/poster/mine:{tag}{index}?w=92")
        assert status == 200, status
        times.append((time.monotonic() - start) * 1000)
    times.sort()
    return f"cold posters of another origin p50 {times[50]:.1f} ms, p99 {times[98]:.1f} ms"


async def hanging(server, number, count=200):
    """Requests to an origin that hangs, and their effect on others."""
    await server.get("/poster/nosferatu-1922?w=300")
    print(f"hanging, before: {await hits(server)}; {await misses(server, f'before{number}x')}")
    waiting = [asyncio.create_task(server.get(f"/poster/hang:hang{index}?w=92")) for index in range(count)]
    await asyncio.sleep(0.3)
    print(f"hanging, {count} requests: {await hits(server)}; {await misses(server, f'during{number}x')}")
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def starting(program, count=1_000_000):
    """The time from the program's start until it serves, with an empty and with a large index."""
    folder = tempfile.mkdtemp()
    times = []
    for number in range(4):
        server, start = Server(program, folder, {}), time.monotonic()
        await server.start()
        times.append((time.monotonic() - start) * 1000)
        # Killed with the large index: the server has begun to sweep its rows, which have no files.
        server.process.send_signal(signal.SIGTERM if number < 2 else signal.SIGKILL)
        await server.process.wait()
        if number == 1:
            with sqlite3.connect(f"{folder}/originals/index.sqlite") as index:
                columns = "key, id, location, digest, length, space, fetchedAt, validatedAt, lifetime, lastUsed"
                rows = (
                    (os.urandom(32), f"mine:{row}", f"http://origin.test/{row}", bytes(32), 300_000, 307_200, 0, 0, 0, row)
                    for row in range(count)
                )
                index.executemany(f"INSERT INTO original ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    size = os.path.getsize(f"{folder}/originals/index.sqlite") / 2**20
    shutil.rmtree(folder)
    print(
        f"starting: serves after {times[1]:.0f} ms with an empty index, after {times[2]:.0f} and {times[3]:.0f} ms with "
        f"{count} originals ({size:.0f} MiB)"
    )


async def main(program):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65536, limit) if limit > 0 else 65536, limit))
    poster = sorted(POSTERS.glob("*.jpg"))[0].read_bytes()
    origin, other = Origin(poster), Origin(poster)
    folder = tempfile.mkdtemp()
    server = Server(program, folder, {"mine": await origin.start(), "hang": await other.start()})
    await server.start()
    try:
        await crowd(server, origin)
        for number in range(3):
            await leaving(server, origin, number)
        if shutil.which("wrk"):
            for number in range(2):
                await hanging(server, number)
        else:
            print("hanging: skipped, wrk is not installed")
    finally:
        server.process.send_signal(signal.SIGTERM)
        status = await server.process.wait()
        left = os.listdir(f"{folder}/originals/incoming")
        shutil.rmtree(folder)
    print(f"stopped with status {status}; {len(left)} files half written")
    await starting(program)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="onesheet")
    asyncio.run(main(parser.parse_args().program))
