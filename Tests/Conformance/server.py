"""The program under test, with an empty data directory, on free ports of this machine."""
import os
import re
import select
import signal
import subprocess
import tempfile

# Of the administrator, of a server that only this machine reaches.
TOKEN = "conformance-of-this-machine-only"
START_SECONDS, STOP_SECONDS = 30, 40


class NotStarted(Exception):
    """The reason."""


class Server:
    """`onesheet serve`. Options are set in the environment, where a program ignores unknown ones."""

    def __init__(self, program, log, tls=False, secrets=("admin-token-file",), **options):
        self.program, self.log, self.has_tls, self.secrets = program, log, tls, secrets
        self.options = {"port": "0", **{name.replace("_", "-"): value for name, value in options.items()}}
        self.status = self.port = self.tls_port = None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="onesheet-conformance-")
        place = self.folder.name
        options = {"data-dir": os.path.join(place, "data"), **self.options}
        for name in self.secrets:
            options[name] = os.path.join(place, name)
            with open(os.open(options[name], os.O_WRONLY | os.O_CREAT, 0o600), "w") as file: file.write(TOKEN)
        if self.has_tls: options.update(self.certificate(place), **{"tls-port": "0"})
        names = {"ONESHEET_" + name.upper().replace("-", "_"): value for name, value in options.items()}
        self.process = subprocess.Popen([self.program, "serve"], env={**os.environ, **names}, stdout=subprocess.PIPE, stderr=self.log, text=True)
        try:
            self.read_ports()
        except NotStarted:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    @staticmethod
    def certificate(folder):
        """The options of a certificate that signs itself."""
        paths = {"tls-key": os.path.join(folder, "key.pem"), "tls-cert": os.path.join(folder, "certificate.pem")}
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", paths["tls-key"], "-out", paths["tls-cert"]], check=True, capture_output=True)
        return paths

    def read_ports(self):
        """Reads the ports from the line that the program prints as soon as it serves."""
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], START_SECONDS)[0] else ""
        ports = dict(re.findall(r"\b(https?)://127\.0\.0\.1:(\d+)", line))
        if "http" not in ports or self.has_tls and "https" not in ports: raise NotStarted(f"the server did not start: {line.strip() or 'see its log'}")
        self.port, self.tls_port = int(ports["http"]), int(ports.get("https", 0))

    def stop(self):
        """Stops the process; `status` is 0 if it ended by itself after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.status = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.status = "a kill, because it did not stop"
        self.process.stdout.close()
        self.folder.cleanup()
