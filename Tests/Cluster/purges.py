"""A purge on one node and the responses of all nodes afterwards: a checker records time, node and digest of every response."""
import asyncio
import contextlib
import threading
import time

from clients import FAILED, Connection, eventually
from guards import relay

SECONDS = 1.0  # the time after which no connected node sends old bytes
PATIENCE = 20.0  # the same on a busy machine
LAG = 2  # seconds of --purge-lag
AWAY = 4.0  # seconds that a node is away: longer than LAG
POSTERS = 3
PAUSE = 0.01


class Checker:
    """Requests posters of each node directly and repeatedly, and records the responses."""

    def __init__(self, nodes, numbers):
        self.targets = [f"/poster/films:p{number}{form}" for number in numbers for form in ("", "?w=92&format=jpeg")]
        self.nodes, self.answers = nodes, {node.number: [] for node in nodes}
        self.is_over = False

    def run(self, body):
        """Records on another thread while `body` runs on this one: nodes started by `body` end with this thread."""
        async def all_of_it():
            await asyncio.gather(*(self.client(node) for node in self.nodes))
        thread = threading.Thread(target=lambda: asyncio.run(all_of_it()), daemon=True)
        thread.start()
        try:
            body()
            # Pending responses of a stopped node are part of the record.
            time.sleep(0.5)
        finally:
            self.is_over = True
            thread.join()

    async def client(self, node):
        connection = Connection(node.port, timeout=AWAY + 10)
        while not self.is_over:
            for target in self.targets:
                answer = await connection.get(target)
                answer.body = b""
                self.answers[node.number].append(answer)
                await asyncio.sleep(PAUSE)

    def digests(self, before):
        """The digests of responses received before a time, by target."""
        found = {}
        for answers in self.answers.values():
            for answer in answers:
                if answer.is_good and answer.received < before: found.setdefault(answer.target, set()).add(answer.digest)
        return found

    def is_new(self, nodes, changed, since):
        """Whether the last response of each node and target, to requests sent since, has other bytes than before the change."""
        digests = self.digests(changed)
        for node in nodes:
            last = {answer.target: answer for answer in list(self.answers[node.number]) if answer.is_good and answer.sent >= since}
            if len(last) < len(self.targets) or any(answer.digest in digests.get(target, ()) for target, answer in last.items()): return False
        return True

    def old(self, node, digests, since):
        """The responses with old bytes to requests sent since."""
        return [answer for answer in self.answers[node.number] if answer.is_good and answer.sent >= since and answer.digest in digests.get(answer.target, ())]


def run(settings, report):
    settings.need("--redis")
    settings_of_nodes = [("default", [])] + ([("--purge-lag 2", ["--purge-lag", str(LAG)])] if settings.program.has("--purge-lag") else [])
    for name, options in settings_of_nodes:
        with settings.origin() as origin, settings.cluster("purges" + str(len(options)), origin, engines=("s3", "redis"), options=options, balanced=False, count=0) as cluster:
            with contextlib.ExitStack() as relays:
                between = [relays.enter_context(relay(cluster.engines["redis"].port)) for _ in range(3)]
                for number, each in enumerate(between, 1): cluster.nodes.append(cluster.node(number, redis=each.port))
                for node in cluster.nodes: node.start()
                scenarios(settings, report, name, cluster, origin, between)


def scenarios(settings, report, name, cluster, origin, between):
    first, second, third = cluster.nodes
    refuses = name != "default"

    def check(what, numbers, **more):
        purge(settings, report, f"{name}: {what}", cluster, origin, numbers, **more)
    # The purge is sent to each node in turn while all are connected.
    for number, node in enumerate([first] if settings.is_short else cluster.nodes): check(f"purge at {node.name}", range(number * 10, number * 10 + POSTERS), at=node)
    check("a node is stopped", range(100, 100 + POSTERS), at=first, away=third, leave=third.pause, come_back=third.resume, refuses=refuses)
    check("a node is cut off from Redis", range(110, 110 + POSTERS), at=first, away=third, leave=lambda: between[2].tell("cut"),
          come_back=lambda: between[2].tell("pass"), refuses=refuses, answers=True)
    if settings.is_short and refuses: return
    check("a node is killed and started", range(140, 140 + POSTERS), at=second, away=third, leave=third.kill, come_back=third.start, refuses=refuses, has_stopped=True)
    check("the purging node is cut off", range(150, 150 + POSTERS), at=third, away=third, leave=lambda: between[2].tell("cut"), come_back=lambda: between[2].tell("pass"),
          refuses=refuses, answers=True, others_wait=True)
    if settings.is_short: return
    check("a node's connection to Redis hangs", range(120, 120 + POSTERS), at=first, away=third, leave=lambda: between[2].tell("hang"),
          come_back=lambda: between[2].tell("pass"), refuses=refuses, answers=True)
    check("a node is restarted", range(130, 130 + POSTERS), at=second, away=third, leave=third.stop, come_back=third.start, refuses=refuses, has_stopped=True)


