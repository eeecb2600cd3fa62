"""A node of a cluster."""
import http.client
import json
import os
import re
import subprocess
import sys

from engines import BUCKET, ROOT, Engine

sys.path.insert(0, str(ROOT / "Benchmarks"))
from program import sums


class Sharing:
    """The engines that nodes share: their addresses for options of nodes, possibly those of relays."""

    def __init__(self, s3=None, keys=None, redis=None, library=None):
        self.s3, self.keys, self.redis, self.library = s3, keys, redis, library


class Program:
    """The program under test, and its features."""

    def __init__(self, path):
        # Processes run in folders of their own.
        self.path = os.path.abspath(path)
        self.help = subprocess.run([self.path, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        self.commands = subprocess.run([self.path, "--help"], capture_output=True, text=True, check=True).stdout

    def has(self, option):
        return re.search(re.escape(option) + r"[ /,\n]", self.help) is not None

    def has_command(self, name):
        return re.search(rf"^  {name} ", self.commands, re.MULTILINE) is not None


class Node(Engine):
    """`onesheet serve`, with its data and its log in its folder."""

    def __init__(self, number, folder, port, program, secrets, sharing, options):
        super().__init__(folder, port)
        self.number, self.name = number, f"node-{number}"
        self.program, self.secrets, self.sharing, self.options = program, secrets, sharing, list(options)

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def words(self):
        """The command line, without options that this program does not have."""
        options = ["--port", str(self.port), "--data-dir", str(self.folder), "--trusted-proxy", "127.0.0.1",
                   "--admin-token-file", str(self.secrets / "token"), "--secret-key-file", str(self.secrets / "secret.key")]
        if self.program.has("--badge-text"): options.append("--badge-text")
        if self.sharing.s3:
            options += ["--originals", f"s3://{BUCKET}/originals", "--originals-endpoint", self.sharing.s3, "--originals-credentials", str(self.sharing.keys)]
        return [self.program.path, "serve", *options, *self.options]

    @property
    def environment(self):
        """Options with passwords, which the command line would reveal."""
        settings = {"ONESHEET_REDIS": ("--redis", self.sharing.redis), "ONESHEET_LIBRARY": ("--library", self.sharing.library)}
        return {name: value for name, (option, value) in settings.items() if value and self.program.has(option)}

    def is_ready(self):
        try:
            return self.get("/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def get(self, target, method="GET", body=None, fields=None, timeout=30):
        """Status, header fields in lower case and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, target, body, fields or {})
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()

    def purge(self, poster):
        return self.get(f"/poster/{poster}", "DELETE", fields=self.authorization)[0]

    @property
    def authorization(self):
        return {"Authorization": "Bearer " + (self.secrets / "token").read_text().strip()}

    @property
    def readiness(self):
        return json.loads(self.get("/readyz")[2])

    def metrics(self):
        """The sums of all samples of each metric."""
        return sums(self.get("/metrics")[2].decode())
