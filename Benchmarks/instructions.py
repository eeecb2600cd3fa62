#!/usr/bin/env python3
"""Counts the server's instructions per request with callgrind, for one or more builds, and the ratio of the first build to each other one.

    python3 Benchmarks/instructions.py NEW/onesheet [OLD/onesheet ...] [--kinds hit,h304,list,details,cold] [--files]

With --files it prints the numbers of source files whose functions ran in at least every second request; see executed_files.py.

Each program must be in its build folder, beside its resources. Needs Python 3.9, valgrind, gcc and strip. Sends nothing beyond this machine.
Counts with timers in them (list) vary by up to 10 %; hits and cold posters repeat within 0.5 %.
"""

import argparse
import glob
import http.client
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from executed_files import SOURCES, executed
from program import POSTERS

TARGETS = {
    "hit": "/poster/nosferatu-1922?w=368", "h304": "/poster/nosferatu-1922?w=368", "list": "/movies/home",
    "details": "/movies/nosferatu-1922",
}
# valgrind 3.19 writes to the mask of sigsuspend, which is constant memory in libdispatch.
SIGSUSPEND = """
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int sigsuspend(const sigset_t *mask) { sigset_t copy = *mask; return syscall(SYS_rt_sigsuspend, &copy, 8); }
"""


def stripped(program, folder):
    """A copy with its resources but without debug information, which valgrind 3.19 cannot read."""
    folder.mkdir()
    for resources in glob.glob(str(pathlib.Path(program).parent / "*.resources")):
        shutil.copytree(resources, folder / pathlib.Path(resources).name)
    shutil.copy(program, folder / "onesheet")
    subprocess.run(["strip", "--strip-debug", folder / "onesheet"], check=True)
    return folder / "onesheet"


class Server:
    def __init__(self, program, preload):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ONESHEET_")}
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={self.folder}/counts", program,
             "serve", "--port", str(self.port), "--data-dir", self.folder / "data"],
            env=environment | {"LD_PRELOAD": str(preload)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(900):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def get(self, target, fields={}):
        self.connection.request("GET", target, headers=fields)
        response = self.connection.getresponse()
        body = response.read()
        if response.status not in (200, 304):
            sys.exit(f"{target}: {response.status} {body[:300]}")
        return response

    def counted(self, work):
        """Instructions of the process while `work` runs; the profile is in its folder afterwards."""
        for state, then in (("on", work), ("off", lambda: None)):
            subprocess.run(["callgrind_control", "-i", state, str(self.process.pid)], check=True, capture_output=True)
            then()
            time.sleep(0.3)
        self.process.terminate()
        self.process.wait()
        return max(int(count) for count in re.findall(r"^(?:totals|summary): (\d+)", (self.folder / "counts").read_text(), re.M))

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def count(program, kind, preload, files):
    server = Server(program, preload)
    try:
        if kind == "cold":
            names = [name for name in sorted(path.stem for path in POSTERS.glob("*.jpg")) if name != "nosferatu-1922"][:6]
            server.get("/poster/nosferatu-1922?w=92")
            targets = [f"/poster/{name}?w=342" for name in names]
            fields = {}
        else:
            targets = [TARGETS[kind]] * 500
            tag = server.get(TARGETS[kind]).getheader("ETag")
            fields = {"If-None-Match": tag} if kind == "h304" else {}
            for _ in range(60):
                server.get(TARGETS[kind], fields)
        time.sleep(8)  # sweeps and background descriptions after the start
        count = server.counted(lambda: [server.get(target, fields) for target in targets]) / len(targets)
        if not files: return count
        found = executed(server.folder / "counts", len(targets) / 2)
        for path in sorted(found): print(" ", path.relative_to(SOURCES))
        return len(found)
    finally:
        server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--kinds", default="hit,h304,list,details,cold")
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sigsuspend.c").write_text(SIGSUSPEND)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "sigsuspend.so", folder / "sigsuspend.c"], check=True)
        programs = [stripped(os.path.realpath(program), folder / str(index)) for index, program in enumerate(options.programs)]
        for kind in options.kinds.split(","):
            counts = [count(program, kind, folder / "sigsuspend.so", options.files) for program in programs]
            ratios = [f"{counts[0] / other:.3f}" for other in counts[1:]]
            print(kind, *[f"{value:,.0f}" for value in counts], *ratios, flush=True)


if __name__ == "__main__":
    main()
