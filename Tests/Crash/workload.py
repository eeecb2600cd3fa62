"""What clients do while a program's file operations are recorded, and what they may rely on after each response."""
import dataclasses
import functools
import hashlib
import pathlib
import pickle
import random
import secrets
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Cluster"))
from accounts import call, sign_in
from child import free_port
from node import Node, Sharing
from pictures import LARGE, poster

FILMS = ["nosferatu-1922", "metropolis-1927", "the-general-1926"]
START_SECONDS = 60
# AVIFs and renders of large posters take long enough to be stored.
QUERIES = ["w=92&format=jpeg", "w=154&format=jpeg", "w=240&format=avif"]


@functools.lru_cache(None)
def digest_of_poster(number, version):
    return hashlib.sha256(poster(number, version)[1]).digest()


@dataclasses.dataclass
class Change:
    """A request that changes something: the lengths of the record before it was sent and after its response."""

    sent: int
    end: int
    value: object


class History:
    """The values of one thing, such as the favourite of a user, in their order; requests about it follow each other."""

    def __init__(self, first):
        self.first, self.changes = first, []

    def allowed(self, position):
        """The values after a power loss at this length of the record: the last one that was acknowledged, or a later one."""
        found = [self.first]
        for each in self.changes:
            if each.end <= position: found = [each.value]
            elif each.sent <= position: found.append(each.value)
        return found


class Recorded(Node):
    """A program with a record of its file operations."""

    def __init__(self, folder, program, options, recorder=None, record=None):
        super().__init__(1, folder / "data", free_port(), program, folder, Sharing(), options)
        self.recorder, self.record = recorder, record

    @property
    def words(self):
        return [self.program.path, "serve", "--port", str(self.port), "--data-dir", str(self.folder), "--admin-token-file", str(self.secrets / "token"), *self.options]

    @property
    def environment(self):
        if not self.recorder: return super().environment
        return {**super().environment, "LD_PRELOAD": str(self.recorder), "CRASH_FOLDER": str(self.folder), "CRASH_LOG": str(self.record)}


