"""An origin of small pictures that answers as cases prescribe, and records each request."""
import collections
import email.utils
import http.server
import re
import socket
import struct
import threading
import time
import zlib

Answer = collections.namedtuple("Answer", "status fields interim is_slow is_cut")
# How a request was answered; `condition` is the field that made it conditional, or None.
Record = collections.namedtuple("Record", "condition status")
DATES = ("expires", "date", "last-modified", "if-modified-since")
SLOW_SECONDS = 1.0


def picture(number):
    """A PNG of one colour for each number."""
    def chunk(name, payload):
        return struct.pack(">I", len(payload)) + name + payload + struct.pack(">I", zlib.crc32(name + payload))
    rows = (b"\x00" + bytes([number * 40 % 256, 90, 160]) * 16) * 24
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 24, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def fields_of(text):
    """Pairs of a text such as `Age: 1 | Expires: +60`, where seconds from now become dates."""
    pairs = [tuple(part.split(": ", 1)) for part in text.split(" | ") if ": " in part]
    return [(name, email.utils.formatdate(time.time() + int(value), usegmt=True) if name.lower() in DATES and re.fullmatch(r"[+-]\d+", value) else value) for name, value in pairs]


def parsed(text):
    """The answer of a case's text: words such as `slow`, `close` and statuses, then fields."""
    words = re.match(r"(?:(?:slow|close|\d{3})\b ?)*", text).group()
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    status = next((number for number in numbers if number >= 200), 200)
    return Answer(status, fields_of(text[len(words):].removeprefix("| ")), [number for number in numbers if number < 200], "slow" in words, "close" in words)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.strip("/").partition("?")[0]
        with self.server.lock:
            records = self.server.records[name]
            answers = self.server.answers[name]
            answer = parsed(answers[min(len(records), len(answers) - 1)])
            status, condition = answer.status, None
            for field, validator in [("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")]:
                if not condition and (given := self.headers.get(field)):
                    condition = field
                    own = [value for name, value in answer.fields if name.lower() == validator]
                    if status == 200 and given in own: status = 304
            number = len(records)
            records.append(Record(condition, status))
        if answer.is_slow: time.sleep(SLOW_SECONDS)
        if answer.is_cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        body = b"" if status in (204, 304) else picture(number)
        head = "".join(f"HTTP/1.1 {interim} Interim\r\nLink: </style.css>\r\n\r\n" for interim in answer.interim)
        head += f"HTTP/1.1 {status} Status\r\n" + "".join(f"{name}: {value}\r\n" for name, value in answer.fields)
        if status not in (204, 304): head += f"Content-Length: {len(body)}\r\n"
        self.wfile.write((head + "\r\n").encode("latin-1") + body)

    def log_message(self, *_):
        pass


class Origin(http.server.ThreadingHTTPServer):
    """`answers` are the texts of each name; `records` its requests."""

    request_queue_size = 256
    daemon_threads = True

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.records, self.lock = answers, collections.defaultdict(list), threading.Lock()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server_port}"

    def seen(self, name):
        with self.lock: return list(self.records[name])
