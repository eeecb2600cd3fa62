#!/usr/bin/env python3
"""A TCP relay that can be cut, paused and delayed, or answer by itself, in its own process, so that relaying does not wait for its clients.

    python3 Tests/Cluster/relay.py ADDRESS:PORT

Prints its port, then reads a command a line and confirms it: `pass`, `cut` (connections end, new ones too), `hang` (reads nothing), `delay SECONDS` each way,
`http STATUS [Location]` (its own response to every request), `text WORDS` (its answer to any input), `count` (connections so far).
"""
import asyncio
import collections
import sys

from child import Child

CHUNK = 65536


class Relayed:
    """A client's connection and the connection to the target."""

    def __init__(self, relay, reader, writer):
        self.relay, self.reader, self.writer = relay, reader, writer
        self.writers = [writer]

    def end(self):
        for writer in self.writers: writer.transport.abort()

    async def run(self):
        if self.relay.mode == "http": return await self.answer()
        if self.relay.mode == "text": return await self.say()
        await self.relay.open.wait()
        reader, writer = await asyncio.open_connection(*self.relay.target)
        self.writers.append(writer)
        ways = [asyncio.create_task(self.copy(self.reader, writer)), asyncio.create_task(self.copy(reader, self.writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways: way.cancel()

    async def copy(self, reader, writer):
        """Copies with the delay, which does not limit the throughput."""
        waiting, loop = collections.deque(), asyncio.get_running_loop()

        async def forward():
            while True:
                while not waiting: await arrived.wait(); arrived.clear()
                due, data = waiting.popleft()
                await asyncio.sleep(max(0, due - loop.time()))
                await self.relay.open.wait()
                writer.write(data)
                await writer.drain()
        arrived = asyncio.Event()
        later = None
        try:
            while data := await reader.read(CHUNK):
                await self.relay.open.wait()
                if self.relay.delay or waiting or later:
                    waiting.append((loop.time() + self.relay.delay, data))
                    arrived.set()
                    later = later or asyncio.create_task(forward())
                else:
                    writer.write(data)
                    await writer.drain()
        finally:
            if later: later.cancel()

    async def answer(self):
        status, *place = self.relay.words
        while True:
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = head.partition("content-length:")[2].split("\r\n")[0].strip()
            if "expect: 100-continue" in head: self.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            await self.reader.readexactly(int(length or 0))
            location = f"Location: {place[0]}\r\n" if place else ""
            self.writer.write(f"HTTP/1.1 {status} -\r\n{location}Content-Length: 0\r\n\r\n".encode())
            await self.writer.drain()

    async def say(self):
        while await self.reader.read(CHUNK):
            self.writer.write((" ".join(self.relay.words) + "\r\n").encode())
            await self.writer.drain()


class Server:
    def __init__(self, target):
        address, _, port = target.rpartition(":")
        self.target = address, int(port)
        self.mode, self.words, self.delay, self.count = "pass", [], 0.0, 0
        self.open = asyncio.Event()
        self.open.set()
        self.connections = set()

    async def accept(self, reader, writer):
        self.count += 1
        if self.mode == "cut": return writer.transport.abort()
        each = Relayed(self, reader, writer)
        self.connections.add(each)
        try:
            await each.run()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            each.end()
            self.connections.discard(each)

    def command(self, word, *words):
        if word == "count": return self.count
        self.delay = float(words[0]) if word == "delay" else 0.0
        has_own_answers = self.mode in ("http", "text")
        self.mode, self.words = word, words
        # Paused connections resume only in another mode than `hang`.
        self.open.clear() if word == "hang" else self.open.set()
        if word in ("cut", "http", "text") or has_own_answers:
            for each in list(self.connections): each.end()
        return "ok"


async def main(target):
    server, loop = Server(target), asyncio.get_running_loop()
    listener = await asyncio.start_server(server.accept, "127.0.0.1", 0, backlog=1024)
    print(listener.sockets[0].getsockname()[1], flush=True)
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        print(server.command(*line.decode().split()), flush=True)


class Relay(Child):
    """The process."""

    def __init__(self, port):
        super().__init__(__file__, f"127.0.0.1:{port}")

    def tell(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    @property
    def count(self):
        return int(self.tell("count"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
