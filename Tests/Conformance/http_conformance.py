#!/usr/bin/env python3
"""Compares a running server with its OpenAPI description, by generated requests (schemathesis).

usage: http_conformance.py PROGRAM SCHEMATHESIS OUTPUT [more options of schemathesis]

PROGRAM is onesheet: it is started with an empty data directory, the embedded catalogue, and all optional features,
on a free port of 127.0.0.1. Its origin is a server of this script, with one picture under every name that ends in .jpg. SCHEMATHESIS is the command. OUTPUT is a folder for the summary, the requests (HAR) and the server's log.
Exit status 0 if no check failed, the server logged no error, and it stopped after SIGTERM.
"""
import http.server, os, re, secrets, signal, subprocess, sys, tempfile, threading

HERE = os.path.dirname(os.path.abspath(__file__))
PICTURE = os.path.join(HERE, "../../Sources/Movies/EmbeddedCatalogue/Resources/originals/nosferatu-1922.jpg")
STOP_SECONDS, RUN_SECONDS = 40, 1800


class Origin(http.server.BaseHTTPRequestHandler):
    with open(PICTURE, "rb") as file:
        picture = file.read()

    def do_GET(self):
        is_there = self.path.endswith(".jpg")
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Length", str(len(self.picture) if is_there else 0))
        self.end_headers()
        if is_there:
            self.wfile.write(self.picture)

    def log_message(self, *_):
        pass


def serve(program, data, secret, origin, errors):
    """The process and its URL. Options are set in the environment, where a program ignores unknown ones."""
    files = {}
    for name in ("admin-token-file", "sign-key-file"):
        files[name] = os.path.join(data, name)
        with open(os.open(files[name], os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(secret)
    options = {
        "port": "0", "data-dir": os.path.join(data, "data"), "origin": f"films={origin}/{{key}}",
        "tmdb-images": f"{origin}/{{key}}", "allow-url": origin, "allow-private-origin": "127.0.0.1",
        "client-hints": "true", **files,
    }
    names = {"ONESHEET_" + name.upper().replace("-", "_"): value for name, value in options.items()}
    server = subprocess.Popen(
        [program, "serve"], env={**os.environ, **names}, stdout=subprocess.PIPE, stderr=errors, text=True)
    line = server.stdout.readline()
    place = re.search(r"http://127\.0\.0\.1:\d+", line)
    if not place:
        server.kill()
        sys.exit(f"the server did not start: {line.strip() or 'see its log'}")
    return server, place.group()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, schemathesis, output = (os.path.abspath(path) for path in sys.argv[1:4])
    os.makedirs(output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="onesheet-conformance-") as data, \
            open(os.path.join(output, "server.txt"), "w+") as errors, \
            open(os.path.join(output, "summary.txt"), "w+") as summary:
        secret = secrets.token_hex(16)
        origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        origin_url = f"http://127.0.0.1:{origin.server_port}"
        server, place = serve(program, data, secret, origin_url, errors)
        try:
            outcome = subprocess.run(
                [schemathesis, "--config-file", os.path.join(HERE, "schemathesis.toml"), "run",
                 f"{place}/openapi.json", "--no-color", "--checks", "all",
                 # A purged poster is available again on request: only its copy was deleted.
                 "--exclude-checks", "use_after_free", "--report", "har",
                 "--report-har-path", os.path.join(output, "requests.har"), *sys.argv[4:]],
                env={**os.environ, "ONESHEET_TOKEN": secret, "ONESHEET_ORIGIN_URL": origin_url, "PYTHONPATH": HERE}, cwd=data,
                stdout=summary, stderr=subprocess.STDOUT, timeout=RUN_SECONDS)
        finally:
            origin.shutdown()
            server.send_signal(signal.SIGTERM)
            try:
                status = server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                status = "a kill, because it did not stop"
        summary.seek(0)
        print(summary.read())
        errors.seek(0)
        complaints = [line for line in errors if " error " in line or " critical " in line]
        print("".join(complaints), end="")
        print(f"the server ended with {status}; {len(complaints)} errors in its log")
        sys.exit(outcome.returncode or (0 if status == 0 and not complaints else 1))


if __name__ == "__main__":
    main()
