#!/usr/bin/env python3
"""OneSheet beside thumbor and nginx's image_filter, in turns on one machine: cold posters (a new original with each request) and warm ones (one variant repeatedly).

    /path/to/venv/bin/python Benchmarks/proxies.py onesheet JPEG… [--rounds 3] [--requests 66] [--clients 8] [--chart Benchmarks/charts/proxies.svg]

With --clients 2 and originals of about 2 megapixels the cold requests are those of imgproxy's published comparison (github.com/imgproxy/image-servers-benchmark: photographs of
2040×1356, fitted into 512×512, 2 clients, no cache), which cannot be run here: thumbor is the program that both have in common.

Requests per second, p50 and p99 in ms, CPU seconds per 1000, the highest PSS of all processes of a server in MiB, mean bytes, and bytes at equal SSIMULACRA2. Its reference is
a full decode and Lanczos-3 by Pillow, so that the score includes each program's downscaling; originals with sides of 2:3 are cropped by all at the same pixels.

Another nginx serves the originals; its CPU time does not count. Each program has a process or thread per core, caches results, and encodes at quality 82 (JPEG) and 80 (WebP).
OneSheet does not re-encode. image_filter writes the format of its source: it has no WebP. Without thumbor or the module they are left out. Sends nothing beyond this machine.
Needs nginx with libnginx-mod-http-image-filter, wrk, and: pip install thumbor==7.8.0 Pillow ssimulacra2.
"""

import argparse
import contextlib
import http.client
import io
import itertools
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from hits import Server, free_port, one_address, saturated, wait_until_open

MODULE = Path("/usr/lib/nginx/modules/ngx_http_image_filter_module.so")
SIZES = {"342": (342, None), "512×512": (512, 512)}
QUALITIES = {"jpeg": 82, "webp": 80}
# The bytes at SCORE are interpolated between qualities. Connections of warm requests, and their seconds in a round.
SCORE, CURVE, COMPARED = 70, (60, 74, 88), 5
WARM, SECONDS = 32, 2
SERIES = {"onesheet": "#0b6e99", "thumbor": "#d9730d", "nginx": "#6940a5"}

NGINX = """
{modules}
user root; daemon off; worker_processes auto; pid {folder}/{name}.pid; error_log {folder}/{name}.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {servers}
}}
"""
ORIGINS = "server {{ listen 127.0.0.1:{port} backlog=1024; location ~ ^/[0-9]+-([0-9]+)$ {{ default_type image/jpeg; alias {folder}/originals/$1.jpg; }} }}"
FILTER = """
    proxy_cache_path {folder}/results levels=1:2 keys_zone=results:10m inactive=1h use_temp_path=off;
    open_file_cache max=1000 inactive=300s; open_file_cache_valid 300s;
    upstream filter {{ server 127.0.0.1:{inner}; keepalive 64; }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{ proxy_pass http://filter; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_cache results; proxy_cache_valid 1h; proxy_cache_lock on; }}
    }}
    server {{
        listen 127.0.0.1:{inner} backlog=1024;
        image_filter_buffer 64m; image_filter_jpeg_quality $quality;
        set $quality 82;
        location ~ ^/resize/([0-9]+)/([0-9]+)/(.+)$ {{ set $quality $2; image_filter resize $1 -; proxy_pass http://127.0.0.1:{origin}/$3; }}
        location ~ ^/crop/([0-9]+)/([0-9]+)/(.+)$ {{ set $quality $2; image_filter crop $1 $1; proxy_pass http://127.0.0.1:{origin}/$3; }}
    }}
"""
THUMBOR = """
ALLOW_UNSAFE_URL = RESULT_STORAGE_STORES_UNSAFE = True
STORAGE = "thumbor.storages.file_storage"
FILE_STORAGE_ROOT_PATH = "{folder}/thumbor-originals"
RESULT_STORAGE = "thumbor.result_storages.file_storage"
RESULT_STORAGE_FILE_STORAGE_ROOT_PATH = "{folder}/thumbor-results"
HTTP_LOADER_CONNECT_TIMEOUT = HTTP_LOADER_REQUEST_TIMEOUT = 120
"""


class Program(Server):
    """A server with a function of size, format, quality and original that gives a target, or None for a format that it does not write."""

    def __init__(self, name, port, words, target, log):
        super().__init__(name, port, subprocess.Popen(words, stdout=log, stderr=log, env=one_address(), start_new_session=True))
        self.target = target
        wait_until_open(port, self.process)

    def memory(self):
        """MiB of all processes; shared pages count once."""
        texts = []
        for pid in self.pids():
            with contextlib.suppress(OSError): texts.append(Path(f"/proc/{pid}/smaps_rollup").read_text())
        return sum(int(found) for text in texts for found in re.findall(r"^Pss: +(\d+)", text, re.M)) / 1024


