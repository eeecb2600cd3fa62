"""Requests of three nodes together to upstreams with a budget a second and a day."""
import asyncio
import itertools
import time

from clients import Background, crowd, eventually, statuses
from upstream import Upstream

PER_SECOND, BURST, PER_DAY, MOST = 40, 8, 1000, 1.01
# Requests that arrive together because a busy machine has delayed them.
DELAYED = 40


def run(settings, report):
    settings.need("--redis")
    upstream = Upstream()
    try:
        # TMDB's own limit applies only to TMDB's host.
        rate = ["--origin-rate", str(PER_SECOND)]
        with settings.cluster("rates", engines=("redis",), options=[*upstream.options, *rate], balanced=False) as cluster:
            each_second(settings, report, cluster, upstream)
        with settings.cluster("budgets", engines=("redis",), options=upstream.options, balanced=False) as cluster:
            each_day(settings, report, cluster, upstream)
    finally:
        upstream.stop()


def excess(times, rate, burst):
    """The most requests of any span above the rate and the burst; below 0 if there are none."""
    worst, lowest = float("-inf"), float("inf")
    for count, moment in enumerate(times):
        # Requests i to j are j − i + 1 in the time between: the minimum of i − rate × time is the start of the worst span so far.
        lowest = min(lowest, count - rate * moment)
        worst = max(worst, count - rate * moment - lowest + 1 - burst)
    return worst


def most_in_a_second(times):
    first, most = 0, 0
    for last, moment in enumerate(times):
        while moment - times[first] >= 1: first += 1
        most = max(most, last - first + 1)
    return most


def load(cluster, first, clients):
    """Different searches on all nodes."""
    return [Background(node.port, (f"/movies/search?query=word{first}x{node.number}x{number}" for number in itertools.count()), clients=clients, tries=1)
            for node in cluster.nodes]


def each_second(settings, report, cluster, upstream):
    seconds = 5 if settings.is_short else 30
    # With Redis, while it is down, and after its return: a node without Redis keeps its last share.
    redis = cluster.engines["redis"]
    for number, (what, before, after) in enumerate([("", None, None), ("without Redis", redis.kill, redis.start), ("with Redis again", None, None)]):
        run = f"{PER_SECOND} a second {what}".rstrip()
        seen = len(upstream.times["tmdb"])
        if before: before()
        crowds = load(cluster, number, 8)
        time.sleep(seconds)
        found = [tries[-1] for each in crowds for tries in each.end()]
        if after: after()
        times = upstream.times["tmdb"][seen:]
        over = excess(times, PER_SECOND * MOST, BURST + (DELAYED if settings.is_short else 0))
        duration = times[-1] - times[0] if len(times) > 1 else 0
        report.row(run, seconds=round(duration, 1), requests=len(times), a_second=round(len(times) / max(duration, 1), 1), most_in_a_second=most_in_a_second(times),
                   over_rate_and_burst=round(max(0, over), 1), clients_see=statuses(found))
        report.check(run, f"{over:.1f} requests above {PER_SECOND} a second, {BURST} at once and 1 %", over < 1)
        report.check(run, "the budget is used", len(times) >= (1 if settings.is_short else PER_SECOND * seconds * (0.2 if what else 0.5)))


def each_day(settings, report, cluster, upstream):
    run = f"{PER_DAY} a day"
    # Each film is one request; all nodes get more requests than their shares. A Redis that has just started grants nothing at first.
    granted = all(eventually(lambda: node.get("/movies/omdb:tt9900001")[0] == 200, 30) for node in cluster.nodes)
    report.check(run, "the first requests are granted", granted)
    each = PER_DAY // 2
    crowds = [(node.port, [f"/movies/omdb:tt{node.number:02}{number:05}" for number in range(each)]) for node in cluster.nodes]

    async def all_of_it():
        return await asyncio.gather(*(crowd(port, targets, 8, tries=1) for port, targets in crowds))
    found = [tries[-1] for part in asyncio.run(all_of_it()) for tries in part]
    count = len(upstream.times["omdb"])
    report.row(run, asked_of_nodes=len(found), requests=count, clients_see=statuses(found))
    report.check(run, f"{count} requests", PER_DAY * 0.9 <= count <= PER_DAY * MOST)
