"""Nodes of two versions with everything that nodes share."""
import time

from accounts import call
from clients import eventually
from contents import User, errors, fetch_all, pictures
from pictures import poster

SECONDS = 10


def run(settings, report):
    for old in settings.old:
        name = f"{old.name} beside {settings.new.name}"
        with settings.origin() as origin, settings.cluster(name.replace(" ", ""), origin) as cluster:
            for number, program in enumerate((old, settings.new), 1):
                node = cluster.node(number)
                node.program = program
                cluster.nodes.append(node)
                node.start()
            Pair(report, name, origin, *cluster.nodes).go()


class Pair:
    def __init__(self, report, run, origin, old, new):
        self.report, self.run, self.origin, self.nodes, self.versions = report, run, origin, (old, new), {}

    def check(self, what, holds):
        self.report.check(self.run, what, holds)

    def go(self):
        old, new = self.nodes
        wrong = fetch_all(old)
        self.check(f"posters {wrong} of the old node have other bytes", not wrong)
        uploaded = eventually(lambda: not any(node.metrics().get("onesheet_object_store_waiting", 0) for node in self.nodes), SECONDS)
        time.sleep(1)
        before = self.origin.requests
        wrong = fetch_all(new)
        self.check(f"posters {wrong} of the new node have other bytes", not wrong)
        self.check(f"the new node fetches {self.origin.requests - before} originals that the store has", uploaded and self.origin.requests == before)
        self.variants(old, new)
        self.purges()
        self.variants(new, old)
        self.accounts()
        for node in self.nodes: self.check(f"{node.program.name}: {errors(node)[:2]}", not errors(node))

    def variants(self, first, second):
        """A variant of one node is either used by the other, or rendered there again: one entity tag never has two byte sequences."""
        made = pictures(first)
        time.sleep(1)
        found = pictures(second)
        same = [target for target in made if made[target][2] == found[target][2]]
        torn = [target for target in same if made[target][1] != found[target][1]]
        failed = [target for target in made if made[target][0] != 200 or found[target][0] != 200]
        self.check(f"an entity tag has two byte sequences: {torn}", not torn)
        self.check(f"pictures fail: {failed}", not failed)
        shared = sum("redis" in found[target][3] for target in found)
        self.report.row(self.run, rendered_by=first.program.name, from_redis=f"{shared} of {len(found)}", same_bytes=f"{len(same)} of {len(found)}")

    def purges(self):
        for number, (first, second) in enumerate((self.nodes, self.nodes[::-1])):
            version = self.versions.get(number, 0) + 1
            self.versions[number] = version
            self.origin.control("version", number=number, to=version)
            status = first.purge(f"films:p{number}")
            start = time.monotonic()
            is_new = eventually(lambda: all(node.get(f"/poster/films:p{number}")[2] == poster(number, version)[1] for node in (first, second)), SECONDS)
            self.check(f"a purge on {first.program.name} is {status} and does not reach {second.program.name}", status == 204 and is_new)
            self.report.row(self.run, purge_on=first.program.name, status=status, everywhere_after_ms=round(1000 * (time.monotonic() - start)))
        for node in self.nodes:
            wrong = fetch_all(node, self.versions)
            self.check(f"{node.program.name}: posters {wrong} are old after purges", not wrong)

    def accounts(self):
        old, new = self.nodes
        for first, second in ((old, new), (new, old)):
            user = User(first)
            self.check(f"{second.program.name}: {user.missing(second)}", not user.missing(second))
            self.check(f"{second.program.name} refuses changes", user.change(second, 1))
            self.check(f"{first.program.name}: {user.missing(first)}", not user.missing(first))
            ended, _ = call(first, "DELETE", "/auth/session", user.token)
            is_over = eventually(lambda: call(second, "GET", "/favourites", user.token)[0] == 401, SECONDS)
            self.check(f"a session that ends on {first.program.name} ({ended}) stays valid on {second.program.name}", ended == 204 and is_over)
