"""Responses to clients while an engine is killed, hung, slow, full, refuses the password or restarts empty, compared with the time before.

Nodes reach engines through relays. Hits come from memory; cold posters need the origin, and no data of an engine.
"""
import contextlib
import itertools
import os
import subprocess
import time

import accounts
from clients import Background, eventually, quantile, statuses
from guards import relay

MOST_COLD = 0.010  # seconds more than without the fault
MOST_HITS = 0.002  # seconds of the p99 of hits: the noise of the machine
# Seconds from the onset of a fault until breakers have opened and the measurement starts.
ONSET = 8
# Delays each way, longer than an engine's deadline. A store that answers within --originals-timeout delays cold posters by that time.
SLOW = {"s3": 0.5, "redis": 0.1, "postgresql": 0.1}
HITS = 20
# Seconds between requests of a client: without pauses, a busy processor would distort the times.
HIT_PAUSE, COLD_PAUSE, FAVOURITE_PAUSE = 0.01, 0.1, 0.05
# A user adds, reads and removes a favourite repeatedly.
FAVOURITES = [("PUT", f"/favourites/{accounts.FILM}"), "/favourites", ("DELETE", f"/favourites/{accounts.FILM}")]
GOOD = {200, 201, 204}
# Probes fit into runs of seconds; the default is 30 s, doubled up to 5 minutes.
BREAKER = ["--breaker-time", "2"]


class Fault:
    """The failure of an engine and its repair, neither of which restarts a node."""

    def __init__(self, name, begin, end):
        self.name, self.begin, self.end = name, begin, end


def faults(settings, name, engine, between):
    """The faults of an engine; a fault that is impossible here has no `begin` and its reason as `end`."""
    def restart_empty():
        engine.kill()
        engine.empty()
        engine.start()
    yield Fault("killed", engine.kill, engine.start)
    yield Fault("hung", engine.pause, engine.resume)
    yield wrong_password(name, engine, between)
    if settings.is_short: return
    yield Fault(f"slow ({round(SLOW[name] * 1000)} ms each way)", lambda: between.tell("delay", str(SLOW[name])), lambda: between.tell("pass"))
    if name == "s3":
        yield Fault("full (507)", lambda: between.tell("http", "507"), lambda: between.tell("pass"))
    if name == "redis":
        yield Fault("full (maxmemory)", lambda: engine.command("CONFIG SET maxmemory 1", "CONFIG SET maxmemory-policy noeviction"),
                    lambda: engine.command("CONFIG SET maxmemory 0"))
    if name == "postgresql":
        yield full_disk(settings, engine)
    yield Fault("restarted empty", restart_empty, lambda: None)


def full_disk(settings, engine):
    """Moves the database to its own file system and fills that."""
    folder = settings.folder / "small"
    folder.mkdir(exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], capture_output=True).returncode:
        return Fault("full (disk)", None, "no permission to mount a file system")
    place = folder / "tablespace"
    place.mkdir()
    subprocess.run(["chown", engine.user, str(place)], check=True)
    settings.mounts.append(folder)
    move = ["SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'onesheet'"]
    engine.sql(f"CREATE TABLESPACE small LOCATION '{place}'")

    def begin():
        engine.sql(*move, "ALTER DATABASE onesheet SET TABLESPACE small")
        with contextlib.suppress(OSError), open(folder / "filler", "wb", buffering=0) as file:
            while True: file.write(bytes(65536))

    def end():
        (folder / "filler").unlink()
        engine.sql(*move, "ALTER DATABASE onesheet SET TABLESPACE pg_default")
    return Fault("full (disk)", begin, end)


