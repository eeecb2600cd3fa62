#!/usr/bin/env python3
"""Hits of onesheet beside nginx's proxy_cache with the same bytes, in turns on one machine: requests a second, p99 and
CPU time, at full load (wrk) and at a rate that both can serve (h2load).

    python3 Benchmarks/hits.py .build/release/onesheet [--rounds 3] [--seconds 2] [--sizes 10000,50000]
        [--connections 32,256] [--pin] [--markdown FILE]

Needs Python 3.9, nginx, wrk and h2load (nghttp2-client). Sends nothing beyond this machine.
"""

import argparse
import math
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

POSTER = "nosferatu-1922"
SIZES = [10_000, 30_000, 60_000]
CONNECTIONS = [1, 32, 256]
# As a share of the lower of both rates at full load.
PACED_SHARE = 0.5

NGINX = """
user root;
daemon off;
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 300;
    keepalive_requests 1000000000;
    open_file_cache max=1000 inactive=300s;
    open_file_cache_valid 300s;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    proxy_cache_path {folder}/cache levels=1:2 keys_zone=posters:10m inactive=1h use_temp_path=off;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location / {{
            proxy_pass http://127.0.0.1:{upstream};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache posters;
            proxy_cache_lock on;
        }}
    }}
}}
"""


def one_address():
    """The environment of a server with all clients at one address; builds without the option ignore it."""
    return {**os.environ, "ONESHEET_CONNECTIONS_PER_ADDRESS": "0"}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_open(port, process):
    for _ in range(200):
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended with status {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nothing listens on port {port}")


class Server:
    def __init__(self, name, port, process):
        self.name, self.port, self.process = name, port, process

    def pids(self):
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [self.process.pid, *map(int, children)]

    def cpu(self):
        ticks = 0
        for pid in self.pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def pin(self, core):
        for pid in self.pids():
            subprocess.run(["taskset", "-a", "-c", "-p", str(core), str(pid)], check=True, stdout=subprocess.DEVNULL)


def target_of(size, port):
    """The quality and width of the JPEG with the size closest to a number of bytes."""
    best = None
    for width in (180, 240, 300, 368, 420, 500):
        for quality in (40, 50, 60, 70, 75, 80, 85, 90, 94):
            target = f"/poster/{POSTER}?w={width}&q={quality}&format=jpeg"
            length = len(urllib.request.urlopen(f"http://127.0.0.1:{port}{target}").read())
            if best is None or abs(length - size) < abs(best[1] - size):
                best = (target, length)
    return best


def numbers(text):
    return [int(number) for number in text.split(",")]


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def saturated(server, target, connections, seconds, prefix):
    """Requests a second, p99 in milliseconds, CPU seconds per 1000 and p50 at full load."""
    threads = min(2, connections)
    before = server.cpu()
    output = subprocess.run(
        prefix + ["wrk", "--latency", f"-t{threads}", f"-c{connections}", f"-d{seconds}s",
                  f"http://127.0.0.1:{server.port}{target}"],
        capture_output=True, text=True, check=True).stdout
    used = server.cpu() - before
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"{server.name} did not answer all requests:\n{output}")
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))
    found = [re.search(rf"{share}%\s+([\d.]+(?:us|ms|s))", output) for share in (50, 99)]
    if None in found:
        sys.exit(f"wrk printed no percentiles:\n{output}")
    p50, p99 = [milliseconds(match.group(1)) for match in found]
    return rate, p99, used / requests * 1000, p50


