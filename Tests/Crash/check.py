"""What docs/storage.md promises, checked in the files that a power loss may leave."""
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import sqlite3
import struct

from workload import FILMS

MAGIC, HEADER = b"ONESHEET", 4096
TABLES = {"favourites": ("favourite", "owner", "device:"), "watchlist": ("watchlistFilm", "owner", "device:"), "rating": ("localRating", "account", "")}


# The same bytes are in many states.
@functools.lru_cache(4096)
def digest_of(content):
    return hashlib.sha256(content).digest()


@functools.lru_cache(4096)
def original(content):
    """The header and the bytes of an original's file; None if it is damaged."""
    if len(content) < HEADER or content[:8] != MAGIC: return None
    if hashlib.sha256(content[:HEADER - 32]).digest() != content[HEADER - 32:HEADER]: return None
    length, = struct.unpack_from("<I", content, 10)
    header = json.loads(content[14:14 + length])
    body = content[HEADER:]
    return (header, body) if len(body) == header["length"] and hashlib.sha256(body).hexdigest() == header["digest"] else None


class Checker:
    """Checks states of one workload; `scratch` is a folder for databases."""

    def __init__(self, workload, scratch):
        self.workload, self.scratch = workload, pathlib.Path(scratch)

    def check(self, files, position, touched):
        """The broken promises of a state, as texts.

        - files: paths and bytes; folders end with a slash.
        - position: the length of the record at the power loss.
        - touched: the position at which each path last got or lost its file.
        """
        found = [*self.originals(files, position), *self.claims(files, position, touched), *self.key(files), *self.library(files, position)]
        if self.workload.is_isolated: found += [*self.events(files, position), *self.removals(files, position)]
        return found

    def originals(self, files, position):
        """Files under their final names are whole, and no purged one is among them."""
        for path, content in files.items():
            if not path.startswith("originals/") or not path.endswith(".original"): continue
            found = original(content)
            if not found:
                yield f"{path} is damaged"
                continue
            header, body = found
            if hashlib.sha256(header["id"].encode()).hexdigest() + ".original" != path.rpartition("/")[2]: yield f"{path} belongs to {header['id']}"
            name, _, key = header["id"].partition(":p")
            if name != "films": continue
            least = self.least_version(int(key), position)
            version = self.workload.version_of(int(key), body)
            if version is None or version < least: yield f"{path} has version {version} of poster {key}; all before {least} are purged"

    def least_version(self, number, position):
        history = self.workload.purged.get(number)
        return min(history.allowed(position)) if history else 0

    def version(self, number, position):
        """The origin's version at that time."""
        return max(version for start, version in self.workload.versions.get(number, [(0, 0)]) if start <= position)

    def claims(self, files, position, touched):
        """Originals that were durable at a time are there, unless they were removed or replaced since."""
        for path, digest in self.claimed(position, touched).items():
            if path not in files: yield f"{path} is missing, although it was durable"
            elif digest_of(files[path]) != digest: yield f"{path} has changed, although it was durable"

    def claimed(self, position, touched):
        claims = [claim for claim in self.workload.claims if claim[0] <= position]
        if not claims: return {}
        start, found = claims[-1]
        return {path: digest for path, digest in found.items() if touched.get(path, 0) <= start}

    def key(self, files):
        content = files.get("secret.key")
        if content is not None and len(content.strip()) != 64: yield "secret.key is not whole"

    def library(self, files, position):
        """SQLite's own check, and the last acknowledged value of everything that users keep."""
        begun = [thing for (_, kind, _), thing in self.workload.things.items() if kind == "session" and thing.changes[0].end <= position]
        if "library.sqlite" not in files:
            if begun: yield "library.sqlite is missing"
            return
        for name in ("library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "library.sqlite-journal"):
            path = self.scratch / name
            if name in files: path.write_bytes(files[name])
            else: path.unlink(missing_ok=True)
        try:
            with contextlib.closing(sqlite3.connect(self.scratch / "library.sqlite")) as database: yield from self.rows(database, position)
        except sqlite3.DatabaseError as error:
            if begun or "no such table" not in str(error): yield f"library.sqlite: {error}"

    def rows(self, database, position):
        answer = database.execute("PRAGMA integrity_check").fetchone()[0]
        if answer != "ok":
            yield f"library.sqlite: {answer}"
            return
        tokens = {bytes(row[0]) for row in database.execute("SELECT tokenHash FROM session")}
        lists = {kind: {(owner, movie): value for owner, movie, value in database.execute(f"SELECT {column}, movie, {'halves' if kind == 'rating' else 'NULL'} FROM {table}")}
                 for kind, (table, column, _) in TABLES.items()}
        for token, account in list(self.workload.users.items()):
            is_valid = hashlib.sha256(token.encode()).digest() in tokens
            allowed = self.workload.things[token, "session", ""].allowed(position)
            ended = allowed == [False]
            if is_valid not in allowed: yield f"a session of {account} is {'valid' if is_valid else 'invalid'}; allowed: {allowed}"
            for kind, (_, _, prefix) in TABLES.items():
                for film in FILMS:
                    history = self.workload.things.get((token, kind, film))
                    key = prefix + account, film
                    value = (lists[kind][key] or True) if key in lists[kind] else None
                    allowed = history.allowed(position) if history else [None]
                    # The end of a session deletes the lists of its guest, in a transaction of its own before the response.
                    if not is_valid: allowed = [None] if ended else [*allowed, None]
                    if value not in allowed: yield f"{kind} of {film} of {account} is {value}; allowed: {allowed}"

    def events(self, files, position):
        """Purges that wait for Redis."""
        found = set()
        for path, content in files.items():
            if not path.startswith("events/pending/") or not path.endswith(".event"): continue
            try:
                fields = json.loads(content)
                found.add(fields[fields.index("id") + 1])
            except ValueError:
                yield f"{path} is damaged"
        missing = min(self.workload.pending.allowed(position), key=len) - found
        if missing: yield f"purges are not pending any more: {sorted(missing)}"

    def removals(self, files, position):
        """Purges that wait for the shared store: a removal, or the upload that replaces the object."""
        for number in self.workload.purged:
            if not self.least_version(number, position): continue
            key = hashlib.sha256(f"films:p{number}".encode()).hexdigest()
            if not any(f"uploads/{key}{suffix}" in files for suffix in (".remove", ".replace")): yield f"poster {number} was purged, and stays in the shared store"


def write(files, folder):
    """Makes a state real."""
    for path, content in files.items():
        target = os.path.join(folder, path)
        if content is None:
            os.makedirs(target, mode=0o700, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        with open(target, "wb") as file: file.write(content)
        if path == "secret.key": os.chmod(target, 0o600)
