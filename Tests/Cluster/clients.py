"""Clients that check each response: it must be complete and match its entity tag."""
import asyncio
import dataclasses
import hashlib
import threading
import time

FAILED = 0  # the status of an attempt without a complete response


@dataclasses.dataclass
class Answer:
    """One attempt. Times are those of the monotonic clock."""

    target: str
    sent: float
    received: float
    status: int
    tag: str = ""
    digest: bytes = b""
    length: int = 0
    node: str = ""
    reason: str = ""
    body: bytes = b""

    @property
    def seconds(self):
        return self.received - self.sent

    @property
    def is_good(self):
        return self.status == 200


class Connection:
    """A connection that is reused between requests and replaced after a failure."""

    def __init__(self, port, timeout=30):
        self.port, self.timeout = port, timeout
        self.reader = self.writer = None

    async def get(self, target, fields=(), method="GET", body=b""):
        sent = time.monotonic()
        try:
            return await asyncio.wait_for(self.exchange(target, fields, method, body, sent), self.timeout)
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError) as error:
            self.close()
            return Answer(target, sent, time.monotonic(), FAILED, reason=type(error).__name__)

    async def exchange(self, target, fields, method, body, sent):
        if self.writer is None: self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {target} HTTP/1.1", "Host: posters", *fields, *([f"Content-Length: {len(body)}"] if body else []), "", ""]
        self.writer.write("\r\n".join(lines).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        status = int(head[0].split(" ")[1])
        # A truncated response without a length would go unnoticed.
        data = b"" if status in (204, 304) else await self.reader.readexactly(int(found["content-length"])) if "content-length" in found else await self.chunks()
        if found.get("connection", "").lower() == "close": self.close()
        return Answer(target, sent, time.monotonic(), status, found.get("etag", ""), hashlib.sha256(data).digest(), len(data), found.get("x-node", ""),
                      "" if status == 200 else data[:200].decode(errors="replace"), data)

    async def chunks(self):
        data = b""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            data += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readuntil(b"\r\n")
        return data

    def close(self):
        if self.writer: self.writer.transport.abort()
        self.reader = self.writer = None


class KnownAnswers:
    """Checks that a tag always has the same bytes, and that each picture is complete."""

    def __init__(self):
        self.digests = {}
        self.torn = []

    def note(self, answer):
        if not answer.is_good: return
        key = answer.target, answer.tag
        # A JPEG ends with its marker, a PNG with its last chunk.
        is_whole = answer.body.endswith(b"\xff\xd9") or b"IEND" in answer.body[-8:] or answer.body[8:12] == b"WEBP"
        if not is_whole or self.digests.setdefault(key, answer.digest) != answer.digest: self.torn.append(answer)


async def crowd(port, targets, clients, tries=2, known=None, until=None, fields=(), pause=0):
    """Requests targets over several connections, with retries; returns all attempts of each, in the order of completion.

    - targets: paths for GET, or pairs of a method and a path.
    - until: an event that ends the crowd early.
    - pause: seconds between the requests of each client.
    """
    targets, found = iter(targets), []

    async def client():
        connection = Connection(port)
        for target in targets:
            if until is not None and until.is_set(): break
            method, path = ("GET", target) if isinstance(target, str) else target
            answers = []
            while len(answers) < tries:
                answers.append(await connection.get(path, fields, method))
                if known: known.note(answers[-1])
                answers[-1].body = b""
                if answers[-1].is_good: break
            found.append(answers)
            if pause: await asyncio.sleep(pause)
        connection.close()
    await asyncio.gather(*(client() for _ in range(clients)))
    return found


class Background:
    """A crowd on its own thread, during changes to the programs that it uses."""

    def __init__(self, *words, **options):
        self.until, self.found, self.error = threading.Event(), [], None

        def run():
            try:
                self.found = asyncio.run(crowd(*words, until=self.until, **options))
            except BaseException as error:  # raised again by end()
                self.error = error
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def end(self):
        self.until.set()
        self.thread.join()
        if self.error: raise self.error
        return self.found


def quantile(values, share):
    """0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def statuses(answers):
    """The number of answers by status, as text."""
    counts = {}
    for answer in answers: counts[answer.status] = counts.get(answer.status, 0) + 1
    return ", ".join(f"{status or 'none'}: {count}" for status, count in sorted(counts.items()))


def eventually(condition, seconds=60):
    """Whether a condition becomes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end: return False
        time.sleep(0.1)
    return True
