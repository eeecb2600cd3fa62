#!/usr/bin/env python3
"""Several nodes, an S3 server, Redis, PostgreSQL and HAProxy on loopback, with one data folder.

    python3 Tests/Cluster/cluster.py onesheet [--data .build/cluster] [--port 8080] [--nodes 3] [--without redis,postgresql] [-- OPTIONS OF NODES]

HAProxy is at --port, nodes are at the ports after it, the S3 server, Redis and PostgreSQL at the tenth, eleventh and twelfth. Ctrl-C stops everything; the next run goes on with
the same data. Needs Python 3.9, and programs of the Debian packages redis-server, postgresql and haproxy and of `make store-deps`.
"""
import argparse
import contextlib
import fcntl
import os
import pathlib
import secrets
import signal
import socket
import sys
import time

from child import free_port
from engines import ACCESS_KEY, Failure, HAProxy, ObjectStore, PostgreSQL, Redis, ROOT
from node import Node, Program, Sharing

ENGINES = {"s3": "--originals", "redis": "--redis", "postgresql": "--library"}


class Cluster:
    """Engines and nodes in the order in which they start; they are stopped in reverse."""

    def __init__(self, program, folder, count=3, engines=tuple(ENGINES), options=(), base_port=None, durable=True, balanced=True):
        self.program = program if isinstance(program, Program) else Program(program)
        self.folder, self.options = pathlib.Path(folder).resolve(), list(options)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ports = Ports(base_port)
        self.engines = {}
        # Engines that this program cannot use are not started.
        for name in engines:
            if self.program.has(ENGINES[name]): self.engines[name] = self.engine(name, durable)
        self.nodes = [self.node(number) for number in range(1, count + 1)]
        self.balancer = HAProxy(self.folder / "haproxy", self.ports.balancer, [node.port for node in self.nodes]) if balanced else None

    def engine(self, name, durable):
        make = {"s3": ObjectStore, "redis": Redis, "postgresql": PostgreSQL}[name]
        more = {"durable": durable} if name == "postgresql" else {}
        return make(self.folder / name, self.ports.engines[name], self.secret(f"{name}-password"), **more)

    def secret(self, name, make=lambda: secrets.token_hex(20)):
        """A secret in the data folder, created if missing; only the current user can read it."""
        path = self.folder / "secrets" / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(make())
        return path.read_text()

    def node(self, number, **ports):
        """A node that is not started yet. `ports` are those of engines, if other than their own."""
        for name in ("token", "secret.key"): self.secret(name, lambda: secrets.token_hex(32))
        return Node(number, self.folder / f"node-{number}", self.ports.node(number), self.program, self.folder / "secrets", self.sharing(**ports), self.options)

    def sharing(self, **ports):
        found = Sharing()
        port = {name: ports.get(name, engine.port) for name, engine in self.engines.items()}
        if "s3" in port:
            self.secret("s3-keys", lambda: f"[default]\naws_access_key_id = {ACCESS_KEY}\naws_secret_access_key = {self.engines['s3'].password}\n")
            found.s3, found.keys = f"http://127.0.0.1:{port['s3']}", self.folder / "secrets" / "s3-keys"
        if "redis" in port: found.redis = f"redis://:{self.engines['redis'].password}@127.0.0.1:{port['redis']}"
        if "postgresql" in port: found.library = self.engines["postgresql"].url_at(port["postgresql"])
        return found

    @property
    def all(self):
        return [*self.engines.values(), *self.nodes, *([self.balancer] if self.balancer else [])]

    @property
    def base(self):
        return f"http://127.0.0.1:{self.balancer.port}"

    def check(self):
        """Fails with a list of all missing programs and occupied ports."""
        programs = {engine.name: engine.program() for engine in (*self.engines.values(), *([self.balancer] if self.balancer else []))}
        missing = [name for name, path in programs.items() if path is None]
        if missing: raise Failure(f"not installed: {', '.join(missing)}; make cluster-deps installs them")
        taken = [f"{each.port} ({each.name})" for each in self.all if not is_free(each.port)]
        if taken: raise Failure(f"in use by other programs: ports {', '.join(taken)}; choose others (CLUSTER_PORT)")

    def start(self):
        self.check()
        for each in self.all: each.start()

    def stop(self):
        for each in reversed(self.all):
            with contextlib.suppress(ProcessLookupError): each.stop()

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def add_node(self):
        """Adds a node, also to the balancer."""
        node = self.node(len(self.nodes) + 1)
        node.start()
        self.nodes.append(node)
        self.balancer.reload([each.port for each in self.nodes])
        return node

    def metric(self, name):
        return sum(node.metrics().get(name, 0) for node in self.nodes if node.is_running)


class Ports:
    """Ports counted from a base, or free ones without a base."""

    def __init__(self, base):
        self.base = base
        self.balancer = base or free_port()
        self.engines = {name: base + 10 + index if base else free_port() for index, name in enumerate(ENGINES)}

    def node(self, number):
        return self.base + number if self.base else free_port()


def is_free(port):
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


def describe(cluster):
    engines = cluster.engines
    print(f"\nOneSheet: {cluster.base}/ by HAProxy, which names the node of each response in X-Node")
    for node in cluster.nodes: print(f"  {node.name}: {node.base}/ (/readyz, /metrics)")
    for name, option in ENGINES.items():
        place = f"127.0.0.1:{engines[name].port}, its password in {cluster.folder}/secrets" if name in engines else f"not started: this program has no {option}"
        print(f"  {name}: {place}")
    look = f"{cluster.program.path} status --all --data-dir {cluster.nodes[0].folder}"
    if cluster.program.has_command("status"): print(f"All nodes: {look}")
    print(f"A purge on one node: curl -X DELETE -H \"Authorization: Bearer $(cat {cluster.folder}/secrets/token)\" {cluster.nodes[0].base}/poster/nosferatu-1922")
    print(f"Data and logs: {cluster.folder} (remove it while nothing runs to start from scratch)\nCtrl-C stops everything.", flush=True)


def watch(cluster, ended):
    """Returns after a signal; fails if a process ends by itself."""
    while not ended:
        for each in cluster.all:
            if not each.is_running: raise Failure(f"{each.name} has ended with status {each.process.returncode}; {each.log} ends with\n{each.last_words()}")
        time.sleep(0.2)


class Stopped(Exception):
    """A signal was received during the start."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / ".build/cluster")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--nodes", type=int, default=3, choices=range(1, 10))
    parser.add_argument("--without", default="", help="engines that are not started, separated by commas")
    own, options = sys.argv[1:], []
    if "--" in own: own, options = own[:own.index("--")], own[own.index("--") + 1:]
    arguments = parser.parse_args(own)
    without = set(filter(None, arguments.without.split(",")))
    if without - set(ENGINES): parser.error(f"--without: any of {', '.join(ENGINES)}")

    starting, ended = True, []

    def note(number, _):
        ended.append(number)
        if starting and len(ended) == 1: raise Stopped

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, note)
    os.umask(0o022)
    arguments.data.mkdir(parents=True, exist_ok=True)
    lock = open(arguments.data / "lock", "w")
    cluster = None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"another cluster runs with {arguments.data}")
        cluster = Cluster(arguments.program, arguments.data, arguments.nodes, [name for name in ENGINES if name not in without], options, arguments.port)
        cluster.check()
        for each in cluster.all:
            print(f"starting {each.name} at port {each.port}", flush=True)
            each.start()
        starting = False
        describe(cluster)
        watch(cluster, ended)
    except Stopped:
        pass
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        starting = False
        if cluster:
            print("\nstopping", flush=True)
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
