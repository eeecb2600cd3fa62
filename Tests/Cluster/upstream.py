#!/usr/bin/env python3
"""Simulates TMDB (`/3/…`) and OMDb (`/omdb/?i=…`), and records the time of each request, in its own process.

    python3 Tests/Cluster/upstream.py

`/-/times` returns the times of both, by the clock of this process.
"""
import asyncio
import json
import time
import urllib.parse

from child import Child
from origin import serve

KEY = "0123456789abcdef0123456789abcdef"


class Films:
    def __init__(self):
        self.times = {"tmdb": [], "omdb": []}

    def answer(self, target, fields):
        url = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/-/times":
            body = self.times
        elif url.path.startswith("/omdb/"):
            self.times["omdb"].append(time.monotonic())
            body = {"Response": "True", "imdbID": query.get("i", ""), "Title": f"Film {query.get('i')}", "Year": "1922", "Type": "movie", "Runtime": "94 min"}
        else:
            self.times["tmdb"].append(time.monotonic())
            body = {"page": 1, "results": [], "total_pages": 1, "total_results": 0, "genres": []}
        return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


class Upstream(Child):
    """The process."""

    def __init__(self):
        super().__init__(__file__)

    @property
    def times(self):
        return json.loads(self.get("/-/times"))

    @property
    def options(self):
        base = f"http://127.0.0.1:{self.port}"
        return ["--tmdb-key", KEY, "--source-url", f"tmdb={base}/3", "--omdb-key", "12345678", "--source-url", f"omdb={base}/omdb",
                "--allow-private-origin", "127.0.0.1"]


async def main():
    print(await serve(Films().answer), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
