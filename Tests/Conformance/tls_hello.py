"""A ClientHello of TLS (RFC 5246, 7.4.1.2; RFC 8446, 4.1.2), valid or not, and the server's first reaction."""
import contextlib
import os
import socket
import struct

ALERT, HANDSHAKE, HEARTBEAT, SERVER_HELLO, TLS12 = 21, 22, 24, 2, 0x0303
# Names of alerts (RFC 8446, 6) that checks expect.
ALERTS = {10: "unexpected_message", 40: "handshake_failure", 47: "illegal_parameter", 50: "decode_error", 70: "protocol_version", 86: "inappropriate_fallback",
          120: "no_application_protocol"}
PATIENCE = 45


def extension(number, payload):
    return struct.pack(">HH", number, len(payload)) + payload


def listed(numbers, size=2):
    """Numbers of 16 bits, after the length of their list."""
    raw = b"".join(struct.pack(">H", number) for number in numbers)
    return len(raw).to_bytes(size, "big") + raw


GROUPS, POINTS = extension(10, listed([29, 23, 24])), extension(11, b"\x01\x00")
SIGNATURES = extension(13, listed([0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0201, 0x0203]))


def hello(ciphers, version=TLS12, compressions=b"\x00", extensions=b"", record_version=0x0301):
    """A ClientHello in a record."""
    fields = GROUPS + POINTS + SIGNATURES + extensions
    body = struct.pack(">H", version) + os.urandom(32) + b"\x00" + listed(ciphers) + bytes([len(compressions)]) + compressions + struct.pack(">H", len(fields)) + fields
    message = b"\x01" + len(body).to_bytes(3, "big") + body
    return record(HANDSHAKE, message, record_version)


def record(kind, payload, version=0x0303):
    return struct.pack(">BHH", kind, version, len(payload)) + payload


class Reaction:
    """The server's records until it sends an alert, waits, or closes the connection."""

    def __init__(self, port, *sent):
        self.records, self.is_closed = [], False
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection, contextlib.suppress(OSError):
            for raw in sent:
                connection.sendall(raw)
                self.read(connection)
                if self.is_closed: break

    def read(self, connection):
        """Reads records until the server is silent for a moment."""
        buffer = b""
        connection.settimeout(PATIENCE)
        while True:
            try:
                more = connection.recv(65_536)
            except TimeoutError:
                return
            if not more:
                self.is_closed = True
                return
            buffer += more
            while len(buffer) >= 5 and len(buffer) >= 5 + (length := struct.unpack(">H", buffer[3:5])[0]):
                self.records.append((buffer[0], buffer[5:5 + length]))
                buffer = buffer[5 + length:]
            connection.settimeout(0.3)

    @property
    def alert(self):
        return next((ALERTS.get(payload[1], str(payload[1])) for kind, payload in self.records if kind == ALERT and len(payload) > 1), None)

    @property
    def server_hello(self):
        """The version, the cipher suite, the compression method and the numbers of the extensions; `None` without a ServerHello."""
        for kind, payload in self.records:
            if kind != HANDSHAKE or payload[0] != SERVER_HELLO: continue
            at = 39 + payload[38]
            version, (cipher, compression) = struct.unpack(">H", payload[4:6])[0], struct.unpack(">HB", payload[at:at + 3])
            at, end, numbers = at + 5, 4 + int.from_bytes(payload[1:4], "big"), []
            while at < end:
                number, length = struct.unpack(">HH", payload[at:at + 4])
                numbers.append(number)
                at += 4 + length
            return version, cipher, compression, numbers
        return None

    def __str__(self):
        if self.server_hello: return "ServerHello with version {:#06x}, cipher {:#06x}, compression {}, extensions {}".format(*self.server_hello)
        return f"alert {self.alert}" if self.alert else "the end" if self.is_closed else "nothing"
