"""Runs under load: origin requests and renders of three nodes, the effect of a fourth node, and responses to clients when a node is killed."""
import asyncio
import itertools
import random
import time

from clients import Background, KnownAnswers, crowd, eventually, quantile, statuses
from pictures import LARGE

WIDTHS = (92, 154, 185, 342)
OTHER_WIDTH = 120
LARGE_POSTERS = 16
MOST_ORIGIN_REQUESTS, MOST_RENDER_DIFFERENCE, MOST_MOVED = 1.001, 0.02, 0.30


def targets(posters, widths=WIDTHS, seed=1):
    """All widths of all posters, in random order. One format: the codec's costs do not matter here."""
    found = [f"/poster/films:p{number}?w={width}&format=jpeg" for number in range(posters) for width in widths]
    random.Random(seed).shuffle(found)
    return found


def poster(target):
    return target.partition("?")[0]


def is_settled(cluster):
    """Whether all background uploads of the nodes are done."""
    return all((node.readiness.get("objectStore") or {"waiting": 0})["waiting"] == 0 for node in cluster.nodes)


def fill(settings, report, run, cluster, origin):
    """Requests everything once; returns seconds, origin requests and renders."""
    before, asked, start = cluster.metric("onesheet_renders_total"), origin.requests, time.monotonic()
    found = asyncio.run(crowd(cluster.balancer.port if cluster.balancer else cluster.nodes[0].port, targets(settings.posters), settings.clients))
    seconds = time.monotonic() - start
    bad = [tries[-1] for tries in found if not tries[-1].is_good]
    report.check(run, f"all responses are 200, not {statuses(bad)} {bad[:1]}", not bad)
    report.check(run, "uploads finish", eventually(lambda: is_settled(cluster), 120))
    return seconds, origin.requests - asked, cluster.metric("onesheet_renders_total") - before


def leases_without_reply(cluster):
    lines = (line for node in cluster.nodes for line in node.get("/metrics")[2].decode().splitlines())
    found = (line.rpartition(" ")[2] for line in lines if line.startswith("onesheet_redis_leases_total") and 'kind="fetch"' in line and 'outcome="unavailable"' in line)
    return int(sum(map(float, found)))


def several_nodes(settings, report):
    """Acceptance: origin requests ≤ originals × 1.001, renders within 2 % of one node's; then a fourth node, and a killed one."""
    with settings.origin() as origin, settings.cluster("one", origin, count=1, engines=(), balanced=False) as one:
        seconds, asked, alone = fill(settings, report, "one node", one, origin)
        report.row("one node", posters=settings.posters, widths=len(WIDTHS), seconds=round(seconds, 1), origin_requests=asked, renders=int(alone))
    # A busy machine's store of objects does not answer within half a second.
    patient = ["--originals-timeout", "5"] if settings.is_short else []
    with settings.origin() as origin, settings.cluster("three", origin, options=patient) as cluster:
        seconds, asked, renders = fill(settings, report, "three nodes", cluster, origin)
        report.row("three nodes", engines=", ".join(cluster.engines), seconds=round(seconds, 1), origin_requests=asked, per_original=round(asked / settings.posters, 4),
                   most_of_one=origin.counts()["most"], leases_without_reply=leases_without_reply(cluster), renders=int(renders), by_one_nodes=round(renders / alone, 4))
        # With few posters, one additional request already exceeds the share.
        # Through Redis, only one of several nodes fetches an original.
        if "redis" in cluster.engines:
            most = max(settings.posters * MOST_ORIGIN_REQUESTS, settings.posters + 1)
            # A node that gets no lease in time fetches without one. On a busy machine some replies of Redis are late.
            late = leases_without_reply(cluster) if settings.is_short else 0
            report.check("three nodes", f"{asked} origin requests for {settings.posters} originals, {late} leases without a reply", asked <= most + late)
        if "redis" in cluster.engines:
            report.check("three nodes", f"{renders:.0f} renders, one node has {alone:.0f}", abs(renders / alone - 1) <= MOST_RENDER_DIFFERENCE)
        fourth_node(settings, report, cluster, origin)
        killed_node(settings, report, cluster, origin)


