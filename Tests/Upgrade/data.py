"""A data folder that programs of several commits use in turn."""
import hashlib
import re
import secrets
import subprocess

from contents import User, errors, fetch_all, pictures
from engines import Failure
from node import Node, Sharing
from child import free_port

OPTIONS = ["--connections-per-address", "0", "--reencode", "off", "--log-level", "warning"]


def library(folder):
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in ("library.sqlite", "library.sqlite-wal") if (folder / name).exists())).digest()


def encoder(program):
    """The version of its codec: programs with the same one share stored variants."""
    return re.search(r"codec [^,)]+", subprocess.run([program.path, "--version"], capture_output=True, text=True, check=True).stdout)[0]


class Turns:
    """The programs in their turns on one folder."""

    def __init__(self, settings, report, run, programs):
        self.settings, self.report, self.run, self.programs = settings, report, run, programs
        self.folder = settings.folder / run.replace(" ", "")
        self.folder.mkdir()
        (self.folder / "token").touch(mode=0o600)
        (self.folder / "token").write_text(secrets.token_hex(20))
        (self.folder / "secret.key").touch(mode=0o600)
        (self.folder / "secret.key").write_text(secrets.token_hex(32))

    def node(self, program):
        return Node(1, self.folder / "data", free_port(), program, self.folder, Sharing(), [*OPTIONS, *self.origin.options])

    def check(self, what, holds):
        self.report.check(self.run, what, holds)

    def go(self):
        with self.settings.origin() as self.origin:
            # The digests of each target that were served from this folder.
            self.served, self.user, fetched = {}, None, None
            for turn, program in enumerate(self.programs):
                before, node = library(self.folder / "data"), self.node(program)
                try:
                    node.start()
                except Failure as failure:
                    # An older program may refuse a newer library, and then leaves it as it is.
                    self.check(f"{program.name} does not start: {failure}", "newer onesheet" in str(failure))
                    self.check(f"{program.name} refuses the library and changes it", before == library(self.folder / "data"))
                    self.report.row(self.run, turn=turn, program=program.name, refused="a newer library")
                    continue
                try:
                    fetched = self.turn(node, program, turn, fetched)
                finally:
                    node.stop()
                self.check(f"turn {turn}, {program.name}: {errors(node)[:2]}", not errors(node))

    def turn(self, node, program, turn, fetched):
        where = f"turn {turn}, {program.name}"
        if fetched is None: fetched = self.origin.requests
        wrong = fetch_all(node)
        self.check(f"{where}: posters {wrong} have other bytes", not wrong)
        requests = self.origin.requests - fetched
        self.check(f"{where}: {requests} originals are fetched", (requests == 0) == (turn > 0))
        found = pictures(node)
        failed = [target for target, (status, *_) in found.items() if status != 200]
        self.check(f"{where}: {failed} fail", not failed)
        # A render may have other bytes than an earlier one; a stored variant may not.
        codec = encoder(program)
        wrong = [target for target, (_, digest, _, cache) in found.items() if "variant-on-disk" in cache and (codec, digest) not in self.served.get(target, ())]
        self.check(f"{where}: stored variants have other bytes, or those of another encoder: {wrong}", not wrong)
        for target, (_, digest, *_) in found.items(): self.served.setdefault(target, set()).add((codec, digest))
        if self.user: self.check(f"{where}: {self.user.missing(node)}", not self.user.missing(node))
        else: self.user = User(node)
        self.check(f"{where}: changes are refused", self.user.change(node, turn))
        # Variants are written after their responses.
        self.settings.eventually(lambda: not node.metrics().get("onesheet_variant_disk_pending", 0), 20)
        on_disk = sum("variant-on-disk" in status for *_, status in found.values())
        self.report.row(self.run, turn=turn, program=program.name, fetched=requests, variants_on_disk=f"{on_disk} of {len(found)}", favourites=len(self.user.favourites))
        return self.origin.requests


def run(settings, report):
    for old in settings.old:
        new = settings.new
        Turns(settings, report, f"{old.name} to {new.name}", [old, new, new, old, new]).go()
        Turns(settings, report, f"{new.name} to {old.name}", [new, old, old]).go()