def is_current(node):
    """Whether a node reports that it has applied all missed events."""
    try:
        found = node.readiness
    except OSError:
        return False
    events, redis = found.get("events") or {}, found.get("redis") or {}
    for values, names in ((events, ("isCurrent", "isConnected")), (redis, ("isConnected", "connected"))):
        for name in names:
            if name in values: return bool(values[name])
    return False


def purge(settings, report, run, cluster, origin, numbers, at, away=None, leave=None, come_back=None, refuses=False, answers=False, has_stopped=False, others_wait=False):
    """- away: the node that misses the purge. - refuses: it refuses requests meanwhile. - answers: it responds meanwhile. - others_wait: the others get the purge on its return."""
    checker, times = Checker(cluster.nodes, numbers), {}
    present = [node for node in cluster.nodes if node is not away]

    def body():
        time.sleep(1)
        report.check(run, "all nodes are connected", eventually(lambda: all(is_current(node) for node in cluster.nodes), 30))
        if leave:
            leave()
            times["left"] = time.monotonic()
            time.sleep(0.5)
        # Responses until now are old.
        times["changed"] = time.monotonic()
        for number in numbers: origin.control("version", number=number, to=number % 7 + 1)
        found = [at.purge(f"films:p{number}") for number in numbers]
        times["purged"] = time.monotonic()
        report.check(run, f"the purge is accepted: {found}", all(200 <= status < 300 for status in found))
        if come_back:
            time.sleep(max(0, times["left"] + AWAY - time.monotonic()))
            times["back"] = time.monotonic()
            come_back()
            # The node reports that it is connected again: later requests must get new bytes.
            report.check(run, "the node is connected again", eventually(lambda: is_current(away), 60))
            times["connected"] = time.monotonic()
        since = times["connected"] if others_wait else times["purged"]
        eventually(lambda: checker.is_new(cluster.nodes, times["changed"], since), PATIENCE)
        time.sleep(SECONDS)
    checker.run(body)
    digests = checker.digests(times["changed"])
    since = times["connected"] if others_wait else times["purged"]
    latest = max((answer.sent - since for node in present for answer in checker.old(node, digests, since)), default=0)
    figures = {"responses": sum(map(len, checker.answers.values())), "old_until_ms_after": round(1000 * latest)}
    if latest > SECONDS:
        stale = {(node.name, answer.target, answer.tag) for node in present for answer in checker.old(node, digests, since + SECONDS)}
        print(f"old bytes: {sorted(stale)}", flush=True)
    most = PATIENCE if settings.is_short else SECONDS
    report.check(run, f"connected nodes send old bytes until {latest:.2f} s after the purge", latest <= most)
    report.check(run, "all nodes send the new bytes in the end", checker.is_new(cluster.nodes, times["changed"], since))
    if away: figures.update(returned(report, run, checker, away, digests, times, refuses, answers, has_stopped))
    report.row(run, **figures)


def returned(report, run, checker, away, digests, times, refuses, answers, has_stopped):
    """Checks the responses of the node that was away; returns figures."""
    # A stopped node gets its requests when it resumes; one that was cut off has reported its connection.
    since = times["connected"] if answers else times["back"]
    old = [answer for answer in checker.answers[away.number] if answer.is_good and answer.received >= since and answer.sent >= (since if answers or has_stopped else times["changed"])
           and answer.digest in digests.get(answer.target, ())]
    report.check(run, f"{len(old)} old responses after its return, the last {max((answer.received - since for answer in old), default=0):.2f} s after", not old)
    meanwhile = [answer for answer in checker.answers[away.number] if times["left"] < answer.sent and answer.received < times["back"] and answer.status != FAILED]
    figures = {"old_after_return": len(old), "connected_after_ms": round(1000 * (times["connected"] - times["back"]))}
    if answers:
        good = sum(answer.is_good for answer in meanwhile)
        figures.update(meanwhile_200=good, meanwhile_503=sum(answer.status == 503 for answer in meanwhile))
        if refuses:
            late = [answer for answer in meanwhile if answer.is_good and answer.sent > times["left"] + LAG + 1]
            report.check(run, f"the node refuses requests {LAG} s after the cut, except {len(late)}", not late and len(meanwhile) > good)
        else:
            report.check(run, f"the node serves cached posters while it is cut off: {len(meanwhile) - good} of {len(meanwhile)} failed", good > 0)
    return figures
