"""The engines that nodes share, each a process on loopback with its own folder."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time

from child import end_with_parent

ROOT = pathlib.Path(__file__).resolve().parents[2]
OBJECT_STORES = ROOT / ".build/object-stores/bin"
START_SECONDS, STOP_SECONDS = 120, 40
BUCKET, ACCESS_KEY = "posters", "ONESHEETCLUSTER"
# The user of PostgreSQL's programs, which refuse to run as root.
POSTGRES_USER = "postgres"


class Failure(Exception):
    """An error that prevents a cluster from running, as text for people."""


def find(name, *places):
    """A program's path; None if it is not installed."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *map(str, places)])
    return shutil.which(name, path=path)


def descendants(process):
    """The ids of a process and of its descendants."""
    found = [process]
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        for each in path.read_text().split(): found += descendants(int(each))
    return found


class Engine:
    """A process that can be stopped, killed, paused and restarted at the same port."""

    name = "engine"
    stop_signal = signal.SIGTERM
    user = None

    def __init__(self, folder, port):
        self.folder, self.port = pathlib.Path(folder), port
        self.process = self.log = None

    @property
    def words(self):
        """The command line."""
        raise NotImplementedError

    @property
    def environment(self):
        return {}

    def prepare(self):
        """Creates the files that a start needs."""

    def is_ready(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.prepare()
        self.spawn()
        self.wait_until_ready()

    def spawn(self):
        logs = self.folder.parent / "logs"
        logs.mkdir(exist_ok=True)
        self.log = logs / f"{self.name}.log"
        identity = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        with open(self.log, "ab") as log:
            # A session of its own: signals of the terminal do not reach the engine, which is stopped in order.
            self.process = subprocess.Popen(self.words, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            cwd=self.folder, start_new_session=True, preexec_fn=end_with_parent, **identity)

    def wait_until_ready(self):
        end = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if self.process.poll() is not None: raise Failure(f"{self.name} has ended with status {self.process.returncode}:\n{self.last_words()}")
            if time.monotonic() > end: raise Failure(f"{self.name} is not ready after {START_SECONDS} s:\n{self.last_words()}")
            time.sleep(0.05)

    def last_words(self, count=10):
        return "".join(self.log.read_text(errors="replace").splitlines(keepends=True)[-count:])

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Stops it as an operator would; kills it after STOP_SECONDS."""
        if not self.is_running: return
        self.resume()
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{self.name} has not ended after {STOP_SECONDS} s and is killed", file=sys.stderr)
            self.kill()

    def signal_all(self, number):
        for each in descendants(self.process.pid):
            try:
                os.kill(each, number)
            except ProcessLookupError:
                pass

    def kill(self):
        self.signal_all(signal.SIGKILL)
        self.process.wait()

    def pause(self):
        self.signal_all(signal.SIGSTOP)

    def resume(self):
        self.signal_all(signal.SIGCONT)

    def empty(self):
        """Removes its data; only while it does not run."""
        shutil.rmtree(self.folder)


class Redis(Engine):
    name = "redis"
    packages = ["redis-server"]

    def __init__(self, folder, port, password):
        super().__init__(folder, port)
        self.password = password

    @staticmethod
    def program():
        return find("redis-server")

    def prepare(self):
        # In a file, because command lines can be read by all users.
        path = self.folder / "redis.conf"
        path.touch(mode=0o600)
        path.write_text(f"bind 127.0.0.1\nport {self.port}\ndir {self.folder}\nappendonly yes\nsave \"\"\nrequirepass {self.password}\n")

    @property
    def words(self):
        return [self.program(), str(self.folder / "redis.conf")]

    def is_ready(self):
        try:
            return "PONG" in self.command("PING")
        except OSError:
            return False

    def command(self, *lines, password=None):
        """The raw replies to inline commands."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall("".join(f"{line}\r\n" for line in [f"AUTH {password or self.password}", *lines, "QUIT"]).encode())
            with connection.makefile("rb") as file: return file.read().decode(errors="replace")


class PostgreSQL(Engine):
    name = "postgresql"
    packages = ["postgresql"]
    # The fast shutdown disconnects clients.
    stop_signal = signal.SIGINT

    def __init__(self, folder, port, password, durable=True):
        super().__init__(folder, port)
        self.password, self.durable = password, durable
        self.user = POSTGRES_USER if os.geteuid() == 0 else None

    @staticmethod
    def program(name="postgres"):
        places = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
        return find(name, *places[-1:])

    @property
    def url(self):
        return self.url_at(self.port)

    def url_at(self, port):
        return f"postgres://onesheet:{self.password}@127.0.0.1:{port}/onesheet"

    def prepare(self):
        if self.user: self.give_folder()
        if (self.folder / "PG_VERSION").exists(): return
        passwords = self.folder.parent / "postgresql-password"
        passwords.touch(mode=0o600)
        passwords.write_text(self.password)
        if self.user: shutil.chown(passwords, self.user)
        options = ["--username=postgres", "--auth=scram-sha-256", f"--pwfile={passwords}", "--encoding=UTF8", "--no-locale"]
        identity = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        made = subprocess.run([self.program("initdb"), f"--pgdata={self.folder}", *options, *([] if self.durable else ["--no-sync"])], cwd=self.folder,
                              capture_output=True, text=True, **identity)
        passwords.unlink()
        if made.returncode: raise Failure(f"initdb failed: {made.stderr}")

    def give_folder(self):
        """Gives the folder to the server's user if this runs as root, and checks that the user can reach it."""
        try:
            pwd.getpwnam(self.user)
        except KeyError:
            raise Failure(f"PostgreSQL refuses to run as root, and there is no user {self.user}")
        closed = [path for path in self.folder.resolve().parents if not path.stat().st_mode & 0o001 and path.owner() != self.user]
        if closed: raise Failure(f"PostgreSQL runs as the user {self.user}, who cannot enter {closed[0]}: choose another data folder (CLUSTER_DATA=/var/tmp/onesheet-cluster)")
        shutil.chown(self.folder, self.user, self.user)
        self.folder.chmod(0o700)

    @property
    def words(self):
        settings = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=", "logging_collector=off"]
        if not self.durable: settings += ["fsync=off", "synchronous_commit=off"]
        return [self.program(), "-D", str(self.folder), *(word for setting in settings for word in ("-c", setting))]

    def is_ready(self):
        return subprocess.run([self.program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0

    def start(self):
        super().start()
        if "1" not in self.sql("SELECT 1 FROM pg_database WHERE datname = 'onesheet'"):
            self.sql(f"CREATE ROLE onesheet LOGIN PASSWORD '{self.password}'", "CREATE DATABASE onesheet OWNER onesheet")

    def sql(self, *statements, database="postgres"):
        """The output of statements of the superuser."""
        words = [find("psql"), "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database]
        done = subprocess.run([*words, *(word for each in statements for word in ("-c", each))], env={**os.environ, "PGPASSWORD": self.password},
                              capture_output=True, text=True)
        if done.returncode: raise Failure(f"psql failed: {done.stderr}")
        return done.stdout


class ObjectStore(Engine):
    """`rclone serve s3`: checks signatures and stores objects as files. It loses their metadata at its end; after a restart, nodes replace the objects that they need."""

    name = "s3"

    def __init__(self, folder, port, password):
        super().__init__(folder, port)
        self.password = password

    @staticmethod
    def program():
        return os.environ.get("ONESHEET_RCLONE") or find("rclone", OBJECT_STORES)

    def prepare(self):
        (self.folder / "data" / BUCKET).mkdir(parents=True, exist_ok=True)

    @property
    def words(self):
        return [self.program(), "serve", "s3", "--config", str(self.folder / "rclone.conf"), "--auth-key", f"{ACCESS_KEY},{self.password}",
                "--addr", f"127.0.0.1:{self.port}", str(self.folder / "data")]


class HAProxy(Engine):
    """deploy/cluster/haproxy.cfg with other addresses."""

    name = "haproxy"
    packages = ["haproxy"]
    CONFIGURATION = ROOT / "deploy/cluster/haproxy.cfg"
    # The nodes in the file.
    SERVERS = "    server one 127.0.0.1:8081\n    server two 127.0.0.1:8082\n"

    def __init__(self, folder, port, ports):
        super().__init__(folder, port)
        self.ports, self.former = list(ports), []

    @staticmethod
    def program():
        return find("haproxy")

    def prepare(self):
        text = self.CONFIGURATION.read_text()
        servers = "".join(f"    server {number} 127.0.0.1:{port}\n" for number, port in enumerate(self.ports, 1))
        # Adds the node of a response to its head.
        for old, new, count in (("    bind :80\n", f"    bind 127.0.0.1:{self.port}\n", 1), (self.SERVERS, servers + "    http-response set-header X-Node %s\n", 2)):
            if text.count(old) != count: raise Failure(f"{self.CONFIGURATION} has no line {old.strip()!r}")
            text = text.replace(old, new)
        (self.folder / "haproxy.cfg").write_text(text)

    @property
    def words(self):
        former = ["-sf", *(str(each.pid) for each in self.former if each.poll() is None)]
        return [self.program(), "-db", "-f", str(self.folder / "haproxy.cfg"), *(former if len(former) > 1 else [])]

    def reload(self, ports):
        """Starts another process with these nodes; the current one completes its responses."""
        self.ports = list(ports)
        self.former.append(self.process)
        self.start()

    def stop(self):
        for each in self.former:
            each.kill()
            each.wait()
        self.former = []
        super().stop()
