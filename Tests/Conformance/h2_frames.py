"""Raw frames of HTTP/2 (RFC 9113, 4.1), valid or not, and a connection over TLS that sends them."""
import socket
import ssl
import struct
import time

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
NAMES = ["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION"]
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITISED = 1, 1, 4, 8, 32
# RFC 9113, 7.
CODES = ["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL",
         "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
# Statuses in HPACK's static table (RFC 7541, Appendix A), as indexed fields.
STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MOST_FRAME = 16_384
DEFAULT_WINDOW = 65_535


def frame(kind, flags, stream, payload=b"", length=None):
    """A frame, with a length field that may differ from the payload's length."""
    return struct.pack(">I", len(payload) if length is None else length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value, start=b"\x00"):
    """A literal field without indexing, with a new name and without Huffman coding (RFC 7541, 6.2.2)."""
    return start + text(name) + text(value)


def text(value):
    raw = value.encode("latin-1")
    return integer(len(raw), 7, 0) + raw


def integer(value, bits, start):
    """An integer with a prefix (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most: return bytes([start | value])
    rest, parts = value - most, [start | most]
    while rest >= 128:
        parts.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*parts, rest])


def head(*more, method="GET", path="/healthz", without=(), first=()):
    """The fields of a request, less some pseudo-header fields, with others before and after."""
    pseudo = [(":method", method), (":scheme", "https"), (":path", path), (":authority", "127.0.0.1")]
    return b"".join(field(name, value) for name, value in [*first, *(pair for pair in pseudo if pair[0] not in without), *more])


def headers(stream, block, flags=END_STREAM | END_HEADERS):
    return frame(HEADERS, flags, stream, block)


def continuation(stream, block, flags=END_HEADERS):
    return frame(CONTINUATION, flags, stream, block)


def data(stream, payload, flags=END_STREAM):
    return frame(DATA, flags, stream, payload)


def priority(stream, parent=0, weight=255, exclusive=False):
    return frame(PRIORITY, 0, stream, struct.pack(">IB", parent | (1 << 31 if exclusive else 0), weight))


def reset(stream, code="CANCEL"):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code if isinstance(code, int) else CODES.index(code)))


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", name, value) for name, value in pairs))


def ping(payload=b"\x00" * 8, flags=0):
    return frame(PING, flags, 0, payload)


def goaway(last=0, code=0, stream=0):
    return frame(GOAWAY, 0, stream, struct.pack(">II", last, code))


def window_update(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


class Received:
    """A frame from the server."""

    def __init__(self, raw, payload):
        self.kind, self.flags, self.stream, self.payload = raw[3], raw[4], struct.unpack(">I", raw[5:9])[0] & 0x7FFF_FFFF, payload
        self.code = None
        if self.kind in (RST_STREAM, GOAWAY):
            number = struct.unpack(">I", payload[:4] if self.kind == RST_STREAM else payload[4:8])[0]
            self.code = CODES[number] if number < len(CODES) else str(number)
        self.status = STATUSES.get(payload[0], 0) if self.kind == HEADERS and payload else None

    @property
    def ends_stream(self):
        return self.kind in (DATA, HEADERS) and self.flags & END_STREAM != 0

    def __str__(self):
        name = NAMES[self.kind] if self.kind < len(NAMES) else f"type {self.kind}"
        if self.kind in (SETTINGS, PING) and self.flags & ACK: name += " with ACK"
        if self.code: name += f" {self.code}"
        if self.status: name += f" {self.status}"
        if self.kind == DATA: name += f" of {len(self.payload)}"
        return name


class Connection:
    """A connection over TLS. It never waits longer than `patience` seconds for a frame."""

    def __init__(self, port, patience=45.0, starts=True):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=patience))
        self.patience, self.buffer, self.log, self.is_closed = patience, b"", [], False
        # The server's settings by number.
        self.settings = {}
        if starts: self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def start(self):
        """Exchanges settings, and waits for the acknowledgement of the client's."""
        self.send(PREFACE + settings())
        first = self.until(lambda got: got.kind == SETTINGS and not got.flags & ACK)
        if first:
            self.settings = dict(struct.iter_unpack(">HI", first.payload))
            self.send(frame(SETTINGS, ACK, 0))
            self.until(lambda got: got.kind == SETTINGS and got.flags & ACK)
        self.log.clear()

    def send(self, raw):
        try:
            self.socket.sendall(raw)
        except OSError:
            # The server has closed the connection: its reason may still be read.
            pass

    def receive(self, seconds=None):
        """The next frame; `None` after the end of the connection, or after a time without one."""
        end = time.monotonic() + (self.patience if seconds is None else seconds)
        while not self.is_closed:
            if len(self.buffer) >= 9:
                length = int.from_bytes(self.buffer[:3], "big")
                if len(self.buffer) >= 9 + length:
                    got = Received(self.buffer[:9], self.buffer[9:9 + length])
                    self.buffer = self.buffer[9 + length:]
                    self.log.append(str(got))
                    return got
            left = end - time.monotonic()
            if left <= 0: return None
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(65_536)
            except (TimeoutError, ssl.SSLWantReadError):
                return None
            except OSError:
                more = b""
            if more:
                self.buffer += more
            else:
                self.is_closed = True
                self.log.append("the end")
        return None

    def until(self, matches):
        """The first frame that matches; `None` if none comes."""
        end = time.monotonic() + self.patience
        while (left := end - time.monotonic()) > 0 and (got := self.receive(left)):
            if matches(got): return got
        return None

    def ends(self):
        """Whether the server closes the connection."""
        self.until(lambda _: False)
        return self.is_closed
