#!/usr/bin/env python3
"""A wall of 48 posters in browsers and by curl: the first load, and a load in a new profile once no variant waits to be re-encoded.

    /path/to/venv/bin/python -B Benchmarks/page.py onesheet [--widths 154,342,500,780] [--formats LIST]… [--clients chromium,firefox,curl] [--fast]
        [--corpus FOLDER] [--serve-option=--reencode-after=2]…

drawn: the 48 packaged posters. corpus: the portraits among the film posters and book covers of --corpus (../shared/corpus/posters), from a server of this script, repeated
to make 48: each file has several ids, so that each one is rendered and re-encoded separately.

Every list of --formats ("" for the program's own; by default that and "webp,jpeg") has a new server for every client. A load is a page of one width; its time ends when the
last picture is decoded. Chromium has a phone's network and processor (program.py) unless --fast; the other clients have this machine's. Prints a line of JSON for every width,
and a table of the sums of all widths, relative to the first load by the same client with the last of --formats.

The program must be in its build folder, beside its resources. Needs curl, Debian's chromium and firefox-esr, and Tests/Web/requirements.txt. Sends nothing beyond this
machine.
"""

import argparse
import http.server
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from program import POSTERS, Server, slow_down

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Web"))
from firefox import Firefox
from web import Browser

COUNT = 48
# In this order, up to 48.
FOLDERS = ["film-art", "film-pd", "art-cover"]
SECONDS = 600
# As many as browsers open to a server over HTTP/1.1.
CONNECTIONS = 6
# The milliseconds until all pictures are decoded.
SHOW = """async (urls) => {
  const start = performance.now();
  await Promise.all(urls.map((url) => {
    const image = new Image();
    image.src = url;
    document.body.append(image);
    return image.decode().catch(() => { throw new Error(`not shown: ${url}`); });
  }));
  return performance.now() - start;
}"""


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


def chromium(urls, is_fast):
    with Browser() as browser, browser.page(1440) as page:
        if not is_fast: slow_down(page)
        finished = []
        page.on("requestfinished", lambda request: finished.append(request))
        milliseconds = page.evaluate(SHOW, urls)
        # Some events follow the last picture.
        while len(finished) < len(urls): page.wait_for_timeout(50)
        return [(each.response().header_value("content-type"), each.sizes()["responseBodySize"]) for each in finished], milliseconds / 1000


class RecordingFirefox(Firefox):
    """Firefox with the responses that it has completed."""

    def __enter__(self):
        self.responses = []
        super().__enter__()
        self.send("session.subscribe", events=["network.responseCompleted"])
        return self

    def note(self, entry):
        if "response" in entry: self.responses.append(entry["response"])
        else: super().note(entry)


def firefox(urls, _):
    with RecordingFirefox() as browser, browser.page(1440) as page:
        milliseconds = page.evaluate(SHOW, urls)
        # Events are received with the result of a command.
        while len(browser.responses) < len(urls): page.evaluate("() => null")
        return [(each["mimeType"], each["bodySize"]) for each in browser.responses], milliseconds / 1000


def curl(urls, _):
    words = ["curl", "--silent", "--fail", "--parallel", "--parallel-max", str(CONNECTIONS), "--config", "-", "--write-out", "%{content_type} %{size_download}\n"]
    start = time.perf_counter()
    done = subprocess.run(words, input="\n".join(f"url = {url}\noutput = /dev/null" for url in urls), capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    return [(kind, int(size)) for kind, size in map(str.split, done.stdout.splitlines())], seconds


CLIENTS = {"chromium": chromium, "firefox": firefox, "curl": curl}


def load(client, urls, is_fast):
    """The number and bytes of pictures by media type, their bytes, and the seconds until the last one is shown."""
    responses, seconds = CLIENTS[client](urls, is_fast)
    if len(responses) != len(urls): raise SystemExit(f"{client}: {len(responses)} responses to {len(urls)} requests")
    kinds = {}
    for kind, size in responses:
        count, sum_so_far = kinds.get(kind, (0, 0))
        kinds[kind] = (count + 1, sum_so_far + size)
    return {"kinds": kinds, "bytes": sum(size for _, size in responses), "seconds": round(seconds, 2)}


def measure(program, client, ids, widths, options, is_fast):
    """The first and the second load of each width."""
    with Server(program, "--memory-budget", "512MiB", *options) as server:
        for width in widths:
            urls = [f"http://127.0.0.1:{server.port}/poster/{name}?w={width}" for name in ids]
            first = load(client, urls, is_fast)
            start = time.monotonic()
            metrics = server.quiet()
            seconds = time.monotonic() - start
            second = load(client, urls, is_fast)
            yield {"posters": len(ids), "width": width, "first": first, "second": second, "seconds between": round(seconds, 1),
                   "declined": int(metrics.get("onesheet_reencodings_declined_total", 0)), "ratio": round(second["bytes"] / first["bytes"], 3)}


def run(arguments, scenario, ids, options=()):
    """Prints the loads of all clients and lists of formats, and their sums."""
    sums = {}
    for formats in arguments.formats:
        chosen = ["--formats", formats] if formats else []
        for client in arguments.clients.split(","):
            for found in measure(arguments.program, client, ids, arguments.widths, [*options, *chosen, *arguments.serve_option], arguments.fast):
                print(json.dumps({"scenario": scenario, "formats": formats, "client": client, **found}), flush=True)
                of_client = sums.setdefault((client, formats), [0] * 4)
                loads = [found["first"]["bytes"], found["first"]["seconds"], found["second"]["bytes"], found["second"]["seconds"]]
                sums[client, formats] = [one + other for one, other in zip(of_client, loads)]
    print(f"\n| {scenario}: client, formats | first load | s | second load | s |\n|---|--:|--:|--:|--:|")
    for (client, formats), (first, first_seconds, second, second_seconds) in sums.items():
        base, base_seconds = sums[client, arguments.formats[-1]][:2]
        print(f"| {client}, {formats or 'default'} | {first:,} ({first / base:.3f}) | {first_seconds:.1f} ({first_seconds / base_seconds:.2f}) "
              f"| {second:,} ({second / base:.3f}) | {second_seconds:.1f} ({second_seconds / base_seconds:.2f}) |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus" / "posters")
    parser.add_argument("--widths", type=lambda text: [int(each) for each in text.split(",")], default=[154, 342, 500, 780])
    parser.add_argument("--formats", action="append")
    parser.add_argument("--clients", default=",".join(CLIENTS))
    parser.add_argument("--fast", action="store_true", help="Chromium without a slow network and processor")
    parser.add_argument("--only", choices=["drawn", "corpus"])
    parser.add_argument("--serve-option", action="append", default=[], metavar="WORD", help="an argument of the program's command line, repeatable")
    arguments = parser.parse_args()
    arguments.formats = arguments.formats or ["", "webp,jpeg"]
    if arguments.only != "corpus":
        run(arguments, "drawn", sorted(path.stem for path in POSTERS.glob("*.jpg"))[:COUNT])
    if arguments.only == "drawn": return
    if not (arguments.corpus / "manifest.tsv").exists():
        print(json.dumps({"scenario": "corpus", "skipped": f"{arguments.corpus} does not exist"}), flush=True)
        return
    with Files(portraits(arguments.corpus)) as origin:
        run(arguments, "corpus", [f"corpus:{number}" for number in range(COUNT)], ["--allow-private-origins", "--origin", f"corpus={origin}/{{key}}"])


if __name__ == "__main__":
    main()