def nginx(name, port, folder, servers, target, log, modules=""):
    Path(f"{folder}/{name}.conf").write_text(NGINX.format(folder=folder, name=name, servers=servers, modules=modules))
    return Program(name, port, ["nginx", "-c", f"{folder}/{name}.conf", "-e", f"{folder}/{name}.log"], target, log)


def start(onesheet, folder, log):
    origin, port, inner = free_port(), free_port(), free_port()
    yield nginx("origin", origin, folder, ORIGINS.format(port=origin, folder=folder), None, log)
    yield Program(
        "onesheet", ours := free_port(),
        [onesheet, "serve", "--port", str(ours), "--data-dir", f"{folder}/data", "--reencode", "off", "--allow-private-origins", "--origin", f"o=http://127.0.0.1:{origin}/{{key}}"],
        lambda size, form, quality, key: f"/poster/o:{key}?w={size[0]}&format={form}&q={quality}" + (f"&h={size[1]}&fit=cover" if size[1] else ""), log)
    thumbor = shutil.which("thumbor", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if thumbor:
        Path(f"{folder}/thumbor.conf").write_text(THUMBOR.format(folder=folder))
        yield Program(
            "thumbor", theirs := free_port(), [thumbor, "-i", "127.0.0.1", "-p", str(theirs), "-c", f"{folder}/thumbor.conf", "-l", "error", "--processes", "0"],
            lambda size, form, quality, key: f"/unsafe/{size[0]}x{size[1] or 0}/filters:quality({quality}):format({form})/http%3A%2F%2F127.0.0.1%3A{origin}%2F{key}", log)
    if MODULE.exists():
        yield nginx(
            "nginx", port, folder, FILTER.format(folder=folder, port=port, inner=inner, origin=origin),
            lambda size, form, quality, key: f"/{'crop' if size[1] else 'resize'}/{size[0]}/{quality}/{key}" if form == "jpeg" else None, log, f"load_module {MODULE};")


def fetch(connection, target):
    connection.request("GET", target)
    response = connection.getresponse()
    body = response.read()
    if response.status != 200: raise SystemExit(f"{target}: {response.status} {body[:200]}")
    return body


def cold(server, targets, clients):
    """Requests per second, p99, CPU seconds per 1000, p50, peak MiB and mean bytes, of clients that wait for each response."""
    waiting, times, sizes, failures, peak = iter(targets), [], [], [], [server.memory()]
    lock, done = threading.Lock(), threading.Event()

    def client():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        while True:
            with lock: target = next(waiting, None)
            if target is None: return
            before = time.perf_counter()
            try: body = fetch(connection, target)
            except SystemExit as error: return failures.append(error)
            with lock: times.append(time.perf_counter() - before), sizes.append(len(body))

    def watch():
        while not done.wait(0.1): peak[0] = max(peak[0], server.memory())

    threads = [threading.Thread(target=client) for _ in range(clients)]
    watcher = threading.Thread(target=watch)
    used, begin = server.cpu(), time.perf_counter()
    for thread in [watcher, *threads]: thread.start()
    for thread in threads: thread.join()
    seconds, used = time.perf_counter() - begin, server.cpu() - used
    done.set(), watcher.join()
    if failures: raise failures[0]
    p50, p99 = [sorted(times)[math.ceil(share * len(times)) - 1] * 1000 for share in (0.5, 0.99)]
    return len(times) / seconds, p99, used / len(times) * 1000, p50, peak[0], statistics.mean(sizes)


def equal_bytes(server, size, form, files, numbers):
    """The mean bytes at SCORE, interpolated between qualities."""
    from PIL import Image, ImageOps
    from ssimulacra2 import compute_ssimulacra2
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(min(COMPARED, len(files))):
            points, key = [], f"{next(numbers)}-{index}"
            for quality in CURVE:
                body = fetch(connection, server.target(size, form, quality, key))
                copy = Image.open(io.BytesIO(body)).convert("RGB")
                original = Image.open(files[index]).convert("RGB")
                ImageOps.fit(original, copy.size, Image.LANCZOS).save(f"{folder}/a.png", compress_level=1)
                copy.save(f"{folder}/b.png", compress_level=1)
                points.append((compute_ssimulacra2(f"{folder}/a.png", f"{folder}/b.png"), math.log(len(body))))
            (low, small), (high, large) = sorted(points)[:2] if sorted(points)[1][0] >= SCORE else sorted(points)[1:]
            found.append(math.exp(small + (large - small) * (SCORE - low) / max(high - low, 0.1)))
    return statistics.mean(found)


def chart(cases, path):
    largest = max(row["cold"][2] for rows in cases.values() for row in rows.values())
    step = 10 ** math.floor(math.log10(largest))
    end = math.ceil(largest / step) * step
    height, y = 72 + len(cases) * 62, 62
    body = ['<text x="12" y="22" font-size="15" font-weight="bold">CPU milliseconds of a cold poster</text>']
    for index, (name, colour) in enumerate(SERIES.items()):
        body += [f'<rect x="{12 + 100 * index}" y="34" width="12" height="12" fill="{colour}"/>', f'<text x="{29 + 100 * index}" y="44">{name}</text>']
    for mark in range(0, int(end) + 1, int(step)):
        x = 150 + 480 * mark / end
        body += [f'<line x1="{x:.1f}" y1="56" x2="{x:.1f}" y2="{height - 20}" stroke="#ccc"/>',
                 f'<text x="{x:.1f}" y="{height - 6}" text-anchor="middle" font-size="11">{mark}</text>']
    for title, rows in cases.items():
        body.append(f'<text x="142" y="{y + 27}" text-anchor="end">{title}</text>')
        for index, (name, colour) in enumerate(SERIES.items()):
            value = rows[name]["cold"][2] if name in rows else None
            if value: body.append(f'<rect x="150" y="{y + 16 * index}" width="{480 * value / end:.1f}" height="14" fill="{colour}"/>')
            label = f"{value:.0f}" if value else "not possible" if name == "nginx" else "not measured"
            body.append(f'<text x="{155 + 480 * (value or 0) / end:.1f}" y="{y + 16 * index + 11}" font-size="11">{label}</text>')
        y += 62
    Path(path).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" width="720" height="{height}" font-family="sans-serif" font-size="12" fill="#222">\n'
                          f'<rect width="720" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("originals", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=66, help="cold ones of a round")
    parser.add_argument("--clients", type=int, default=8, help="of cold requests")
    parser.add_argument("--chart")
    arguments = parser.parse_args()
    numbers, cases = itertools.count(), {}
    folder, running = tempfile.mkdtemp(prefix="onesheet-proxies-"), []
    try:
        Path(f"{folder}/originals").mkdir()
        for index, path in enumerate(arguments.originals): Path(f"{folder}/originals/{index}.jpg").symlink_to(path.resolve())
        with open(f"{folder}/log", "w") as log:
            for program in start(arguments.program, folder, log): running.append(program)
        servers = running[1:]
        print("| result | program | cold: requests/s | p50, p99 ms | CPU s/1000 | peak MiB | bytes | bytes at equal SSIMULACRA2 "
              "| warm: requests/s | p50, p99 ms | CPU s/1000 |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        for (title, size), (form, quality) in itertools.product(SIZES.items(), QUALITIES.items()):
            able = [server for server in servers if server.target(size, form, quality, "0-0")]
            found = {server.name: {"cold": [], "warm": []} for server in able}
            for round in range(arguments.rounds + 1):
                for server in able if round % 2 == 0 else reversed(able):
                    # The first round only starts workers.
                    count = arguments.requests if round else 2 * arguments.clients
                    keys = [f"{next(numbers)}-{index % len(arguments.originals)}" for index in range(count)]
                    targets = [server.target(size, form, quality, key) for key in keys]
                    row = cold(server, targets, arguments.clients)
                    if not round: continue
                    found[server.name]["cold"].append(row)
                    found[server.name]["warm"].append(saturated(server, targets[0], WARM, SECONDS, []))
            rows = cases[f"{title} {form}"] = {
                name: {kind: [statistics.median(column) for column in zip(*runs)] for kind, runs in kinds.items()} for name, kinds in found.items()}
            for server in able:
                (rate, p99, cpu, p50, peak, size_of_file), warm = rows[server.name]["cold"], rows[server.name]["warm"]
                equal = equal_bytes(server, size, form, arguments.originals, numbers)
                print(f"| {title} {form} | {server.name} | {rate:.1f} | {p50:.0f}, {p99:.0f} | {cpu:.1f} | {peak:.0f} | {size_of_file:,.0f} | {equal:,.0f} "
                      f"| {warm[0]:,.0f} | {warm[3]:.1f}, {warm[1]:.1f} | {warm[2]:.3f} |", flush=True)
        if arguments.chart: chart(cases, arguments.chart)
    finally:
        for program in reversed(running):
            # thumbor's first process leaves the others behind.
            os.killpg(program.process.pid, signal.SIGTERM)
            program.process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