def places(port, wanted):
    """The node of each poster, requested sequentially, so that no node exceeds its share of requests in progress."""
    found = asyncio.run(crowd(port, wanted, 1))
    return {poster(tries[-1].target): tries[-1].node for tries in found}


def fourth_node(settings, report, cluster, origin):
    run, port = "a fourth node", cluster.balancer.port
    small = targets(settings.posters, WIDTHS[:1])
    # Variants that render quickly are not stored in Redis. Every other one has a badge.
    large = [f"/poster/films:p{LARGE + number}?w={WIDTHS[0]}&format=jpeg{'&text=4K' if number % 2 else ''}" for number in range(LARGE_POSTERS)]
    shared = "redis" in cluster.engines
    before = places(port, small + large)
    written = not shared or eventually(lambda: cluster.metric("onesheet_redis_variant_writes_total") >= len(large), 30)
    report.check(run, "rendered variants are stored", written and eventually(lambda: is_settled(cluster), 60))
    asked, read = origin.requests, cluster.metric("onesheet_object_store_hits_total")
    node = cluster.add_node()
    is_ended = eventually(lambda: all(process.poll() is not None for process in cluster.balancer.former))
    report.check(run, "the balancer's former process ends", is_ended)
    after = places(port, small)
    moved = [name for name in after if before[name] != after[name]]
    rendered = node.metrics().get("onesheet_renders_total", 0)
    after = places(port, large)
    moved_large = [name for name in after if before[name] != after[name]]
    rendered = node.metrics().get("onesheet_renders_total", 0) - rendered
    # A new width has no variants, so that originals are needed.
    asyncio.run(crowd(node.port, [f"{name}?w={OTHER_WIDTH}&format=jpeg" for name in moved], 16))
    objects = cluster.metric("onesheet_object_store_hits_total") - read
    variants = node.metrics().get("onesheet_redis_variant_hits_total", 0)
    report.row(run, keys_moved=f"{100 * len(moved) / settings.posters:.1f} %", origin_requests=origin.requests - asked, originals_from_S3=int(objects),
               large_moved=len(moved_large), of_them_from_Redis=int(variants), of_them_rendered=int(rendered))
    report.check(run, "at most 30 % of the keys move, and some do", 0 < len(moved) <= MOST_MOVED * settings.posters)
    report.check(run, "no origin request", origin.requests == asked)
    report.check(run, "originals come from S3", objects >= len(moved) * 0.99)
    if shared: report.check(run, f"variants of {len(moved_large)} come from Redis, {rendered:.0f} were rendered", rendered == 0 and 0 < len(moved_large) <= variants)


def killed_node(settings, report, cluster, origin):
    run = "killed node"
    known, count = KnownAnswers(), min(settings.posters, 1000)
    asyncio.run(crowd(cluster.balancer.port, targets(count, WIDTHS), 16, known=known))
    report.check(run, "rendered variants are stored", eventually(lambda: is_settled(cluster), 60))
    asked, victim = origin.requests, cluster.nodes[1]
    share = sum(place == str(victim.number) for place in places(cluster.balancer.port, targets(count, WIDTHS[:1])).values())
    endless = itertools.chain.from_iterable(targets(count, WIDTHS, seed) for seed in itertools.count(2))
    load = Background(cluster.balancer.port, endless, settings.clients, known=known, tries=4)
    time.sleep(settings.seconds)
    victim.kill()
    killed = time.monotonic()
    time.sleep(settings.seconds + 8)  # until the balancer detects it, and afterwards
    found = load.end()
    failures = [sum(not answer.is_good for answer in tries) for tries in found]
    after = [tries[-1] for tries in found if tries[-1].sent > killed]
    report.row(run, requests=len(found), after_the_kill=len(after), failed_once=sum(count == 1 for count in failures), failed_twice=sum(count > 1 for count in failures),
               torn=len(known.torn), its_posters=share, origin_requests=origin.requests - asked, slowest_ms=round(1000 * max(answer.seconds for answer in after)),
               p99_ms=round(1000 * quantile([answer.seconds for answer in after], 0.99), 1))
    report.check(run, "no request has more than one failed attempt", max(failures) <= 1)
    report.check(run, f"no response is torn: {known.torn[:2]}", not known.torn)
    report.check(run, "other nodes serve the posters of the killed one without the origin", origin.requests == asked and share > 0)
    victim.start()
