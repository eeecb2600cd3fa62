"""Services of documents beside a server: PostgreSQL and Redis with TLS, an S3 server, and sources of films. Each starts when the first document needs it."""
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Cluster"))

import engines
import sources
from child import free_port


def certificate(folder):
    """Creates key.pem and fullchain.pem, a self-signed certificate of this machine."""
    key, chain = folder / "key.pem", folder / "fullchain.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key, "-out", chain,
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)


class Redis(engines.Redis):
    def prepare(self):
        super().prepare()
        self.secure = free_port()
        with open(self.folder / "redis.conf", "a") as file:
            file.write(f"tls-port {self.secure}\ntls-cert-file {self.folder.parent}/fullchain.pem\ntls-key-file {self.folder.parent}/key.pem\ntls-auth-clients no\n"
                       f"user onesheet on >{self.password} ~* &* +@all\n")


class PostgreSQL(engines.PostgreSQL):
    def prepare(self):
        super().prepare()
        for name in ("key.pem", "fullchain.pem"):
            place = self.folder / name
            shutil.copy(self.folder.parent / name, place)
            place.chmod(0o600)
            if self.user:
                shutil.chown(place, self.user)

    @property
    def words(self):
        return [*super().words, "-c", "ssl=on", "-c", f"ssl_cert_file={self.folder}/fullchain.pem", "-c", f"ssl_key_file={self.folder}/key.pem"]


class Services:
    # Filters of jq for /readyz: whether a server uses the service.
    USED = {"sources": '[.sources[] | select(.isOn) | .name] | contains(["tmdb", "kobis"])', "postgresql": '.library | .isWritable and .server.breaker == "closed" and .server.fault == null',
            "redis": ".redis.isConnected", "s3": '.objectStore | .name and .breaker == "closed"'}

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-docs-"))
        # PostgreSQL's user has to enter it.
        self.folder.chmod(0o755)
        self.lock, self.running = threading.Lock(), {}
        certificate(self.folder)
        self.upstream = sources.start()
        self.sources = f"tmdb={self.upstream}/3,kobis={self.upstream}/kobis"

    def file(self, name, text):
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text)
        return str(path)

    def engine(self, name):
        with self.lock:
            if name not in self.running:
                password, port = secrets.token_hex(16), free_port()
                make = {"postgresql": lambda: PostgreSQL(self.folder / name, port, password, durable=False), "redis": lambda: Redis(self.folder / name, port, password),
                        "s3": lambda: engines.ObjectStore(self.folder / name, port, password)}[name]
                self.running[name] = make()
                self.running[name].start()
            return self.running[name]

    def places(self, name):
        """Texts in documents, and their replacements here."""
        if name == "sources":
            return [("_KEY=…", "_KEY=" + "0123456789abcdef" * 2)]
        engine = self.engine(name)
        chain = self.folder / "fullchain.pem"
        if name == "postgresql":
            user = f"postgres://onesheet:{engine.password}@localhost:{engine.port}/onesheet?sslmode=verify-full&sslrootcert={chain}"
            return [("postgres://onesheet@db/onesheet?sslmode=verify-full", user), ("postgres://onesheet@db/onesheet", user),
                    ("/etc/onesheet/secret.key", self.file("secret.key", secrets.token_hex(32)))]
        if name == "redis":
            return [("rediss://onesheet@redis.example.org:6379/0", f"rediss://onesheet@localhost:{engine.secure}/0 --redis-ca-file {chain}"),
                    ("/etc/onesheet/redis", self.file("redis-password", engine.password))]
        keys = f"[default]\naws_access_key_id = {engines.ACCESS_KEY}\naws_secret_access_key = {engine.password}\n"
        return [("https://s3.example.org", f"http://127.0.0.1:{engine.port}"), ("/etc/onesheet/s3", self.file("s3-keys", keys))]

    def stop(self):
        for each in self.running.values():
            each.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
