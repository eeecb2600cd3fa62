#!/usr/bin/env python3
"""Re-encoding of variants in the background: the time until a wall of posters is AVIF, the bytes saved, and the cost for requests.

    python3 Benchmarks/reencode.py onesheet [--only wall,load,cold,disk] [--widths 154,342,500,780] [--rounds 3]

wall: the 48 packaged posters in all widths, requested twice as by a browser that accepts AVIF, so that they count as used; then the time until no variant waits to be
re-encoded, and the bytes of the wall before and after.
load: as many cold renders as both codec threads can do, while hundreds of variants wait to be re-encoded: the share of the processors' time used by re-encoding.
cold: the latency of sequential cold renders, while hundreds of variants are re-encoded, and with --reencode off, by turns.
disk: the same for WebPs that take long enough to be written to disk, and with --variant-disk-budget 0.

The program must be in its build folder, beside its resources. Needs Python 3.9. Sends nothing beyond this machine.
"""

import argparse
import json
import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from program import POSTERS, Server

IDS = sorted(path.stem for path in POSTERS.glob("*.jpg"))
MODERN = {"Accept": "image/avif,image/webp,image/apng,image/*,*/*;q=0.8"}
CLIENTS = 8


def get(connection, target):
    """The media type, the length and the seconds of a response."""
    start = time.perf_counter()
    connection.request("GET", target, headers=MODERN)
    response = connection.getresponse()
    body = response.read()
    if response.status != 200: raise SystemExit(f"{target}: {response.status} {body[:200]}")
    return response.getheader("Content-Type"), len(body), time.perf_counter() - start


def get_all(server, targets, clients=CLIENTS):
    """Requests targets on several connections; the media types and lengths, in their order."""
    def run(part):
        connection = server.connect()
        found = [(index, get(connection, targets[index])[:2]) for index in part]
        connection.close()
        return found
    with ThreadPoolExecutor(clients) as pool:
        found = pool.map(run, [range(client, len(targets), clients) for client in range(clients)])
    return [value for _, value in sorted(pair for part in found for pair in part)]


def wall(program, widths):
    """The time until a wall of posters is AVIF, and the bytes saved."""
    targets = [f"/poster/{poster}?w={width}" for poster in IDS for width in widths]
    with Server(program, "--memory-budget", "512MiB") as server:
        before = get_all(server, targets)
        start = time.perf_counter()
        get_all(server, targets)
        metrics = server.quiet()
        seconds = time.perf_counter() - start
        after = get_all(server, targets)
    types = {}
    for kind, _ in after: types[kind] = types.get(kind, 0) + 1
    sizes = [sum(length for _, length in found) for found in (before, after)]
    return {"variants": len(targets), "seconds": round(seconds, 1), "cpu seconds": round(metrics["onesheet_reencoding_cpu_seconds_total"], 1),
            "bytes before": sizes[0], "bytes after": sizes[1], "ratio": round(sizes[1] / sizes[0], 3), "types": types,
            "declined": int(metrics["onesheet_reencodings_declined_total"])}


def used(server, count):
    """Requests variants twice, so that they wait to be re-encoded."""
    targets = [f"/poster/{poster}?w={width}&format=webp" for poster in IDS for width in range(200, 200 + count)]
    for _ in range(2): get_all(server, targets)


def load(program, seconds=20):
    """The share of two processors' time used by re-encoding beside as many renders as possible."""
    with Server(program, "--memory-budget", "512MiB") as server:
        used(server, 12)
        waiting = server.metrics()["onesheet_reencodings_waiting"]
        end = time.perf_counter() + seconds
        before, start = server.metrics(), time.perf_counter()

        def client(number):
            connection, done = server.connect(), 0
            while time.perf_counter() < end:
                poster = IDS[(number + done * CLIENTS) % len(IDS)]
                get(connection, f"/poster/{poster}?w={300 + (number * 997 + done * 13) % 600}&q={40 + done % 50}&format=jpeg")
                done += 1
            return done
        with ThreadPoolExecutor(CLIENTS) as pool: renders = sum(pool.map(client, range(CLIENTS)))
        after, elapsed = server.metrics(), time.perf_counter() - start

    def share(name):
        return round((after[name] - before[name]) / elapsed / os.cpu_count(), 4)
    return {"waiting at the start": int(waiting), "renders": renders, "seconds": round(elapsed, 1), "cpu of the process": share("process_cpu_seconds_total"),
            "cpu of encoding again": share("onesheet_reencoding_cpu_seconds_total")}


def cold(program, rounds, option="--reencode", modes=("on", "off"), form="jpeg", count=300):
    """The latency of cold renders with two values of an option, by turns, beside re-encoding."""
    found = {mode: [] for mode in modes}
    counts = {"encoded again meanwhile": "onesheet_reencodings_total", "written to disk": "onesheet_variant_disk_writes_total"}
    totals = {name: 0 for name in counts}
    for turn in range(rounds):
        for mode in modes if turn % 2 == 0 else modes[::-1]:
            with Server(program, "--memory-budget", "512MiB", option, mode) as server:
                used(server, 12)
                time.sleep(2)
                connection = server.connect()
                for number in range(count):
                    target = f"/poster/{IDS[number % len(IDS)]}?w={300 + number % 7 * 20}&q={30 + number // 7 % 60}&format={form}"
                    found[mode].append(get(connection, target)[2])
                if mode == modes[0]:
                    metrics = server.metrics()
                    for name, metric in counts.items(): totals[name] += int(metrics[metric])
                    if metrics["onesheet_reencodings_waiting"] == 0: print("warning: no variant waits to be re-encoded", flush=True)
    result = {"requests": len(found[modes[0]]), **totals}
    for mode, times in found.items():
        cuts = statistics.quantiles(times, n=100)
        result[mode] = {"p50 ms": round(cuts[49] * 1000, 2), "p90 ms": round(cuts[89] * 1000, 2), "p99 ms": round(cuts[98] * 1000, 2)}
    result[f"p99 {modes[0]}/{modes[1]}"] = round(result[modes[0]]["p99 ms"] / result[modes[1]]["p99 ms"], 3)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="wall,load,cold,disk")
    parser.add_argument("--widths", default="154,342,500,780")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    widths = [int(width) for width in arguments.widths.split(",")]
    benches = {"wall": lambda: wall(arguments.program, widths), "load": lambda: load(arguments.program),
               "cold": lambda: cold(arguments.program, arguments.rounds),
               "disk": lambda: cold(arguments.program, arguments.rounds, "--variant-disk-budget", ("1GiB", "0"), "webp")}
    for name in arguments.only.split(","):
        print(json.dumps({"scenario": name, **benches[name]()}), flush=True)


if __name__ == "__main__":
    main()