def paced(server, target, connections, seconds, rate, folder, prefix):
    """p50 and p99 in milliseconds at a total rate in requests a second."""
    log = f"{folder}/h2load.log"
    Path(log).unlink(missing_ok=True)
    each = max(1, round(rate / connections))
    subprocess.run(
        prefix + ["h2load", "--h1", f"-t{min(2, connections)}", f"-c{connections}", f"--rps={each}", f"-D{seconds}",
                  f"--log-file={log}", f"http://127.0.0.1:{server.port}{target}"],
        capture_output=True, check=True)
    times = []
    with open(log) as lines:
        for line in lines:
            _, status, microseconds = line.split()
            if status != "200":
                sys.exit(f"{server.name} answered {status}")
            times.append(int(microseconds))
    times.sort()
    return times[len(times) // 2] / 1000, times[math.ceil(len(times) * 0.99) - 1] / 1000, len(times) / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--sizes", type=numbers, default=SIZES, metavar="BYTES,...")
    parser.add_argument("--connections", type=numbers, default=CONNECTIONS, metavar="COUNT,...")
    parser.add_argument("--pin", action="store_true", help="servers on core 0, load on core 1")
    parser.add_argument("--no-paced", action="store_true")
    parser.add_argument("--markdown")
    parser.add_argument("--serve-options", default="", help="more options of onesheet serve")
    arguments = parser.parse_args()
    for tool in ("nginx", "wrk", "h2load"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    folder = tempfile.mkdtemp(prefix="onesheet-hits-")
    processes = []
    try:
        port = free_port()
        ours = subprocess.Popen(
            [arguments.program, "serve", "--port", str(port), "--data-dir", f"{folder}/data",
             *arguments.serve_options.split()], stdout=subprocess.DEVNULL,
            env=one_address())
        processes.append(ours)
        wait_until_open(port, ours)
        nginx_port = free_port()
        Path(f"{folder}/nginx.conf").write_text(NGINX.format(folder=folder, port=nginx_port, upstream=port))
        nginx = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/nginx-error.log"])
        processes.append(nginx)
        wait_until_open(nginx_port, nginx)
        servers = [Server("onesheet", port, ours), Server("nginx", nginx_port, nginx)]
        prefix = []
        if arguments.pin:
            for server in servers:
                server.pin(0)
            prefix = ["taskset", "-c", "1"]
        lines = ["| body, connections | requests/s | p99 ms, full load | CPU s per 1000 | paced at | p50 / p99 ms, paced |",
                 "|---|--:|--:|--:|--:|--:|"]
        print(lines[0], lines[1], sep="\n")
        for size in arguments.sizes:
            target, length = target_of(size, port)
            for server in servers:
                for _ in range(3):
                    urllib.request.urlopen(f"http://127.0.0.1:{server.port}{target}").read()
            for connections in arguments.connections:
                results = {server.name: [] for server in servers}
                for round in range(arguments.rounds):
                    for server in servers if round % 2 == 0 else reversed(servers):
                        results[server.name].append(
                            saturated(server, target, connections, arguments.seconds, prefix))
                medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}
                a, b = medians["onesheet"], medians["nginx"]
                line = (f"| {length / 1000:.0f} KB, {connections} | {a[0]:,.0f} / {b[0]:,.0f} ({a[0] / b[0]:.2f}) "
                        f"| {a[1]:.2f} / {b[1]:.2f} | {a[2]:.4f} / {b[2]:.4f} ")
                if arguments.no_paced:
                    line += "| | |"
                else:
                    rate = PACED_SHARE * min(a[0], b[0])
                    slow = {server.name: [] for server in servers}
                    for round in range(arguments.rounds):
                        for server in servers if round % 2 == 0 else reversed(servers):
                            slow[server.name].append(
                                paced(server, target, connections, arguments.seconds, rate, folder, prefix))
                    middle = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in slow.items()}
                    c, d = middle["onesheet"], middle["nginx"]
                    line += (f"| {c[2]:,.0f}/s / {d[2]:,.0f}/s | {c[0]:.2f} / {d[0]:.2f}, {c[1]:.2f} / {d[1]:.2f} |")
                print(line, flush=True)
                lines.append(line)
        if arguments.markdown:
            Path(arguments.markdown).write_text("\n".join(lines) + "\n")
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