def wrong_password(name, engine, between):
    right = engine.password

    def change(password):
        if name == "redis":
            engine.command(f"CONFIG SET requirepass {password}", "CLIENT KILL TYPE normal", "CLIENT KILL TYPE pubsub", password=engine.password)
            engine.password = password
        elif name == "s3":
            engine.stop()
            engine.password = password
            engine.start()
        else:
            engine.sql(f"ALTER ROLE onesheet PASSWORD '{password}'", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'onesheet'")
    return Fault("wrong password", lambda: change("another"), lambda: change(right))


class Minutes:
    """Measures responses for a while: hits, cold posters, and a user's favourites."""

    def __init__(self, settings, cluster, numbers, token):
        self.settings, self.cluster, self.numbers, self.token = settings, cluster, numbers, token

    def measure(self, seconds):
        ports = [node.port for node in self.cluster.nodes]
        hits = [Background(ports[0], itertools.cycle(f"/poster/films:p{number}?w=92&format=jpeg" for number in range(HITS)), clients=1, tries=1, pause=HIT_PAUSE)]
        cold = [Background(port, (f"/poster/films:p{number}?w=92&format=jpeg" for number in self.numbers), clients=1, tries=1, pause=COLD_PAUSE) for port in ports]
        mine = [Background(ports[0], itertools.cycle(FAVOURITES), clients=1, tries=1, pause=FAVOURITE_PAUSE, fields=[f"Authorization: Bearer {self.token}"])] if self.token else []
        time.sleep(seconds)
        return [[tries[-1] for each in part for tries in each.end()] for part in (hits, cold, mine)]


def run(settings, report):
    numbers = itertools.count(1000)
    with settings.origin() as origin, settings.cluster("faults", origin, options=BREAKER, balanced=False, count=0) as cluster, contextlib.ExitStack() as relays:
        between = {name: relays.enter_context(relay(engine.port)) for name, engine in cluster.engines.items()}
        try:
            for number in range(1, 4): cluster.nodes.append(cluster.node(number, **{name: each.port for name, each in between.items()}))
            for node in cluster.nodes: node.start()
            for name, engine in cluster.engines.items():
                for fault in faults(settings, name, engine, between[name]):
                    if fault.begin is None: report.skip(f"{name} {fault.name}", fault.end)
                    else: one(settings, report, cluster, name, fault, numbers)
            for name in ("redis", "postgresql"):
                if name not in cluster.engines: report.skip(f"faults of {name}", "this program has no option for it")
        finally:
            for folder in settings.mounts: subprocess.run(["umount", "-l", folder])


def is_healthy(cluster, name, written):
    """Whether nodes report that they use the engine again, and write to it."""
    for node in cluster.nodes:
        state = node.readiness.get({"s3": "objectStore", "redis": "redis", "postgresql": "library"}[name]) or {}
        for part in (state, state.get("server") or {}):
            if part.get("breaker", "closed") != "closed": return False
            if False in (part.get(key, True) for key in ("isConnected", "connected", "isReadable", "isWritable")): return False
    return name != "s3" or cluster.metric("onesheet_object_store_uploaded_total") > written


def one(settings, report, cluster, name, fault, numbers):
    run = f"{name} {fault.name}"
    token = None
    if "postgresql" in cluster.engines:
        token = accounts.sign_in(cluster.nodes[0], cluster.nodes[1])
    minutes = Minutes(settings, cluster, numbers, token)
    processes = [node.process.pid for node in cluster.nodes]
    seconds = 1 if settings.is_short else settings.seconds
    if not settings.is_short: minutes.measure(1)  # caches the hits in memory
    before = minutes.measure(seconds)
    fault.begin()
    onset = minutes.measure(2 if settings.is_short else ONSET)
    during = minutes.measure(seconds)
    fault.end()
    start, written = time.monotonic(), cluster.metric("onesheet_object_store_uploaded_total")
    # Requests or background tasks probe an engine with an open breaker.
    recovered = eventually(lambda: minutes.measure(0.5) and is_healthy(cluster, name, written), 120)
    seconds_to_recover = time.monotonic() - start
    after = minutes.measure(seconds)
    p99 = lambda answers: 1000 * quantile([answer.seconds for answer in answers], 0.99)
    report.row(run, hits_p99_ms=" → ".join(f"{p99(part[0]):.1f}" for part in (before, onset, during, after)),
               cold_p99_ms=" → ".join(f"{p99(part[1]):.1f}" for part in (before, onset, during, after)), posters=statuses(onset[0] + onset[1] + during[0] + during[1]),
               favourites=statuses(onset[2] + during[2]) or "–", recovered_after_s=f"{seconds_to_recover:.1f}")
    bad = [answer for part in (onset, during, after) for answers in part[:2] for answer in answers if not answer.is_good]
    report.check(run, f"all posters are 200: {bad[:1]}", not bad)
    report.check(run, "the nodes recover", recovered)
    report.check(run, "no node was restarted", processes == [node.process.pid for node in cluster.nodes] and all(node.is_running for node in cluster.nodes))
    if token and (name != "postgresql" or fault.name != "restarted empty"):
        report.check(run, f"favourites work again: {statuses(after[2])}", {answer.status for answer in after[2]} <= GOOD)
    if token and name == "postgresql": report.check(run, f"favourites are 200 or 503 during the fault: {statuses(during[2])}", {answer.status for answer in during[2]} <= GOOD | {401, 503})
    if settings.is_short: return
    for kind, index, most in (("hits", 0, MOST_HITS), ("cold posters", 1, MOST_COLD)):
        healthy = max(p99(before[index]), p99(after[index]))
        report.check(run, f"the p99 of {kind} is {p99(during[index]):.1f} ms, {healthy:.1f} without the fault", p99(during[index]) <= healthy + 1000 * most)
