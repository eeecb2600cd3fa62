"""Child processes that end with their parent."""
import contextlib
import ctypes
import http.client
import os
import random
import signal
import socket
import subprocess
import sys

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def end_with_parent(number=signal.SIGKILL):
    """For `preexec_fn`: the signal to the process at the end of the thread that started it, for any reason."""
    LIBC.prctl(PR_SET_PDEATHSIG, number)


def free_port(address="127.0.0.1"):
    """A free port below those of outgoing connections, so that no connection of the run takes it before the program does."""
    for port in random.sample(range(12_000, 32_000), 1000):
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind((address, port))
            return port
    raise OSError("no port is free")


class Child:
    """A Python file that prints its port, in a process of its own."""

    address = "127.0.0.1"

    def __init__(self, file, *words):
        self.process = subprocess.Popen([sys.executable, "-B", os.path.abspath(file), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        start_new_session=True, preexec_fn=end_with_parent)
        line = self.process.stdout.readline()
        if not line: raise RuntimeError(f"{file} has not started")
        self.port = int(line)

    def get(self, target):
        connection = http.client.HTTPConnection(self.address, self.port, timeout=30)
        try:
            connection.request("GET", target)
            return connection.getresponse().read()
        finally:
            connection.close()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
