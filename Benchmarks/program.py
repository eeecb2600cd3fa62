"""The embedded posters, a program under test with its own folder and its metrics, and a slow phone, for page.py, reencode.py and web.py."""

import http.client
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

POSTERS = Path(__file__).resolve().parent.parent / "Sources/Movies/EmbeddedCatalogue/Resources/originals"
QUIET_SECONDS = 600
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}


def sums(metrics):
    """The sums of all samples of each metric."""
    found = {}
    for line in metrics.splitlines():
        if line.startswith("#") or not line: continue
        name, value = line.rsplit(" ", 1)
        name = name.partition("{")[0]
        found[name] = found.get(name, 0) + float(value)
    return found


class Server:
    """`onesheet serve`, with all clients at one address."""

    def __init__(self, program, *options):
        self.folder = tempfile.mkdtemp(prefix="onesheet-bench-")
        words = [program, "serve", "--port", "0", "--data-dir", self.folder, "--connections-per-address", "0", *options]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.process.stdout.readline()).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def metrics(self):
        connection = self.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return sums(text)

    def quiet(self):
        """Waits until no variant is being re-encoded; returns the metrics."""
        end = time.monotonic() + QUIET_SECONDS
        while time.monotonic() < end:
            metrics = self.metrics()
            if metrics["onesheet_reencodings_waiting"] + metrics["onesheet_reencodings_running"] == 0: return metrics
            time.sleep(0.1)
        raise SystemExit(f"re-encoding has not ended in {QUIET_SECONDS} s")


def slow_down(page):
    """Gives a page in Chromium a phone's network, 150 ms and 1.6 Mbit/s, and a quarter of the processor."""
    debugger = page.context.new_cdp_session(page)
    debugger.send("Network.enable")
    debugger.send("Network.emulateNetworkConditions", NETWORK)
    debugger.send("Emulation.setCPUThrottlingRate", {"rate": 4})
