#!/usr/bin/env python3
"""Responses about films at a fixed rate: lists and details of the embedded catalogue, the same with the marks of a client with a
token, and screens with a source that does not answer.

    python3 Benchmarks/films.py .build/release/onesheet [--rounds 3] [--seconds 5] [--compatible]

With --compatible, the responses of the compatible APIs instead: from the embedded catalogue, and forwarded from TMDB.

Needs Python 3.9 and h2load (nghttp2-client). Simulates the source and sends nothing beyond this machine.
"""

import argparse
import asyncio
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

from hits import Server, free_port, one_address, wait_until_open

FILMS = ["nosferatu-1922", "metropolis-1927", "frankenstein-1931", "vertigo-1958"]
PUBLIC = ["/movies/lists/popular?language=en", "/movies/lists/top_rated?language=ko", "/movies/home?language=en",
          *(f"/movies/{film}?language=en" for film in FILMS)]
LISTS, HOME, DETAILS = PUBLIC[:2], PUBLIC[2:3], PUBLIC[3:]
TMDB = "/compat/tmdb/3"
KOBIS = "/compat/kobis/kobisopenapi/webservice/rest"
COMPATIBLE = {
    "TMDB's lists": [f"{TMDB}/movie/popular?api_key=k", f"{TMDB}/search/movie?api_key=k&query=a"],
    "TMDB's details with six parts": [
        f"{TMDB}/movie/{{number}}?api_key=k&append_to_response=credits,videos,images,reviews,similar,release_dates"],
    "KOBIS": [f"{KOBIS}/boxoffice/searchDailyBoxOfficeList.json?key=k&targetDt=20260101",
              f"{KOBIS}/movie/searchMovieList.json?key=k"],
    "iTunes": ["/compat/itunes/search?term=a&media=software&country=kr", "/compat/itunes/search?term=a&media=movie"],
    "Kakao": ["/compat/kakao/v2/search/image?query=Nosferatu"],
    "Naver": ["/compat/naver/v1/search/movie.json?query=a", "/compat/naver/v1/search/movie.xml?query=a"],
}
SOURCE_SCREENS = ["/movies/home?language=ko", "/movies/lists/popular?language=ko", "/movies/search?query=a&language=ko",
                  "/movies/tmdb:301?language=ko", "/movies/tmdb:301/similar?language=ko"]