class Workload:
    """Runs the program several times on one folder, stopped or killed in between."""

    def __init__(self, name, folder, program, origin, options, seed, size, is_isolated=False):
        self.name, self.folder, self.program, self.origin = name, folder, program, origin
        self.options, self.random, self.size, self.is_isolated = list(options), random.Random(seed), size, is_isolated
        self.records, self.faults = [], []
        self.versions, self.purged, self.bodies, self.claims = {}, {}, {}, []
        self.users, self.things, self.pending = {}, {}, History(set())
        (folder / "token").touch(mode=0o600)
        (folder / "token").write_text(secrets.token_hex(20))
        (folder / "data").mkdir(mode=0o700, exist_ok=True)

    KEPT = ["records", "versions", "purged", "bodies", "claims", "users", "things", "pending", "options"]

    def save(self):
        """Stores what replays of the records need."""
        (self.folder / "workload").write_bytes(pickle.dumps({name: getattr(self, name) for name in self.KEPT} | {"port": self.origin.port}))

    def load(self, kept):
        for name in self.KEPT: setattr(self, name, kept[name])
        self.node = Recorded(self.folder, self.program, self.options)

    @property
    def position(self):
        return sum(each.stat().st_size for each in self.records if each.exists())

    def run(self, recorder):
        for number, ending in enumerate(["stop", "kill", "stop", "kill"]):
            record = self.folder / f"record-{number}"
            self.records.append(record)
            node = Recorded(self.folder, self.program, self.options, recorder, record)
            node.start()
            self.node = node
            try:
                threads = [Thread(self.posters, part) for part in range(2)] + [Thread(self.accounts, part) for part in range(2)]
                for each in threads: each.start()
                for each in threads: each.end()
                self.settle()
                if ending == "kill": self.posters(0, count=3)
            finally:
                (node.kill if ending == "kill" else node.stop)()

    def request(self, *words, **more):
        """The response, and the lengths of the record before and after it."""
        sent = self.position
        return self.node.get(*words, **more), sent, self.position

    # Posters

    def posters(self, part, count=None):
        """Fetches, renders and purges posters of one part of all numbers."""
        source = random.Random(f"{self.random.random()} {part}")
        numbers = [number for number in range(self.size) if number % 2 == part]
        # Only renders of large posters take long enough to be stored; making the posters takes longer.
        if not count: self.fetch(LARGE + part, source)
        for _ in range(count or self.size):
            number = source.choice(numbers)
            if source.random() < 0.2: self.change_poster(number)
            else: self.fetch(number, source)
        if not count and source.random() < 0.5: self.change_poster(LARGE + part)

    def fetch(self, number, source):
        status, fields, body = self.node.get(f"/poster/films:p{number}")
        if status != 200: return self.fault(f"poster {number}: {status} {body[:200]}")
        version = self.version_of(number, body)
        if version is None: return self.fault(f"poster {number}: other bytes")
        for query in QUERIES[:2] if number >= LARGE else source.sample(QUERIES, source.randint(0, 2)):
            target = f"/poster/films:p{number}?{query}"
            status, fields, body = self.node.get(target)
            if status != 200: self.fault(f"{target}: {status} {body[:200]}")
            else: self.bodies.setdefault((number, version, query), set()).add(hashlib.sha256(body).digest())

    def version_of(self, number, body):
        """The version that has these bytes."""
        digest = hashlib.sha256(body).digest()
        versions = self.versions.get(number, [(0, 0)])
        return next((version for _, version in reversed(versions) if digest_of_poster(number, version) == digest), None)

    def change_poster(self, number):
        """The origin gets another picture, and the old one is purged."""
        versions = self.versions.setdefault(number, [(0, 0)])
        version = versions[-1][1] + 1
        self.origin.control("version", number=number, to=version)
        versions.append((self.position, version))
        (status, _, body), sent, end = self.request(f"/poster/films:p{number}", "DELETE", fields=self.node.authorization)
        if status not in (202, 204): return self.fault(f"purge of {number}: {status} {body[:200]}")
        self.purged.setdefault(number, History(0)).changes.append(Change(sent, end, version))
        if status == 202: self.pending.changes.append(Change(sent, end, {*self.pending.allowed(1 << 62)[-1], f"films:p{number}"}))

    def settle(self):
        """Waits until all originals are durable. Those that are there from then on must be there after a power loss."""
        end = time.monotonic() + START_SECONDS
        while self.node.metrics().get("onesheet_originals_pending", 0):
            if time.monotonic() > end: return self.fault("originals are pending for a minute")
            time.sleep(0.02)
        found = {path.relative_to(self.node.folder).as_posix(): hashlib.sha256(path.read_bytes()).digest()
                 for path in (self.node.folder / "originals").glob("??/*.original")}
        self.claims.append((self.position, found))

    # Users

    def accounts(self, part):
        source = random.Random(f"{self.random.random()} {part}")
        for user in range(max(1, self.size // 20)):
            sent = self.position
            token = sign_in(self.node, self.node)
            end = self.position
            self.thing(token, "session", "", False).changes.append(Change(sent, end, True))
            self.users[token] = call(self.node, "GET", "/account", token)[1]["id"]
            for _ in range(12): self.change_list(token, source)
            if source.random() < 0.5: self.sign_out(token)

    def change_list(self, token, source):
        kind, film = source.choice(["favourites", "watchlist", "rating"]), source.choice(FILMS)
        target = f"/movies/{film}/rating" if kind == "rating" else f"/{kind}/{film}"
        history = self.thing(token, kind, film, None)
        is_there = history.allowed(1 << 62)[-1] is not None
        value = None if is_there and source.random() < 0.5 else source.randint(1, 20) if kind == "rating" else True
        sent = self.position
        body = {"value": value / 2} if kind == "rating" and value else None
        status, answer = call(self.node, "PUT" if value else "DELETE", target, token, body)
        if status >= 300: return self.fault(f"{kind} {film}: {status} {answer}")
        history.changes.append(Change(sent, self.position, value))

    def sign_out(self, token):
        sent = self.position
        status, answer = call(self.node, "DELETE", "/auth/session", token)
        if status != 204: return self.fault(f"sign-out: {status} {answer}")
        self.thing(token, "session", "", False).changes.append(Change(sent, self.position, False))

    def thing(self, token, kind, film, first):
        return self.things.setdefault((token, kind, film), History(first))

    def fault(self, text):
        self.faults.append(text)


class Thread(threading.Thread):
    def __init__(self, body, *words):
        super().__init__(daemon=True)
        self.body, self.words, self.error = body, words, None

    def run(self):
        try:
            self.body(*self.words)
        except BaseException as error:  # raised again by end()
            self.error = error

    def end(self):
        self.join()
        if self.error: raise self.error
