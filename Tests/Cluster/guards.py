"""Nodes connect to private addresses of configured engines, but follow no redirects of engines to others."""
import asyncio
import contextlib

from clients import crowd, eventually
from relay import Relay

# Differs from the engines' loopback address: allowing it does not allow theirs.
ORIGIN = "127.0.0.2"


@contextlib.contextmanager
def relay(port):
    found = Relay(port)
    try:
        yield found
    finally:
        found.stop()


def run(settings, report):
    with settings.origin(ORIGIN) as origin, settings.cluster("guards", origin, count=1, balanced=False) as cluster:
        store(settings, report, cluster, origin)
        if "redis" in cluster.engines: redis(settings, report, cluster, origin)
        else: report.skip("redirects of Redis", "this program has no --redis")


def get(node, *numbers):
    """The statuses of posters."""
    found = asyncio.run(crowd(node.port, [f"/poster/films:p{number}?w=92&format=jpeg" for number in numbers], 1, tries=1))
    return [tries[-1].status for tries in found]


def store(settings, report, cluster, origin):
    run, node = "redirects of S3", cluster.nodes[0]
    found = get(node, 0, 1)
    stored = eventually(lambda: node.readiness["objectStore"]["uploaded"] == 2)
    report.check(run, f"the configured store is used although its address is private: {found}", stored and found == [200, 200])
    # A port that counts connections; no redirect to it may be followed.
    with relay(1) as elsewhere, relay(cluster.engines["s3"].port) as between:
        between.tell("http", "302", f"http://127.0.0.1:{elsewhere.port}/posters/originals/other")
        other = cluster.node(2, s3=between.port)
        other.start()
        try:
            found = get(other, 0, 2)
            report.check(run, f"posters come from their origin: {found}", found == [200, 200])
            eventually(lambda: between.count >= 2)
            report.check(run, "the store got requests", between.count > 0)
            report.check(run, f"{elsewhere.count} redirects were followed", elsewhere.count == 0)
            asked = between.count
        finally:
            other.stop()
        # A redirect of an origin to the store's private address is refused, too.
        passed = between.count
        origin.control("redirect", to=f"http://127.0.0.1:{elsewhere.port}/p9")
        refused = get(node, 9)
        origin.control("redirect", to=f"http://127.0.0.1:{cluster.engines['s3'].port}/posters/p10")
        refused += get(node, 10)
        origin.control("redirect")
        report.check(run, f"an origin's redirect to the store's address is refused: {refused}", refused == [502, 502] and elsewhere.count == 0)
        report.row(run, store_asked=asked, followed=elsewhere.count, origin_redirects=", ".join(map(str, refused)), others_asked=between.count - passed)


def redis(settings, report, cluster, origin):
    run = "redirects of Redis"
    with relay(1) as elsewhere, relay(cluster.engines["redis"].port) as between:
        between.tell("text", "-MOVED", "1", f"127.0.0.1:{elsewhere.port}")
        node = cluster.node(3, redis=between.port)
        node.start()
        try:
            found = get(node, 20, 21)
            report.check(run, f"posters are served without Redis: {found}", found == [200, 200])
            report.check(run, "Redis was contacted", eventually(lambda: between.count > 0))
            report.check(run, f"{elsewhere.count} redirects were followed", elsewhere.count == 0)
            report.row(run, redis_asked=between.count, followed=elsewhere.count)
        finally:
            node.stop()
