"""Originals that arrive slowly, for ladder.py: the time from the last byte to the response, and the cost of 200 origins that send bytes
very slowly."""

import asyncio
import os
import sys
import time
from pathlib import Path

WIDTH = 342
DRIPS = 200


def baseline_size(file):
    """Width and height of a baseline JPEG; None for anything else."""
    data, at = file.read_bytes(), 2
    while data[:2] == b"\xff\xd8" and at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xC0:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        if data[at + 1] in (0xC1, 0xC2, 0xDA):
            return None
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


class PacedOrigin:
    """Sends files in pieces over `seconds`, and slow ones without end. A path ends with the number of a file and another word."""

    def __init__(self, files, seconds=0.2, pieces=50):
        self.bodies = [file.read_bytes() for file in files]
        self.seconds, self.pieces = seconds, pieces
        self.ends = {}  # times of the last bytes, by path
        self.drips = 0

    async def start(self):
        # Linux accepts connections to all of 127.0.0.0/8: each address is another origin for the server.
        self.server = await asyncio.start_server(self.serve, "0.0.0.0", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                key = head.split(b" ")[1].decode().rpartition("/")[2]
                body = self.bodies[int(key.split("-")[0])]
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
                if "drip" in key:
                    await self.drip(writer, body)
                else:
                    await self.pace(writer, body, key)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def pace(self, writer, body, key):
        start, sent = time.perf_counter(), 0
        for piece in range(1, self.pieces + 1):
            await asyncio.sleep(max(0, start + self.seconds * piece / self.pieces - time.perf_counter()))
            end = len(body) * piece // self.pieces
            writer.write(body[sent:end])
            sent = end
            if piece < self.pieces:
                await writer.drain()
        self.ends[key] = time.perf_counter()
        await writer.drain()

    async def drip(self, writer, body):
        """Sends the header at once, then slightly more than the least rate that the server accepts."""
        self.drips += 1
        try:
            writer.write(body[:20_000])
            for at in range(20_000, len(body), 500):
                await asyncio.sleep(0.25)
                writer.write(body[at : at + 500])
                await writer.drain()
        finally:
            self.drips -= 1


def percentiles(times):
    times = sorted(times)
    return f"p50 {1000 * times[len(times) // 2]:.2f} ms, p99 {1000 * times[min(len(times) - 1, len(times) * 99 // 100)]:.2f} ms"


async def timed(server, path):
    start = time.perf_counter()
    status = await server.get(path)
    if status != 200:
        raise ValueError(f"{path}: {status}")
    return start, time.perf_counter()


def resident(server):
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


async def latency(builds, origin, rounds, count):
    times, quick = {name: [] for name in builds.programs}, {name: [] for name in builds.programs}
    async for _, servers in builds.rounds(rounds):
        for number in range(count):
            for server in servers:
                key = f"{number % len(origin.bodies)}-{number}-{os.path.basename(server.folder)}"
                start, end = await timed(server, f"/poster/ladder:{key}?w={WIDTH}&format=jpeg")
                times[server.name].append(end - origin.ends[key])
                # The same for a stored original: the time of the render alone.
                start, end = await timed(server, f"/poster/ladder:{key}?w={WIDTH - 1}&format=jpeg")
                quick[server.name].append(end - start)
    for name in builds.programs:
        print(f"arriving: {name}: {len(times[name])} originals over {1000 * origin.seconds:.0f} ms, from the last byte to the response at "
              f"{WIDTH}: {percentiles(times[name])}; for a stored original: {percentiles(quick[name])}")


async def dripping(builds, origin, rounds, seconds=10, others=40):
    async for _, servers in builds.rounds(rounds):
        for server in servers:
            async def load(word):
                cpu, times = server.cpu(), []
                for number in range(others):
                    key = f"{number % len(origin.bodies)}-{word}{number}"
                    await timed(server, f"/poster/ladder:{key}?w={WIDTH}&format=jpeg")
                    times.append(time.perf_counter() - origin.ends[key])
                return server.cpu() - cpu, times

            _, before = await load("before")
            at_rest = resident(server)
            # Cancelled at the end, if the server has not ended them before.
            drips = [asyncio.create_task(server.get(f"/poster/drip{number}:0-drip{number}?w={WIDTH}")) for number in range(DRIPS)]
            while origin.drips < DRIPS:
                await asyncio.sleep(0.05)
            cpu = server.cpu()
            await asyncio.sleep(seconds)
            cpu, held = server.cpu() - cpu, resident(server)
            _, beside = await load("beside")
            there = origin.drips
            for drip in drips:
                drip.cancel()
            await asyncio.gather(*drips, return_exceptions=True)
            print(f"dripping: {server.name}: {DRIPS} origins ({there} at the end): {100 * cpu / seconds:.1f} % of a processor, resident "
                  f"{at_rest:.0f} to {held:.0f} MiB; others, from the last byte: {percentiles(before)} before, {percentiles(beside)} beside")


async def arriving(make_builds, files, rounds, count=40):
    """Calls `make_builds` with a port and options."""
    files = [file for file in files if (size := baseline_size(file)) and size[0] * size[1] >= 5_000_000]
    if not files:
        print("arriving: there is no baseline JPEG of five million pixels in the corpus", file=sys.stderr)
        return
    origin = PacedOrigin(files)
    port = await origin.start()
    await latency(make_builds(port, ""), origin, rounds, count)
    drips = " ".join(f"--origin drip{number}=http://127.1.{number // 200}.{number % 200 + 1}:{port}/{{key}}" for number in range(DRIPS))
    options = f"{drips} --fetch-max-transfers {DRIPS + 50} --fetch-timeout 300"
    await dripping(make_builds(port, options), origin, rounds)
