#!/usr/bin/env python3
"""Costs of hostile files for a whole service, including its worker processes: the peak of its memory, and the status of each request.

    python3 Benchmarks/hostile.py .build/release/onesheet FOLDER... [--isolation process] [--budget 256]

Each file below the folders is requested in two widths, several at once, from an origin of this script. Memory is PSS, the proportional share of each
process, summed over the server and its children every 10 ms. Needs Python 3.9, and the same user as the server. `make hostile-files` leaves files in
.build/hostile. Exit status 1 if the peak exceeds the idle memory by more than the budget plus 10 %.
"""
import argparse
import collections
import concurrent.futures
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

WIDTHS = [92, 342]


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    files = []

    def do_GET(self):
        name = self.path.rsplit("/", 1)[-1].split(".")[0]
        if not name.isdigit() or int(name) >= len(self.files):
            self.send_error(404)
            return
        content = self.files[int(name)].read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def share(process):
    """PSS in bytes; 0 for a process that has ended or cannot be read."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as lines:
            return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    except (OSError, ValueError):
        return 0


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            own = [int(each) for each in file.read().split()]
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children") as file:
                own += [int(each) for each in file.read().split()]
        return set(own)
    except OSError:
        return set()


class Memory(threading.Thread):
    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.isRunning = process, 0, True

    def now(self):
        return share(self.process) + sum(share(each) for each in children(self.process))

    def run(self):
        while self.isRunning:
            self.peak = max(self.peak, self.now())
            time.sleep(0.01)


def status(url):
    try:
        with urllib.request.urlopen(url, timeout=300) as response:
            response.read()
            return response.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--isolation", default="process", choices=["process", "required", "thread"])
    parser.add_argument("--budget", type=int, default=256, help="memory budget of renders, in MiB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clients", type=int, default=8)
    arguments = parser.parse_args()
    Origin.files = sorted(each for folder in arguments.folders for each in pathlib.Path(folder).rglob("*") if each.is_file())
    if not Origin.files:
        parser.error("the folders contain no files")
    origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="onesheet-hostile-") as data:
        server = subprocess.Popen(
            [arguments.program, "serve", "--port", "0", "--data-dir", data, "--isolation", arguments.isolation, "--codec-threads", str(arguments.threads),
             "--render-memory-budget", f"{arguments.budget}MiB", "--allow-private-origins", "--origin", f"files=http://127.0.0.1:{origin.server_port}/{{key}}",
             "--reencode", "off", "--planes-budget", "0", "--memory-budget", "16MiB", "--log-level", "critical"], stdout=subprocess.PIPE, text=True)
        base = next(word for line in server.stdout for word in line.split() if word.startswith("http://")).rstrip("/")
        try:
            for name in ("rashomon-1950", "metropolis-1927"):
                status(f"{base}/poster/{name}?w=92&format=jpeg")
            time.sleep(1)
            memory = Memory(server.pid)
            idle = memory.now()
            memory.start()
            urls = [f"{base}/poster/files:{number}?w={width}&format=jpeg" for width in WIDTHS for number in range(len(Origin.files))]
            with concurrent.futures.ThreadPoolExecutor(arguments.clients) as pool:
                counts = collections.Counter(pool.map(status, urls))
            memory.isRunning = False
            memory.join()
            alive = status(f"{base}/poster/rashomon-1950?w=342&format=jpeg")
        finally:
            server.terminate()
            server.wait(60)
    mib = 1 << 20
    print(f"{len(Origin.files)} files, {len(urls)} requests: " + ", ".join(f"{count} × {code}" for code, count in sorted(counts.items())))
    print(f"PSS idle {idle / mib:.1f} MiB, peak {memory.peak / mib:.1f} MiB; budget of renders {arguments.budget} MiB; status of a poster afterwards: {alive}")
    sys.exit(0 if alive == 200 and memory.peak - idle <= arguments.budget * mib * 1.1 else 1)


if __name__ == "__main__":
    main()
