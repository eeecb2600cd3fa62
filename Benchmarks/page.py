#!/usr/bin/env python3
"""The picture bytes of a page of 48 posters in Chromium: at the first load, and in a new profile once no variant waits to be re-encoded.

    /path/to/venv/bin/python -B Benchmarks/page.py onesheet [--corpus FOLDER] [--width 342] [--serve-option=--reencode-after=2]…

drawn: the 48 packaged posters. corpus: the portraits among the film posters and book covers of --corpus (../shared/corpus/posters), from a server of this script, repeated
to make 48: each file has several ids, so that each one is rendered and re-encoded separately.

The program must be in its build folder, beside its resources. Needs Playwright and Debian's chromium (Tests/Web/requirements.txt). Sends nothing beyond this machine.
"""

import argparse
import functools
import http.server
import json
import os
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from program import POSTERS, Server

ROOT = Path(__file__).resolve().parent.parent
COUNT = 48
CHROMIUM = "/usr/bin/chromium"
# In this order, up to 48.
FOLDERS = ["film-art", "film-pd", "art-cover"]
SECONDS = 600


class Files:
    """An origin on this machine with files named 0, 1 and so on."""

    def __init__(self, paths):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = paths[int(self.path.strip("/")) % len(paths)].read_bytes()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __exit__(self, *_):
        self.server.shutdown()


def portraits(folder):
    """Files of portrait pictures, by the manifest's columns."""
    lines = [line.split("\t") for line in (folder / "manifest.tsv").read_text().splitlines()]
    column = {name: index for index, name in enumerate(lines[0])}
    sizes = {line[column["path"]]: (int(line[column["width"]]), int(line[column["height"]]))
             for line in lines[1:] if line[column["width"]].isdigit()}
    return [folder / path for name in FOLDERS for path, (width, height) in sorted(sizes.items())
            if path.startswith(name + "/") and height > width and (folder / path).exists()]


def load(playwright, urls):
    """Loads a page of pictures in a new profile: their number and bytes by media type."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
    try:
        page = browser.new_page()
        found = {}

        def note(request):
            response = request.response()
            if response is None or response.status != 200: raise SystemExit(f"{request.url}: {response and response.status}")
            kind = response.header_value("content-type")
            count, size = found.get(kind, (0, 0))
            found[kind] = (count + 1, size + request.sizes()["responseBodySize"])

        finished = []
        page.on("requestfinished", lambda request: finished.append(request))
        images = "".join(f'<img src="{url}" alt="">' for url in urls)
        page.set_content(f"<!doctype html><title>Posters</title>{images}", wait_until="load", timeout=SECONDS * 1000)
        broken = page.evaluate("[...document.images].filter(image => !image.complete || image.naturalWidth === 0).map(image => image.src)")
        if broken: raise SystemExit(f"not shown: {broken}")
        # Some events follow that of the page.
        while len(finished) < len(urls): page.wait_for_timeout(50)
        for request in finished: note(request)
        return found
    finally:
        browser.close()


def measure(playwright, program, options, ids, width):
    with Server(program, "--memory-budget", "512MiB", *options) as server:
        urls = [f"http://127.0.0.1:{server.port}/poster/{name}?w={width}" for name in ids]
        first = load(playwright, urls)
        start = time.monotonic()
        metrics = server.quiet()
        seconds = time.monotonic() - start
        second = load(playwright, urls)
    sums = [sum(size for _, size in found.values()) for found in (first, second)]
    return {"posters": len(ids), "width": width, "first": first, "second": second, "seconds between": round(seconds, 1),
            "declined": int(metrics.get("onesheet_reencodings_declined_total", 0)), "bytes": sums, "ratio": round(sums[1] / sums[0], 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus" / "posters")
    parser.add_argument("--width", type=int, default=342)
    parser.add_argument("--serve-option", action="append", default=[], metavar="WORD", help="an argument of the program's command line, repeatable")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        run = functools.partial(measure, playwright, arguments.program)
        drawn = sorted(path.stem for path in POSTERS.glob("*.jpg"))[:COUNT]
        print(json.dumps({"scenario": "drawn", **run(arguments.serve_option, drawn, arguments.width)}), flush=True)
        if not (arguments.corpus / "manifest.tsv").exists():
            print(json.dumps({"scenario": "corpus", "skipped": f"{arguments.corpus} does not exist"}), flush=True)
            return
        paths = portraits(arguments.corpus)
        with Files(paths) as origin:
            options = [*arguments.serve_option, "--allow-private-origins", "--origin", f"corpus={origin}/{{key}}"]
            found = run(options, [f"corpus:{number}" for number in range(COUNT)], arguments.width)
        print(json.dumps({"scenario": "corpus", "files": len(paths), **found}), flush=True)


if __name__ == "__main__":
    main()
