#!/usr/bin/env python3
"""An origin of generated posters, which counts requests, in its own process, so that its CPU time is not that of its clients.

    python3 Tests/Cluster/origin.py [ADDRESS [PORT]]

`/p12` is poster 12. Paths that begin with `/-/` are for the test: `counts`, `version?number=12&to=3`, `redirect?to=URL`.
"""
import asyncio
import collections
import json
import sys
import urllib.parse

from child import Child
from pictures import poster

LAST_MODIFIED = "Sat, 01 Nov 2025 00:00:00 GMT"


class Posters:
    def __init__(self):
        self.counts = collections.Counter()
        self.versions = {}
        self.redirect = None

    def control(self, name, query):
        if name == "version":
            self.versions[int(query["number"])] = int(query["to"])
        elif name == "redirect":
            self.redirect = query.get("to")
        elif name == "counts":
            return {"requests": sum(self.counts.values()), "posters": len(self.counts), "most": max(self.counts.values(), default=0),
                    "each": {str(number): count for number, count in self.counts.items()} if "each" in query else {}}
        return {}

    def answer(self, target, fields):
        """Status, header fields and body."""
        url = urllib.parse.urlsplit(target)
        if url.path.startswith("/-/"):
            return 200, {"Content-Type": "application/json"}, json.dumps(self.control(url.path[3:], dict(urllib.parse.parse_qsl(url.query)))).encode()
        number = int(url.path.removeprefix("/p"))
        self.counts[number] += 1
        if self.redirect: return 302, {"Location": self.redirect}, b""
        version = self.versions.get(number, 0)
        known = {"ETag": f'"{number}-{version}"', "Cache-Control": "max-age=864000", "Last-Modified": LAST_MODIFIED}
        if fields.get("if-none-match") == known["ETag"]: return 304, known, b""
        media, body = poster(number, version)
        return 200, {**known, "Content-Type": media}, body


async def serve(answer, address="127.0.0.1", port=0):
    """Serves responses of a function over HTTP/1.1; returns the port, by default a free one."""
    async def connection(reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
                await reader.readexactly(int(fields.get("content-length", 0)))
                status, extra, body = answer(head[0].split(" ")[1], fields)
                lines = [f"HTTP/1.1 {status} -", f"Content-Length: {len(body)}", *(f"{name}: {value}" for name, value in extra.items())]
                if status == 304: del lines[1]
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connection, address, port, backlog=1024)
    return server.sockets[0].getsockname()[1]


class Origin(Child):
    """The process."""

    def __init__(self, address="127.0.0.1", port=0):
        super().__init__(__file__, address, str(port))
        self.address = address
        self.base = f"http://{address}:{self.port}"

    def counts(self, each=False):
        return self.control("counts", **({"each": 1} if each else {}))

    def control(self, name, **query):
        return json.loads(self.get(f"/-/{name}?{urllib.parse.urlencode(query)}"))

    @property
    def requests(self):
        return self.counts()["requests"]

    @property
    def options(self):
        """Options of a program that gets the posters `films:p12` from here."""
        return ["--origin", f"films={self.base}/{{key}}", "--allow-private-origin", self.address, "--origin-connections", "32", "--origin-fetches", "64"]


async def main(address="127.0.0.1", port="0"):
    print(await serve(Posters().answer, address, int(port)), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