class Source:
    """Simulates TMDB: twenty films in each list, and details of each; or no answer at all."""

    def __init__(self):
        self.hangs = False
        self.port = free_port()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", self.port, backlog=1024))
        self.loop.run_forever()

    async def serve(self, reader, writer):
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode().partition("?")[0]
                if self.hangs:
                    await reader.read()
                    return
                body = json.dumps(self.answer(path)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def answer(self, path):
        last = path.rsplit("/", 1)[1]
        if last.isdigit():
            return {**self.row(int(last)), "genres": [{"id": 18, "name": "Drama"}], "runtime": 109, "status": "Released",
                    "credits": {"cast": [{"id": n, "name": f"Actor {n}", "character": f"Role {n}", "order": n} for n in range(20)],
                                "crew": [{"id": 99, "name": "Director", "job": "Director"}]},
                    "images": {"backdrops": [], "posters": []}, "release_dates": {"results": []},
                    "external_ids": {"imdb_id": "tt0903001"}, "reviews": {"page": 1, "results": [], "total_pages": 1, "total_results": 0}}
        if last == "list":
            return {"genres": [{"id": 18, "name": "Drama"}]}
        return {"page": 1, "results": [self.row(n) for n in range(301, 321)], "total_pages": 1, "total_results": 20}

    def row(self, number):
        return {"adult": False, "backdrop_path": None, "genre_ids": [18], "id": number, "original_language": "ko",
                "original_title": f"영화 {number}", "title": f"영화 {number}", "overview": "등대에 불이 켜지지 않은 밤. " * 10,
                "popularity": 12.5, "poster_path": f"/{number}.jpg", "release_date": "2024-04-24", "video": False,
                "vote_average": 7.25, "vote_count": 40}


class Program:
    def __init__(self, program, folder, options=()):
        self.port = free_port()
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(self.port), "--data-dir", folder, *options],
            stdout=subprocess.DEVNULL, env={**one_address(), "ONESHEET_LOG_LEVEL": "error"})
        wait_until_open(self.port, self.process)
        self.server = Server("onesheet", self.port, self.process)

    def send(self, method, target, token=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{target}", method=method, data=b"" if method != "GET" else None)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as response:
            return response.headers, response.read()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def paced(program, targets, rate, seconds, folder, fields=(), connections=8):
    """p50, p99 and CPU time per request in milliseconds, at a total rate in requests a second."""
    log, uris = Path(folder) / "h2load.log", Path(folder) / "uris"
    log.unlink(missing_ok=True)
    uris.write_text("".join(f"http://127.0.0.1:{program.port}{target}\n" for target in targets))
    before = program.server.cpu()
    subprocess.run(["h2load", "--h1", "-t1", f"-c{connections}", f"--rps={rate / connections:g}", f"-D{seconds}",
                    f"--log-file={log}", f"--input-file={uris}", *(f"--header={field}" for field in fields)],
                   capture_output=True, check=True)
    used = program.server.cpu() - before
    times = []
    for line in log.read_text().splitlines():
        _, status, microseconds = line.split()
        if status != "200":
            sys.exit(f"onesheet answered {status}")
        times.append(int(microseconds))
    times.sort()
    return times[len(times) // 2] / 1000, times[len(times) * 99 // 100] / 1000, used / len(times) * 1000, len(times) / seconds


def row(name, rounds, measure):
    results = [measure() for _ in range(rounds)]
    print("| " + name + " | " + " | ".join(f"{statistics.median(r[i] for r in results):.{digits}f}" for i, digits in
                                             ((3, 0), (0, 2), (1, 2), (2, 3))) + " |", flush=True)
    return results


def embedded(arguments, folder):
    program = Program(arguments.program, f"{folder}/embedded")
    for name, targets in (("lists", LISTS), ("home", HOME), ("details", DETAILS), ("all in turn", PUBLIC)):
        paced(program, targets, 1000, 1, folder)
        row(f"{name}, 1,000/s", arguments.rounds, lambda: paced(program, targets, 1000, arguments.seconds, folder))
    token = json.loads(program.send("POST", "/auth/device")[1])["token"]
    for film in FILMS:
        program.send("PUT", f"/favourites/{film}", token)
    marked = [target + "&marks=true" for target in LISTS + DETAILS]
    fields = [f"authorization: Bearer {token}"]
    paced(program, marked, 500, 1, folder, fields)
    row("lists and details with `marks=true`, 500/s", arguments.rounds,
        lambda: paced(program, marked, 500, arguments.seconds, folder, fields))
    program.stop()


def compatible(arguments, folder):
    program = Program(arguments.program, f"{folder}/embedded")
    fields = ["authorization: KakaoAK k", "x-naver-client-id: k", "x-naver-client-secret: k"]
    number = json.loads(program.send("GET", f"{TMDB}/movie/popular?api_key=k")[1])["results"][0]["id"]
    for name, targets in COMPATIBLE.items():
        targets = [target.format(number=number) for target in targets]
        # For TMDB's API, "Authorization" is a session of this service.
        sent = fields if name in ("Kakao", "Naver") else []
        paced(program, targets, arguments.rate, 1, folder, sent)
        row(f"{name}, {arguments.rate}/s", arguments.rounds,
            lambda: paced(program, targets, arguments.rate, arguments.seconds, folder, sent))
    program.stop()
    source = Source()
    program = Program(arguments.program, f"{folder}/source", [
        "--source-url", f"tmdb=http://127.0.0.1:{source.port}/tmdb", "--tmdb-key", "0123456789abcdef", "--allow-private-origins"])
    targets = [f"{TMDB}/movie/popular?api_key=k", f"{TMDB}/movie/301?api_key=k"]
    paced(program, targets, arguments.rate, 1, folder)
    row(f"TMDB forwarded, {arguments.rate}/s", arguments.rounds,
        lambda: paced(program, targets, arguments.rate, arguments.seconds, folder))
    program.stop()


def hanging(arguments, folder):
    source = Source()
    options = ["--source-url", f"tmdb=http://127.0.0.1:{source.port}/tmdb", "--tmdb-key", "0123456789abcdef",
               "--allow-private-origins", "--fetch-timeout", "60"]
    for hangs in (False, True):
        # Stores the screens, and makes them stale while the program is not running.
        source.hangs = False
        program = Program(arguments.program, f"{folder}/source", options)
        for target in SOURCE_SCREENS:
            program.send("GET", target)
        program.stop()
        with sqlite3.connect(f"{folder}/source/answers.sqlite") as database:
            database.execute("UPDATE answer SET freshUntil = keptAt - 1")
        database.close()
        source.hangs = hangs
        program = Program(arguments.program, f"{folder}/source", options)
        row("stored screens, the source " + ("hangs" if hangs else "answers") + ", 200/s", arguments.rounds,
            lambda: paced(program, SOURCE_SCREENS, 200, arguments.seconds, folder))
        if hangs and "stale" not in program.send("GET", SOURCE_SCREENS[0])[0].get("Cache-Status", ""):
            sys.exit("the screens were not stale")
        program.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--compatible", action="store_true", help="the compatible APIs instead")
    parser.add_argument("--rate", type=int, default=500, help="requests a second to each compatible API")
    arguments = parser.parse_args()
    if not shutil.which("h2load"):
        sys.exit("h2load is not installed")
    folder = tempfile.mkdtemp(prefix="onesheet-films-")
    print("| | requests/s | p50 ms | p99 ms | CPU ms each |\n|---|--:|--:|--:|--:|")
    try:
        if arguments.compatible:
            compatible(arguments, folder)
        else:
            embedded(arguments, folder)
            hanging(arguments, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
