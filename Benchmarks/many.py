#!/usr/bin/env python3
"""Cost of a hit by the number of variants in memory: fills a running onesheet with small variants over HTTP, then requests
them at random.

    python3 Benchmarks/many.py .build/release/onesheet [--counts 1000,10000,100000,1000000] [--seconds 4]

Needs Python 3.9 and wrk, and about 2 GiB of memory for a million. Sends nothing beyond this machine.
"""

import argparse
import http.server
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from program import POSTERS

# Maps numbers below a million to unique targets: qualities, sides and parts of the picture.
SCRIPT = """
local count = tonumber(os.getenv("COUNT"))
local first = tonumber(os.getenv("FIRST") or "-1")
local positions = {"center", "top", "bottom", "left", "right"}
local i = first
local function target(n)
  local id = n % 64; n = math.floor(n / 64)
  local q = 1 + n % 100; n = math.floor(n / 100)
  local w = 16 + n % 40; n = math.floor(n / 40)
  local h = 16 + n % 60; n = math.floor(n / 60)
  return string.format("/poster/many:%d?w=%d&h=%d&fit=cover&position=%s&q=%d&format=jpeg", id, w, h, positions[1 + n % 5], q)
end
function init(args) math.randomseed(7) end
function request()
  if first >= 0 then
    local n = i; i = i + 1
    return wrk.format("GET", target(n % count))
  end
  return wrk.format("GET", target(math.random(0, count - 1)))
end
"""


class Origin(http.server.BaseHTTPRequestHandler):
    picture = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.picture)))
        self.end_headers()
        self.wfile.write(self.picture)

    def log_message(self, *arguments):
        pass


def one_address():
    """The environment of a server with all clients at one address; builds without the option ignore it."""
    return {**os.environ, "ONESHEET_CONNECTIONS_PER_ADDRESS": "0"}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def cpu(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def metric(port, name):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    return int(float(re.search(rf"^{name} (\S+)$", text, re.M).group(1)))


def wrk(port, script, seconds, count, first=None):
    environment = dict(os.environ, COUNT=str(count))
    if first is not None:
        environment["FIRST"] = str(first)
    output = subprocess.run(
        ["wrk", "--latency", "-t1", "-c32", f"-d{seconds}s", "--timeout", "10s", "-s", script, f"http://127.0.0.1:{port}"],
        capture_output=True, text=True, env=environment, check=True).stdout
    if "Non-2xx" in output:
        sys.exit(output)
    return int(re.search(r"(\d+) requests in", output).group(1)), re.search(r"99%\s+(\S+)", output).group(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--counts", default="1000,10000,100000,1000000")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory-budget", default="4GiB")
    parser.add_argument("--serve-options", default="")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="onesheet-many-")
    small = f"{folder}/small.jpg"
    poster = sorted(POSTERS.glob("*.jpg"))[0]
    subprocess.run([arguments.program, "render", str(poster), small, "--width", "64"], check=True,
                   stdout=subprocess.DEVNULL)
    Origin.picture = Path(small).read_bytes()
    origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    port = free_port()
    server = subprocess.Popen(
        [arguments.program, "serve", "--port", str(port), "--data-dir", f"{folder}/data",
         "--memory-budget", arguments.memory_budget, "--max-variants-per-poster", "100000", "--allow-private-origins", "--codec-queue", "1000",
         "--origin", f"many=http://127.0.0.1:{origin.server_port}/{{key}}", *arguments.serve_options.split()],
        stdout=subprocess.DEVNULL, env=one_address())
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        script = f"{folder}/many.lua"
        Path(script).write_text(SCRIPT)
        print("| variants in memory | CPU s per 1000 hits | requests/s, 32 connections | p99 | resident |")
        print("|--:|--:|--:|--:|--:|")
        for count in map(int, arguments.counts.split(",")):
            while (held := metric(port, "onesheet_variants")) < count:
                before = held
                wrk(port, script, 10 if count > 10_000 else 2, count, first=held)
                if metric(port, "onesheet_variants") <= before:
                    # Requests in progress at the end of a round left gaps.
                    wrk(port, script, 10, count, first=0)
                    if metric(port, "onesheet_variants") <= before:
                        break
            held = metric(port, "onesheet_variants")
            wrk(port, script, arguments.seconds, count)  # fills the cache of targets
            costs, rates, tails = [], [], []
            for _ in range(arguments.rounds):
                before = cpu(server.pid)
                requests, p99 = wrk(port, script, arguments.seconds, count)
                costs.append((cpu(server.pid) - before) / requests * 1000)
                rates.append(requests / arguments.seconds)
                tails.append(p99)
            resident = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text()).group(1)
            print(f"| {held:,} | {statistics.median(costs):.4f} | {statistics.median(rates):,.0f} "
                  f"| {sorted(tails)[len(tails) // 2]} | {int(resident) // 1024} MiB |", flush=True)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


main()
