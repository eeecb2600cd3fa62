"""The fenced commands of documents, executed in order against a fresh server for each document.

Fences, by the word after ```: without a word, commands after `$ ` with their expected output, or JSON that is only parsed; `sh`, commands that must have
status 0; js, html, swift and others are for pages.py and files.py. A comment before a fence adds a property:
    <!-- not run: REASON -->    cannot be executed here
    <!-- file: NAME -->         the content of a file for later commands
    <!-- with: SERVICE -->      needs a service: sources (of films, with keys), postgresql, redis, s3
    <!-- serve: OPTIONS -->     anywhere: options of the document's server, with files in its folder
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse

from shown import Comparison, Unlike, read_all

BASE, SECURE, PUBLIC, ORIGIN = "http://127.0.0.1:8080", "https://127.0.0.1:8443", "https://posters.example.org", "https://images.example.org"
SECONDS = 60
# Folders of the system, replaced by folders of the document; the first one is the data directory.
PLACES = ("/var/lib/onesheet", "/var/backups", "/root", "/run/onesheet")
SERVE = re.compile(r"^(?:[A-Z_]+=\S* )*onesheet serve\b")


class Fence:
    def __init__(self, document, line, word, lines, reason=None, file=None, service=None):
        self.document, self.line, self.word, self.lines = document, line, word, lines
        self.reason, self.file, self.service = reason, file, service

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def place(self):
        return f"{self.document}:{self.line}"


def fences(path, name):
    """The fences of a document, without their indentation."""
    found, lines, number, comment = [], path.read_text().split("\n"), 0, ""
    while number < len(lines):
        match = re.match(r"^( *)```(\w*)\s*$", lines[number])
        if match:
            indent, start = len(match[1]), number + 1
            number = start
            while lines[number].strip() != "```":
                number += 1
            given = re.match(r"<!-- (not run|file|with): (.+) -->", comment)
            more = {{"not run": "reason", "file": "file", "with": "service"}[given[1]]: given[2]} if given else {}
            found.append(Fence(name, start, match[2], [line[indent:] for line in lines[start:number]], **more))
            comment = ""
        elif lines[number].strip():
            comment = lines[number].strip()
        number += 1
    return found


def steps(fence):
    """Commands with their expected output, which is None for `sh`."""
    found, ends = [], None
    for line in fence.lines:
        is_shown = fence.word != "sh"
        continues = found and (ends is not None or found[-1][0].endswith("\\"))
        if continues:
            found[-1][0] += "\n" + line
        elif is_shown and line.startswith("$ "):
            found.append([line[2:], ""])
        elif is_shown and found:
            found[-1][1] += line + "\n"
            continue
        elif line.strip() and not line.startswith("#"):
            found.append([line, None])
        else:
            continue
        if ends is not None and line == ends:
            ends = None
        elif ends is None and (match := re.search(r"<<'?(\w+)'?", line)):
            ends = match[1]
    return found


class Shell:
    """The bash of a document, in its own folder, with `onesheet` in its path."""

    def __init__(self, program, origin, services=None):
        self.services = services
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-docs-"))
        (self.folder / "bin").mkdir()
        # Not a link: the program looks for its resources beside itself.
        wrapper = self.folder / "bin/onesheet"
        wrapper.write_text(f"#!/bin/sh\nexec '{os.path.abspath(program)}' \"$@\"\n")
        wrapper.chmod(0o755)
        self.work = self.folder / "work"
        self.work.mkdir()
        # Replaces `runuser -u onesheet -- COMMAND`: runs the command as the current user.
        (self.folder / "bin/runuser").write_text('#!/bin/sh\nshift 3\nexec "$@"\n')
        (self.folder / "bin/runuser").chmod(0o755)
        self.data = self.folder / "data/onesheet"
        for shown in PLACES[1:]:
            (self.folder / shown.strip("/")).mkdir(parents=True, exist_ok=True)
        if services:
            for name in ("key.pem", "fullchain.pem"):
                shutil.copy(services.folder / name, self.work / name)
        self.ports, self.origin, self.server, self.beside = {}, origin, None, None
        for name in ("ONESHEET_PORT", "ONESHEET_TLS_PORT"):
            self.ports[name] = str(free_port())
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ONESHEET_")}
        environment |= self.ports | {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}:/usr/sbin", "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"),
            "ONESHEET_ALLOW_PRIVATE_ORIGINS": "yes", "LC_ALL": "C.UTF-8", "ONESHEET_LANGUAGE": "en"}
        if services:
            environment["ONESHEET_SOURCE_URL"] = services.sources
        self.environment = environment
        reading, writing = os.pipe()
        self.status = os.fdopen(reading)
        self.bash = subprocess.Popen(["bash"], cwd=self.work, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=open(self.folder / "bash", "wb"), env=environment,
                                     text=True, pass_fds=[writing], start_new_session=True)
        os.close(writing)
        self.writing = writing

    def real(self, text):
        base = f"http://127.0.0.1:{self.ports['ONESHEET_PORT']}"
        text = text.replace(urllib.parse.quote(ORIGIN, safe=""), urllib.parse.quote(self.origin, safe=""))
        for shown, real in ((BASE, base), (SECURE, f"https://127.0.0.1:{self.ports['ONESHEET_TLS_PORT']}"), (PUBLIC, base), (ORIGIN, self.origin)):
            text = text.replace(shown, real)
        for shown in PLACES:
            text = re.sub(rf"(?<![\w/]){shown}(?=[/ \n']|$)", str(self.data if shown == PLACES[0] else self.folder / shown.strip("/")), text)
        return text

    def with_service(self, name, command):
        """A command with the service of the tests. With sources, commands other than `serve` use a second server, which has their keys."""
        for shown, real in self.services.places(name):
            command = command.replace(shown, real)
        if name == "sources" and not SERVE.match(command):
            command = f"(B={self.second()}; {command}\n)"
        return command

    def second(self):
        if not self.beside:
            port, log = free_port(), self.folder / "second.out"
            keys = {f"ONESHEET_{name}_KEY": "0123456789abcdef" * 2 for name in ("TMDB", "KOBIS")}
            self.ports["second"] = str(port)
            with open(log, "wb") as output:
                self.beside = subprocess.Popen([self.folder / "bin/onesheet", "serve", "--data-dir", self.folder / "second"], cwd=self.work, stdout=output, stderr=output,
                                               env=self.environment | keys | {"ONESHEET_PORT": str(port)}, start_new_session=True)
            end = time.monotonic() + SECONDS
            while "OneSheet" not in log.read_text():
                if time.monotonic() > end or self.beside.poll() is not None:
                    raise Unlike(f"the server with keys does not start: {log.read_text()}")
                time.sleep(0.02)
        return f"http://127.0.0.1:{self.ports['second']}"

    def uses(self, name):
        """Waits until the server reports that it uses the service."""
        command = f"curl -sf {self.real(BASE)}/readyz | tee '{self.folder}/ready' | jq -e '{self.services.USED[name]}'"
        end = time.monotonic() + SECONDS
        while self.send(command)[2] != 0:
            if time.monotonic() > end:
                raise Unlike(f"{name} is not used: {(self.folder / 'ready').read_text()}")
            time.sleep(0.1)

    def shown(self, text):
        if self.beside:
            text = text.replace(f":{self.ports['second']}", ":8080")
        return text.replace(f":{self.ports['ONESHEET_PORT']}", ":8080").replace(f":{self.ports['ONESHEET_TLS_PORT']}", ":8443")

    def send(self, text):
        """Output, errors and status, which is None after a timeout or the end of bash."""
        out, errors = self.folder / "out", self.folder / "err"
        self.bash.stdin.write(f"{{\n{text}\n}} >'{out}' 2>'{errors}' </dev/null\necho $? >&{self.writing}\n")
        self.bash.stdin.flush()
        guard = threading.Timer(SECONDS, self.end)
        guard.start()
        line = self.status.readline()
        guard.cancel()
        read = lambda path: path.read_bytes().decode(errors="replace") if path.exists() else ""
        return read(out), read(errors) + (read(self.folder / "bash") if not line else ""), int(line) if line else None

    def serve(self, command):
        """Starts a server instead of the document's."""
        self.stop()
        out, errors = self.folder / "serve.out", self.folder / "serve.err"
        out.write_text("")
        # Removes the comment at the end.
        command = re.sub(r"\s+#\s.*$", "", command)
        self.send(f"{command} >'{out}' 2>'{errors}' {self.writing}>&- &\necho $!")
        self.server = (self.folder / "out").read_text().strip()
        end = time.monotonic() + SECONDS
        while "OneSheet" not in out.read_text():
            if time.monotonic() > end or not os.path.exists(f"/proc/{self.server}"):
                raise Unlike(f"the server does not start: {errors.read_text()}")
            time.sleep(0.02)

    def stop(self):
        if self.server:
            self.send(f"kill {self.server}\nwait {self.server} || true")
            self.server = None

    def end(self):
        try:
            os.killpg(self.bash.pid, 9)
        except ProcessLookupError:
            pass

    def close(self):
        if self.beside:
            self.beside.terminate()
            self.beside.wait(SECONDS)
        if self.bash.poll() is None:
            self.stop()
        self.end()
        self.bash.wait()
        try:
            self.bash.stdin.close()
        except BrokenPipeError:
            pass
        self.status.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    import socket
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def execute(program, origin, root, name, check, services):
    """Executes all commands of a document."""
    path = root / name
    options = re.search(r"<!-- serve: (.+) -->", path.read_text())
    shell, comparison, has_server = Shell(program, origin, services), Comparison(), False
    try:
        for fence in fences(path, name):
            if fence.reason:
                continue
            if fence.file:
                place = shell.work / fence.file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(shell.real(fence.text))
                continue
            if fence.word not in ("", "sh", "json"):
                continue
            try:
                if fence.word == "json" or not fence.word and not fence.text.startswith("$ "):
                    read_all(fence.text)
                    check(fence.place, True)
                    continue
                for command, output in steps(fence):
                    command = shell.real(comparison.filled(command))
                    if fence.service:
                        command = shell.with_service(fence.service, command)
                    if SERVE.match(command):
                        shell.serve(command)
                        has_server = True
                        if fence.service:
                            shell.uses(fence.service)
                        continue
                    if not has_server:
                        shell.serve(shell.real(f"onesheet serve {options[1] if options else ''}"))
                        has_server = True
                    out, errors, status = shell.send(command)
                    if status != 0:
                        raise Unlike(f"{command!r} ended with {status}: {errors.strip()[-600:]}")
                    if output:
                        comparison.output(output, shell.shown(out))
                if fence.service and any(SERVE.match(command) for command, _ in steps(fence)):
                    # Later commands need a server without the service.
                    shell.stop()
                    has_server = False
                check(fence.place, True)
            except Unlike as reason:
                check(fence.place, False, str(reason))
                if shell.bash.poll() is not None:
                    return
    finally:
        shell.close()
