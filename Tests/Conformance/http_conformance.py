#!/usr/bin/env python3
"""Compares a running server with the description it gives of itself, by asking it all kinds of things (schemathesis).

usage: http_conformance.py PROGRAM SCHEMATHESIS OUTPUT [more options of schemathesis]

PROGRAM is onesheet: it is started with an empty data directory, the embedded catalogue and an admin token, on a free port of
127.0.0.1. SCHEMATHESIS is the command. OUTPUT is a folder for the summary, what was asked (HAR) and what the server said.
The status is 0 when nothing failed, the server complained of nothing, and it stopped when asked to.
"""
import os, re, secrets, signal, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
START_SECONDS, STOP_SECONDS, RUN_SECONDS = 60, 40, 1800


def serve(program, data, token, errors):
    """The process, and where it serves."""
    server = subprocess.Popen(
        [program, "serve", "--port", "0", "--data-dir", data, "--admin-token-file", token],
        stdout=subprocess.PIPE, stderr=errors, text=True)
    line = server.stdout.readline()
    place = re.search(r"http://127\.0\.0\.1:\d+", line)
    if not place:
        server.kill()
        sys.exit(f"the server did not start: {line.strip() or 'see its errors'}")
    return server, place.group()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, schemathesis, output = (os.path.abspath(path) for path in sys.argv[1:4])
    os.makedirs(output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="onesheet-conformance-") as data, \
            open(os.path.join(output, "server.txt"), "w+") as errors, \
            open(os.path.join(output, "summary.txt"), "w+") as summary:
        token = os.path.join(data, "token")
        secret = secrets.token_hex(16)
        with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(secret)
        server, place = serve(program, os.path.join(data, "data"), token, errors)
        try:
            outcome = subprocess.run(
                [schemathesis, "--config-file", os.path.join(HERE, "schemathesis.toml"), "run",
                 f"{place}/openapi.json", "--no-color", "--checks", "all", "--report", "har",
                 "--report-har-path", os.path.join(output, "requests.har"), *sys.argv[4:]],
                env={**os.environ, "ONESHEET_TOKEN": secret, "PYTHONPATH": HERE}, cwd=data,
                stdout=summary, stderr=subprocess.STDOUT, timeout=RUN_SECONDS)
        finally:
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
