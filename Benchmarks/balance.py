#!/usr/bin/env python3
"""Balance of consistent hashing of posters over nodes, and the share of posters that move when a node is added.

    python3 Benchmarks/balance.py [--nodes 3,30,300] [--points 16,160,1600] [--posters 1000000] [--haproxy]

A ring with the given number of points per node, by SHA-256. With --haproxy: HAProxy itself with the hash of deploy/cluster/haproxy.cfg, 6000 requests
for different posters, by weight (HAProxy has 16 points per unit of weight). Sends nothing beyond this machine.
"""

import argparse
import bisect
import collections
import hashlib
import http.client
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def place(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class Ring:
    def __init__(self, nodes, points):
        self.points = sorted((place(f"{node}/{point}"), node) for node in range(nodes) for point in range(points))
        self.places = [at for at, _ in self.points]

    def node(self, at):
        return self.points[bisect.bisect_left(self.places, at) % len(self.points)][1]


def simulated(counts, points, posters):
    places = [place(f"films:{number}") for number in range(posters)]
    print(f"simulated, {posters} posters: the most and the fewest of a node, divided by the mean, and the share that moves to an added node\n")
    print("nodes   points   most  least    moved  ideal")
    for nodes in counts:
        for each in points:
            ring, larger = Ring(nodes, each), Ring(nodes + 1, each)
            before = [ring.node(at) for at in places]
            moved = sum(larger.node(at) != node for at, node in zip(places, before))
            shares = collections.Counter(before)
            mean = posters / nodes
            print(f"{nodes:5} {each:8} {max(shares.values()) / mean:6.3f} {min(shares[node] for node in range(nodes)) / mean:6.3f}"
                  f" {100 * moved / posters:7.2f}% {100 / (nodes + 1):5.2f}%")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def haproxy(nodes, weight, posters):
    """The server that HAProxy chooses for each poster."""
    front, back = free_port(), free_port()
    servers = "\n".join(f"    server node{node} 127.0.0.1:{back} weight {weight}" for node in range(nodes))
    configuration = f"""
defaults
    mode http
    timeout client 10s
    timeout server 10s
    timeout connect 1s
frontend posters
    bind 127.0.0.1:{front}
    default_backend nodes
backend nodes
    balance hash path
    hash-type consistent sdbm avalanche
    http-response set-header X-Node %s
{servers}
frontend node
    bind 127.0.0.1:{back}
    http-request return status 200
"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "haproxy.cfg"
        path.write_text(configuration)
        process = subprocess.Popen(["haproxy", "-db", "-f", path], stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", front)).close()
                    break
                except OSError:
                    time.sleep(0.05)
            connection = http.client.HTTPConnection("127.0.0.1", front)
            taken = {}
            for number in range(posters):
                connection.request("GET", f"/poster/films:{number}")
                response = connection.getresponse()
                response.read()
                taken[number] = response.getheader("X-Node")
            return taken
        finally:
            process.terminate()
            process.wait()


def measured(counts, posters=6000):
    print(f"\nHAProxy, {posters} posters\n\nnodes  weight   most  least    moved  ideal")
    for nodes in counts:
        for weight in (1, 16, 100, 256):
            before, after = haproxy(nodes, weight, posters), haproxy(nodes + 1, weight, posters)
            moved = sum(before[number] != after[number] for number in before)
            shares = collections.Counter(before.values())
            mean = posters / nodes
            least = min(shares[f"node{node}"] for node in range(nodes))
            print(f"{nodes:5} {weight:7} {max(shares.values()) / mean:6.3f} {least / mean:6.3f} {100 * moved / posters:7.2f}% {100 / (nodes + 1):5.2f}%")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", default="3,30,300")
    parser.add_argument("--points", default="16,160,1600")
    parser.add_argument("--posters", type=int, default=1_000_000)
    parser.add_argument("--haproxy", action="store_true")
    options = parser.parse_args()
    counts = [int(count) for count in options.nodes.split(",")]
    simulated(counts, [int(count) for count in options.points.split(",")], options.posters)
    if options.haproxy:
        measured([count for count in counts if count <= 30])


if __name__ == "__main__":
    main()
