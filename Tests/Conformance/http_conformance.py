#!/usr/bin/env python3
"""Compares a running server with its OpenAPI description, by generated requests (schemathesis).

usage: http_conformance.py PROGRAM SCHEMATHESIS OUTPUT [more options of schemathesis]

PROGRAM is onesheet: it is started with an empty data directory, the embedded catalogue, and all optional features,
on a free port of 127.0.0.1. Its origin is a server of this script, with one picture under every name that ends in .jpg. SCHEMATHESIS is the command. OUTPUT is a folder for the summary, the requests (HAR) and the server's log.
Exit status 0 if no check failed, the server logged no error, and it stopped after SIGTERM.
"""
import http.server, os, subprocess, sys, tempfile, threading

from server import TOKEN, NotStarted, Server

HERE = os.path.dirname(os.path.abspath(__file__))
PICTURE = os.path.join(HERE, "../../Sources/Movies/EmbeddedCatalogue/Resources/originals/nosferatu-1922.jpg")
RUN_SECONDS = 1800


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


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, schemathesis, output = (os.path.abspath(path) for path in sys.argv[1:4])
    os.makedirs(output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="onesheet-conformance-") as folder, \
            open(os.path.join(output, "server.txt"), "w+") as errors, \
            open(os.path.join(output, "summary.txt"), "w+") as summary:
        origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        origin_url = f"http://127.0.0.1:{origin.server_port}"
        server = Server(program, errors, secrets=("admin-token-file", "sign-key-file"), origin=f"films={origin_url}/{{key}}", tmdb_images=f"{origin_url}/{{key}}",
                        allow_url=origin_url, allow_private_origin="127.0.0.1", client_hints="true")
        try:
            with server:
                outcome = subprocess.run(
                    [schemathesis, "--config-file", os.path.join(HERE, "schemathesis.toml"), "run",
                     f"{server.base}/openapi.json", "--no-color", "--checks", "all",
                     # A purged poster is available again on request: only its copy was deleted.
                     "--exclude-checks", "use_after_free", "--report", "har",
                     "--report-har-path", os.path.join(output, "requests.har"), *sys.argv[4:]],
                    env={**os.environ, "ONESHEET_TOKEN": TOKEN, "ONESHEET_ORIGIN_URL": origin_url, "PYTHONPATH": HERE}, cwd=folder,
                    stdout=summary, stderr=subprocess.STDOUT, timeout=RUN_SECONDS)
        except NotStarted as error:
            sys.exit(str(error))
        finally:
            origin.shutdown()
        summary.seek(0)
        print(summary.read())
        errors.seek(0)
        complaints = [line for line in errors if " error " in line or " critical " in line]
        print("".join(complaints), end="")
        print(f"the server ended with {server.status}; {len(complaints)} errors in its log")
        sys.exit(outcome.returncode or (0 if server.status == 0 and not complaints else 1))


if __name__ == "__main__":
    main()
