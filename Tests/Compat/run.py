#!/usr/bin/env python3
"""Starts a server without keys of other services, and runs clients of these services against it, one program each: CLIENT URL.

usage: run.py PROGRAM [CLIENT]…      needs: requirements.txt

CLIENT is a file of this folder; all of them by default. Exit status 1 if one of them fails.
"""
import pathlib, re, subprocess, sys, tempfile, threading

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 60
CLIENT_SECONDS = 300
# Client keys; the server refuses others.
KEYS = "tmdb any-key\ntmdb k\nkobis k\nomdb k\nkakao key\nnaver id:secret\n"
ARGUMENTS = {"tmdb.py": ["--key", "any-key"]}


def main():
    program, clients = sys.argv[1], [HERE / name for name in sys.argv[2:]]
    clients = clients or sorted(path for path in HERE.glob("*.py") if path.name != "run.py")
    with tempfile.TemporaryDirectory(prefix="onesheet-compat-") as folder:
        keys = pathlib.Path(folder, "keys")
        keys.write_text(KEYS)
        server = subprocess.Popen(
            [program, "serve", "--port", "0", "--data-dir", f"{folder}/data", "--language", "en", "--log-level", "error",
             "--compat-keys-file", keys], stdout=subprocess.PIPE, text=True)
        # Kills a program that hangs before it listens, which ends the wait for its line.
        guard = threading.Timer(START_SECONDS, server.kill)
        guard.start()
        try:
            place = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
            guard.cancel()
            if not place: sys.exit(f"{program} did not start")
            failed = []
            for client in clients:
                print(f"== {client.name}", flush=True)
                arguments = [str(client), place.group()] + ARGUMENTS.get(client.name, [])
                run = subprocess.run([sys.executable, "-B"] + arguments, timeout=CLIENT_SECONDS)
                if run.returncode: failed.append(client.name)
        finally:
            guard.cancel()
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__": main()
