#!/usr/bin/env python3
"""Tests the documents and deploy/. Prints failures, and "N passed, N failed" as the last line; exit status 1 after a failure.

usage: run.py PROGRAM [--only WORD]…      needs: Tests/Web's environment, and the packages that `make test-docs` installs

commands: every fenced command of README, CONTRIBUTING, SECURITY and docs/. pages: the HTML and JavaScript of docs/using.md in Chromium, and code for Node.js in
Playwright's. proxies: nginx and HAProxy with the files of deploy/, in front of two nodes. files: Swift, YAML, systemd, nginx, Compose, Prometheus, Grafana.
--only: only jobs with the word in their names.
"""
import argparse
import concurrent.futures
import http.server
import os
import pathlib
import sys
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Web"))

import documents
import files
import pages
import proxies
import services
import sources
from web import Checks

# Jobs mostly wait for programs.
WORKERS = 3
# Time limit of all jobs in seconds, without builds; TEST_DOCS_SECONDS overrides it on slow machines.
LIMIT = int(os.environ.get("TEST_DOCS_SECONDS", 360))
PICTURES = sorted((ROOT / "Sources/Movies/EmbeddedCatalogue/Resources/originals").glob("rashomon*"))


class Origin(http.server.BaseHTTPRequestHandler):
    """A poster at every path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        picture = PICTURES[0].read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(picture)))
        self.send_header("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT")
        self.end_headers()
        self.wfile.write(picture)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append")
    arguments = parser.parse_args()
    check = Checks()
    begin = time.monotonic()
    origin = sources.Server(("127.0.0.1", 0), Origin)
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{origin.server_port}"
    beside = services.Services()
    names = ["CONTRIBUTING.md", "README.md", "SECURITY.md"] + sorted(str(each.relative_to(ROOT)) for each in (ROOT / "docs").rglob("*.md"))
    jobs = [(f"commands {name}", lambda name=name: documents.execute(arguments.program, address, ROOT, name, check, beside)) for name in names]
    jobs += [(part.__name__, lambda part=part: part.run(arguments.program, address, ROOT, names, check)) for part in (pages, proxies, files)]
    def attempt(name, job):
        start = time.monotonic()
        try:
            job()
        except Exception as error:
            check(name, False, "".join(traceback.format_exception(error)[-4:]))
        if time.monotonic() - start > 1:
            print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)

    # The longest jobs first.
    wanted = [each for each in reversed(jobs) if not arguments.only or any(word in each[0] for word in arguments.only)]
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda each: attempt(*each), wanted))
    beside.stop()
    seconds = time.monotonic() - begin
    # The limit applies only to a full run.
    if not arguments.only:
        check(f"all jobs within {LIMIT} s", seconds <= LIMIT, f"they took {seconds:.0f} s")
    print(f"{seconds:.0f} s, limit {LIMIT} s")
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
