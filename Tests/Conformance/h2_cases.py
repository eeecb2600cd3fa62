"""Cases of HTTP/2: the frames that a client sends after the exchange of settings, and the reaction that the RFC asks for.

The list is h2spec's (https://github.com/summerwind/h2spec, version 2.6: its sections `generic`, `http2` and `hpack`), with the reactions of RFC 9113 where it differs
from RFC 7540: HEADERS of a closed stream may be PROTOCOL_ERROR (5.1.1). Cases of RFC 9113 that h2spec does not have follow (`more`). A case has an id, a sentence,
steps and a reaction. A step is bytes, a function of the connection, or a wait.
"""
import collections

from h2_frames import (ACK, DATA, DEFAULT_WINDOW, END_HEADERS, END_STREAM, GOAWAY, HEADERS, MOST_FRAME, PADDED, PING, PREFACE, PRIORITISED, PRIORITY, PUSH_PROMISE, RST_STREAM,
                       SETTINGS, WINDOW_UPDATE, continuation, data, field, frame, goaway, head, headers, integer, ping, priority, reset, settings, window_update)
from server import TOKEN

Case = collections.namedtuple("Case", "id sentence steps reaction starts", defaults=(True,))

# Numbers of settings (RFC 9113, 6.5.2).
ENABLE_PUSH, STREAMS, WINDOW, FRAME_SIZE = 2, 3, 4, 5
MOST_WINDOW = (1 << 31) - 1
ECHO = b"onesheet"
# A route that reads bodies, and one with a body of more bytes than any window of a case.
READS_BODIES, LONG = "/poster/prefetch", "/openapi.json"


# Reactions.

def is_error(got):
    return got.kind == RST_STREAM or got.kind == GOAWAY and got.code != "NO_ERROR"


def connection_error(*codes):
    """GOAWAY with one of the codes, and the end of the connection (5.4.1)."""
    def is_met(connection):
        got = connection.until(lambda got: got.kind == GOAWAY and got.code != "NO_ERROR")
        return got is not None and got.code in codes and connection.ends()
    is_met.text = f"GOAWAY {' or '.join(codes)} and the end"
    return is_met


def stream_error(*codes):
    """RST_STREAM with one of the codes, or a connection error with it (5.4.2, 5.4.3)."""
    def is_met(connection):
        got = connection.until(is_error)
        return got is not None and got.code in codes
    is_met.text = f"RST_STREAM or GOAWAY {' or '.join(codes)}"
    return is_met


def malformed(connection):
    """A stream error, or a response that says what is wrong (8.1.1)."""
    got = connection.until(lambda got: is_error(got) or got.kind == HEADERS)
    return got is not None and (got.code == "PROTOCOL_ERROR" or got.status == 400)


malformed.text = "RST_STREAM or GOAWAY PROTOCOL_ERROR, or status 400"


def answer(connection):
    got = connection.until(lambda got: is_error(got) or got.kind == HEADERS)
    return got is not None and got.kind == HEADERS and got.status != 400


answer.text = "a response"


def pong(connection):
    got = connection.until(lambda got: is_error(got) or got.kind == PING and got.flags & ACK)
    return got is not None and got.kind == PING and got.payload == ECHO


pong.text = "PING with ACK and the same payload"


def pong_or_end(connection):
    return pong(connection) or connection.is_closed


pong_or_end.text = "PING with ACK, or the end"


def one_byte(connection):
    got = connection.until(lambda got: is_error(got) or got.kind == DATA)
    return got is not None and got.kind == DATA and len(got.payload) == 1


one_byte.text = "DATA of one byte"


def first_settings(connection):
    got = connection.receive()
    return got is not None and got.kind == SETTINGS and not got.flags & ACK


first_settings.text = "SETTINGS as the first frame"


def settings_ack(connection):
    got = connection.until(lambda got: is_error(got) or got.kind == SETTINGS)
    return got is not None and got.kind == SETTINGS and got.flags & ACK != 0


settings_ack.text = "SETTINGS with ACK"


def end(connection):
    return connection.ends()


end.text = "the end of the connection"


# Waits.

def for_ack(connection):
    connection.until(lambda got: got.kind == SETTINGS and got.flags & ACK)


def for_data(connection):
    connection.until(lambda got: got.kind == DATA)


def for_end(connection):
    """The end of the stream."""
    connection.until(lambda got: got.ends_stream)


def one_stream_too_many(connection):
    most = connection.settings.get(STREAMS, 100)
    connection.send(b"".join(headers(2 * number + 1, head(path=LONG)) for number in range(most + 1)))


POST = headers(1, head(method="POST"), END_HEADERS)
GET = headers(1, head())
# A request with a response that waits for windows, so that its stream stays half-closed.
HELD = settings((WINDOW, 0)) + headers(1, head(path=LONG))
DUMMY = field("x-dummy", "1")
PRIORITY_FIELDS = b"\x00\x00\x00\x00\xff"
READING = ("authorization", f"Bearer {TOKEN}")


def literal(start, *parts):
    """A request with a further field in a representation of its own."""
    return headers(1, head() + start + b"".join(parts))


AGENT, VALUE, TEST = b"\x0auser-agent", b"\x06h2spec", b"\x06x-test"
# The same, Huffman-coded (RFC 7541, Appendix B).
AGENT_HUFFMAN, VALUE_HUFFMAN, TEST_HUFFMAN = b"\x87\xb5\x05\xb1\x61\xcc\x5a\x93", b"\x84\x9c\x48\xac\xa4", b"\x85\xf2\xb2\x4a\x84\xff"

PROTOCOL, CLOSED, SIZE, FLOW, COMPRESSION = "PROTOCOL_ERROR", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR", "COMPRESSION_ERROR"

GENERIC = [
    Case("generic/1/1", "the first frame of the server is SETTINGS", [PREFACE + settings((WINDOW, DEFAULT_WINDOW))], first_settings, False),
    Case("generic/2/1", "PRIORITY is accepted on an idle stream", [priority(1), ping(ECHO)], pong),
    Case("generic/2/2", "WINDOW_UPDATE is accepted on a half-closed stream", [HELD, window_update(1, 1)], one_byte),
    Case("generic/2/3", "PRIORITY is accepted on a half-closed stream", [HELD, priority(1), window_update(1, 1)], one_byte),
    Case("generic/2/4", "RST_STREAM is accepted on a half-closed stream", [GET, reset(1), ping(ECHO)], pong_or_end),
    Case("generic/2/5", "PRIORITY is accepted on a closed stream", [GET, for_end, priority(1), ping(ECHO)], pong),
    Case("generic/3.1/1", "DATA is accepted", [POST, data(1, b"test")], answer),
    Case("generic/3.1/2", "several DATA frames are accepted", [POST, data(1, b"test", 0), data(1, b"test")], answer),
    Case("generic/3.1/3", "DATA with padding is accepted", [POST, data(1, b"\x06testpadded", END_STREAM | PADDED)], answer),
    Case("generic/3.2/1", "HEADERS is accepted", [GET], answer),
    Case("generic/3.2/2", "HEADERS with padding is accepted", [headers(1, b"\x06" + head() + b"padded", END_STREAM | END_HEADERS | PADDED)], answer),
    Case("generic/3.2/3", "HEADERS with a priority is accepted", [headers(1, PRIORITY_FIELDS + head(), END_STREAM | END_HEADERS | PRIORITISED)], answer),
    Case("generic/3.3/1", "PRIORITY with weight 1 is accepted", [priority(1, weight=0), GET], answer),
    Case("generic/3.3/2", "PRIORITY with weight 256 is accepted", [priority(1), GET], answer),
    Case("generic/3.3/3", "PRIORITY with a dependency is accepted", [priority(3, parent=1, weight=0), GET], answer),
    Case("generic/3.3/4", "PRIORITY that is exclusive is accepted", [priority(1, weight=0, exclusive=True), GET], answer),
    Case("generic/3.3/5", "PRIORITY of an idle stream leaves lower streams idle", [priority(3), GET], answer),
    Case("generic/3.4/1", "RST_STREAM is accepted", [POST, reset(1), ping(ECHO)], pong_or_end),
    Case("generic/3.5/1", "SETTINGS is accepted", [settings((ENABLE_PUSH, 0))], settings_ack),
    Case("generic/3.7/1", "PING is accepted", [ping(ECHO)], pong),
    Case("generic/3.8/1", "GOAWAY is accepted", [goaway(), ping(ECHO)], pong_or_end),
    Case("generic/3.9/1", "WINDOW_UPDATE of the connection is accepted", [window_update(0, 1), ping(ECHO)], pong),
    Case("generic/3.9/2", "WINDOW_UPDATE of a stream is accepted", [GET, window_update(1, 1)], answer),
    Case("generic/3.10/1", "CONTINUATION is accepted", [headers(1, head(), END_STREAM), continuation(1, DUMMY)], answer),
    Case("generic/3.10/2", "several CONTINUATION frames are accepted", [headers(1, head(), END_STREAM), continuation(1, DUMMY, 0), continuation(1, DUMMY)], answer),
    Case("generic/4/1", "GET has a response", [GET], answer),
    Case("generic/4/2", "HEAD has a response", [headers(1, head(method="HEAD"))], answer),
    Case("generic/4/3", "POST has a response", [POST, data(1, b"test")], answer),
    Case("generic/4/4", "POST with trailers has a response",
         [headers(1, head(("trailer", "x-test"), method="POST"), END_HEADERS), data(1, b"test", 0), headers(1, field("x-test", "ok"))], answer),
    Case("generic/5/1", "an indexed field is accepted", [literal(b"\xba")], answer),
    Case("generic/5/2", "incremental indexing of a literal name, Huffman-coded", [literal(b"\x40", AGENT_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/3", "incremental indexing of a literal name", [literal(b"\x40", AGENT, VALUE)], answer),
    Case("generic/5/4", "incremental indexing of a new name", [literal(b"\x40", TEST, VALUE)], answer),
    Case("generic/5/5", "incremental indexing of a new name, Huffman-coded", [literal(b"\x40", TEST_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/6", "no indexing of a literal name", [literal(b"\x00", AGENT, VALUE)], answer),
    Case("generic/5/7", "no indexing of a literal name, Huffman-coded", [literal(b"\x00", AGENT_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/8", "no indexing of a new name", [literal(b"\x00", TEST, VALUE)], answer),
    Case("generic/5/9", "no indexing of a new name, Huffman-coded", [literal(b"\x00", TEST_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/10", "a literal name is never indexed", [literal(b"\x10", AGENT, VALUE)], answer),
    Case("generic/5/11", "a literal name is never indexed, Huffman-coded", [literal(b"\x10", AGENT_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/12", "a new name is never indexed", [literal(b"\x10", TEST, VALUE)], answer),
    Case("generic/5/13", "a new name is never indexed, Huffman-coded", [literal(b"\x10", TEST_HUFFMAN, VALUE_HUFFMAN)], answer),
    Case("generic/5/14", "an update of the table's size is accepted", [headers(1, b"\x20" + head())], answer),
    Case("generic/5/15", "two updates of the table's size are accepted", [headers(1, b"\x20\x3f\xe1\x1f" + head())], answer),
]

HTTP2 = [
    Case("http2/3.5/1", "SETTINGS follows the client's preface", [PREFACE + settings((WINDOW, DEFAULT_WINDOW))], first_settings, False),
    Case("http2/3.5/2", "an invalid preface ends the connection", [b"INVALID CONNECTION PREFACE\r\n\r\n"], end, False),
    Case("http2/4.1/1", "a frame of an unknown type is ignored", [frame(22, 0, 0, bytes(8)), ping(ECHO)], pong),
    Case("http2/4.1/2", "undefined flags are ignored", [ping(ECHO, flags=0x16)], pong),
    Case("http2/4.1/3", "the reserved bit is ignored", [frame(PING, 0x16, 1 << 31, ECHO)], pong),
    Case("http2/4.2/1", "a frame of 2^14 bytes is processed", [POST, data(1, bytes(MOST_FRAME))], answer),
    Case("http2/4.2/2", "DATA above the maximum size is an error", [POST, data(1, bytes(MOST_FRAME + 1))], stream_error(SIZE)),
    Case("http2/4.2/3", "HEADERS above the maximum size ends the connection", [headers(1, head(*[(f"x-dummy{number}", "x" * 4096) for number in range(5)]))], connection_error(SIZE)),
    Case("http2/4.3/1", "a field block that cannot be decoded ends the connection", [headers(1, b"\x40")], connection_error(COMPRESSION)),
    Case("http2/4.3/2", "PRIORITY within a field block ends the connection", [headers(1, head(), 0), priority(1), continuation(1, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/4.3/3", "HEADERS of another stream within a field block ends the connection", [headers(1, head(), 0), headers(3, head()), continuation(1, DUMMY)],
         connection_error(PROTOCOL)),
    Case("http2/5.1/1", "idle: DATA", [data(1, b"test")], connection_error(PROTOCOL)),
    Case("http2/5.1/2", "idle: RST_STREAM", [reset(1)], connection_error(PROTOCOL)),
    Case("http2/5.1/3", "idle: WINDOW_UPDATE", [window_update(1, 100)], connection_error(PROTOCOL)),
    Case("http2/5.1/4", "idle: CONTINUATION", [continuation(1, head())], connection_error(PROTOCOL)),
    Case("http2/5.1/5", "half-closed (remote): DATA", [HELD, data(1, b"test")], stream_error(CLOSED)),
    Case("http2/5.1/6", "half-closed (remote): HEADERS", [HELD, GET], stream_error(CLOSED)),
    Case("http2/5.1/7", "half-closed (remote): CONTINUATION", [HELD, continuation(1, head())], stream_error(CLOSED, PROTOCOL)),
    Case("http2/5.1/8", "closed by RST_STREAM: DATA", [POST, reset(1), data(1, b"test")], stream_error(CLOSED)),
    Case("http2/5.1/9", "closed by RST_STREAM: HEADERS", [POST, reset(1), GET], stream_error(CLOSED, PROTOCOL)),
    Case("http2/5.1/10", "closed by RST_STREAM: CONTINUATION", [POST, reset(1), continuation(1, DUMMY)], stream_error(CLOSED, PROTOCOL)),
    Case("http2/5.1/11", "closed: DATA", [GET, for_end, data(1, b"test")], stream_error(CLOSED)),
    Case("http2/5.1/12", "closed: HEADERS", [GET, for_end, GET], connection_error(CLOSED, PROTOCOL)),
    Case("http2/5.1/13", "closed: CONTINUATION", [GET, for_end, continuation(1, DUMMY)], connection_error(CLOSED, PROTOCOL)),
    Case("http2/5.1.1/1", "an even stream ends the connection", [headers(2, head())], connection_error(PROTOCOL)),
    Case("http2/5.1.1/2", "a stream below an earlier one ends the connection", [headers(5, head()) + headers(3, head())], connection_error(PROTOCOL)),
    Case("http2/5.1.1/3", "HEADERS of a half-closed stream is an error", [settings((WINDOW, 0)) + headers(5, head(path=LONG)) + headers(5, head(path=LONG))], stream_error(CLOSED)),
    Case("http2/5.1.2/1", "a stream above the advertised number is an error", [settings((WINDOW, 0)), one_stream_too_many], stream_error(PROTOCOL, "REFUSED_STREAM")),
    Case("http2/5.3.1/1", "HEADERS that depends on itself is an error", [headers(1, b"\x00\x00\x00\x01\xff" + head(), END_STREAM | END_HEADERS | PRIORITISED)],
         stream_error(PROTOCOL)),
    Case("http2/5.3.1/2", "PRIORITY that depends on itself is an error", [priority(1, parent=1)], stream_error(PROTOCOL)),
    Case("http2/5.4.1/1", "an error ends the connection", [frame(PING, 0, 3, bytes(8))], end),
    Case("http2/5.4.1/2", "GOAWAY precedes the end", [frame(PING, 0, 3, bytes(8))], connection_error(PROTOCOL)),
    Case("http2/5.5/1", "an extension frame is ignored", [frame(22, 0, 0, bytes(8)), ping(ECHO)], pong),
    Case("http2/5.5/2", "an extension frame within a field block ends the connection", [headers(1, head(), END_STREAM), frame(22, 0, 0, bytes(8))], connection_error(PROTOCOL)),
    Case("http2/6.1/1", "DATA of stream 0", [data(0, b"test")], connection_error(PROTOCOL)),
    Case("http2/6.1/2", "DATA of a stream that is not open", [HELD, data(1, b"test")], stream_error(CLOSED)),
    Case("http2/6.1/3", "DATA with more padding than payload", [headers(1, head(("content-length", "4"), method="POST"), END_HEADERS), data(1, b"\x06test", END_STREAM | PADDED)],
         connection_error(PROTOCOL)),
    Case("http2/6.2/1", "HEADERS without its end, then PRIORITY", [headers(1, head(), 0), priority(1), continuation(1, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/6.2/2", "HEADERS without its end, then HEADERS of another stream", [headers(1, head(), 0), headers(3, head()), continuation(1, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/6.2/3", "HEADERS of stream 0", [headers(0, head())], connection_error(PROTOCOL)),
    Case("http2/6.2/4", "HEADERS with more padding than payload", [headers(1, bytes([len(head()) + 2]) + head(), END_STREAM | END_HEADERS | PADDED)], connection_error(PROTOCOL)),
    Case("http2/6.3/1", "PRIORITY of stream 0", [priority(0)], connection_error(PROTOCOL)),
    Case("http2/6.3/2", "PRIORITY of 4 bytes", [GET, frame(PRIORITY, 0, 1, b"\x80\x00\x00\x01")], stream_error(SIZE)),
    Case("http2/6.3/3", "PRIORITY of an idle stream, then HEADERS of a lower one", [priority(3), GET], answer),
    Case("http2/6.4/1", "RST_STREAM of stream 0", [reset(0)], connection_error(PROTOCOL)),
    Case("http2/6.4/2", "RST_STREAM of an idle stream", [reset(1)], connection_error(PROTOCOL)),
    Case("http2/6.4/3", "RST_STREAM of 3 bytes", [GET, frame(RST_STREAM, 0, 1, bytes(3))], connection_error(SIZE)),
    Case("http2/6.5/1", "SETTINGS with ACK and a payload", [frame(SETTINGS, ACK, 0, b"\x00")], connection_error(SIZE)),
    Case("http2/6.5/2", "SETTINGS of a stream", [frame(SETTINGS, 0, 1, b"\x00\x03\x00\x00\x00\x64")], connection_error(PROTOCOL)),
    Case("http2/6.5/3", "SETTINGS of 9 bytes", [frame(SETTINGS, 0, 0, b"\x00\x03\x00\x00\x00\x64\x00\x02\x00")], connection_error(SIZE)),
    Case("http2/6.5.2/1", "ENABLE_PUSH is 2", [settings((ENABLE_PUSH, 2))], connection_error(PROTOCOL)),
    Case("http2/6.5.2/2", "INITIAL_WINDOW_SIZE is above 2^31-1", [settings((WINDOW, 1 << 31))], connection_error(FLOW)),
    Case("http2/6.5.2/3", "MAX_FRAME_SIZE is below 2^14", [settings((FRAME_SIZE, MOST_FRAME - 1))], connection_error(PROTOCOL)),
    Case("http2/6.5.2/4", "MAX_FRAME_SIZE is above 2^24-1", [settings((FRAME_SIZE, 1 << 24))], connection_error(PROTOCOL)),
    Case("http2/6.5.2/5", "an unknown setting is ignored", [settings((255, 1)), ping(ECHO)], pong),
    Case("http2/6.5.3/1", "the last of two values of a setting counts", [settings((WINDOW, 100), (WINDOW, 1)), for_ack, headers(1, head(path=LONG))], one_byte),
    Case("http2/6.5.3/2", "SETTINGS is acknowledged", [settings((ENABLE_PUSH, 0))], settings_ack),
    Case("http2/6.7/1", "PING is answered", [ping(ECHO)], pong),
    Case("http2/6.7/2", "PING with ACK is not answered", [ping(b"invalid!", ACK), ping(ECHO)], pong),
    Case("http2/6.7/3", "PING of a stream", [frame(PING, 0, 1, bytes(8))], connection_error(PROTOCOL)),
    Case("http2/6.7/4", "PING of 6 bytes", [frame(PING, 0, 0, bytes(6))], connection_error(SIZE)),
    Case("http2/6.8/1", "GOAWAY of a stream", [goaway(stream=1)], connection_error(PROTOCOL)),
    Case("http2/6.9/1", "WINDOW_UPDATE of the connection by 0", [window_update(0, 0)], connection_error(PROTOCOL)),
    Case("http2/6.9/2", "WINDOW_UPDATE of a stream by 0", [POST, window_update(1, 0)], stream_error(PROTOCOL)),
    Case("http2/6.9/3", "WINDOW_UPDATE of 3 bytes", [frame(WINDOW_UPDATE, 0, 0, b"\x00\x00\x01")], connection_error(SIZE)),
    Case("http2/6.9.1/1", "a window of one byte is respected", [settings((WINDOW, 1)), for_ack, headers(1, head(path=LONG))], one_byte),
    Case("http2/6.9.1/2", "the connection's window exceeds 2^31-1", [window_update(0, MOST_WINDOW) + window_update(0, MOST_WINDOW)], connection_error(FLOW)),
    Case("http2/6.9.1/3", "a stream's window exceeds 2^31-1", [POST, window_update(1, MOST_WINDOW) + window_update(1, MOST_WINDOW)], stream_error(FLOW)),
    Case("http2/6.9.2/1", "a changed initial window applies to open streams", [settings((WINDOW, 0)), for_ack, headers(1, head(path=LONG)), settings((WINDOW, 1))], one_byte),
    Case("http2/6.9.2/2", "a window may become negative",
         [settings((WINDOW, 3)), for_ack, headers(1, head(path=LONG)), for_data, settings((WINDOW, 2)), for_ack, window_update(1, 2)], one_byte),
    Case("http2/6.9.2/3", "a changed initial window exceeds 2^31-1", [settings((WINDOW, 1 << 31))], connection_error(FLOW)),
    Case("http2/6.10/1", "several CONTINUATION frames are accepted", [headers(1, head(), END_STREAM), continuation(1, DUMMY, 0), continuation(1, DUMMY)], answer),
    Case("http2/6.10/2", "CONTINUATION without its end, then DATA",
         [headers(1, head(method="POST"), 0), continuation(1, DUMMY, 0), data(1, b"test")], connection_error(PROTOCOL)),
    Case("http2/6.10/3", "CONTINUATION of stream 0", [headers(1, head(), END_STREAM), continuation(0, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/6.10/4", "CONTINUATION after HEADERS with its end", [HELD, continuation(1, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/6.10/5", "CONTINUATION after CONTINUATION with its end", [headers(1, head(), END_STREAM), continuation(1, DUMMY), continuation(1, DUMMY)],
         connection_error(PROTOCOL)),
    Case("http2/6.10/6", "CONTINUATION after DATA", [POST, data(1, b"test"), continuation(1, DUMMY, 0), continuation(0, DUMMY)], connection_error(PROTOCOL)),
    Case("http2/7/1", "GOAWAY with an unknown code is no error", [goaway(code=255)], end),
    Case("http2/7/2", "RST_STREAM with an unknown code is no error", [POST, reset(1, 255), ping(ECHO)], pong),
    Case("http2/8.1/1", "a second HEADERS without END_STREAM", [POST, data(1, b"test", 0), headers(1, field("x-test", "ok"), END_HEADERS)], malformed),
    Case("http2/8.1.2/1", "a field name in upper case", [headers(1, head(("X-TEST", "ok")))], malformed),
    Case("http2/8.1.2.1/1", "an unknown pseudo-header field", [headers(1, head((":test", "ok")))], malformed),
    Case("http2/8.1.2.1/2", "a pseudo-header field of responses", [headers(1, head((":status", "200")))], malformed),
    Case("http2/8.1.2.1/3", "a pseudo-header field in trailers", [POST, data(1, b"test", 0), headers(1, field(":method", "POST"))], malformed),
    Case("http2/8.1.2.1/4", "a pseudo-header field after others", [headers(1, head(first=[("x-test", "ok")]))], malformed),
    Case("http2/8.1.2.2/1", "Connection", [headers(1, head(("connection", "keep-alive")))], malformed),
    Case("http2/8.1.2.2/2", "TE other than trailers", [headers(1, head(("trailers", "test"), ("te", "trailers, deflate")))], malformed),
    Case("http2/8.1.2.3/1", "an empty :path", [headers(1, head(path=""))], malformed),
    Case("http2/8.1.2.3/2", "no :method", [headers(1, head(without=[":method"]))], malformed),
    Case("http2/8.1.2.3/3", "no :scheme", [headers(1, head(without=[":scheme"]))], malformed),
    Case("http2/8.1.2.3/4", "no :path", [headers(1, head(without=[":path"]))], malformed),
    Case("http2/8.1.2.3/5", "a repeated :method", [headers(1, head(first=[(":method", "GET")]))], malformed),
    Case("http2/8.1.2.3/6", "a repeated :scheme", [headers(1, head(first=[(":scheme", "https")]))], malformed),
    Case("http2/8.1.2.3/7", "a repeated :path", [headers(1, head(first=[(":path", "/healthz")]))], malformed),
    Case("http2/8.1.2.6/1", "Content-Length differs from DATA",
         [headers(1, head(("content-length", "1"), READING, method="POST", path=READS_BODIES), END_HEADERS), data(1, b"test")], malformed),
    Case("http2/8.1.2.6/2", "Content-Length differs from several DATA",
         [headers(1, head(("content-length", "1"), READING, method="POST", path=READS_BODIES), END_HEADERS), data(1, b"test", 0), data(1, b"test")], malformed),
    Case("http2/8.2/1", "PUSH_PROMISE from a client", [frame(PUSH_PROMISE, END_HEADERS, 1, b"\x00\x00\x00\x03" + head())], connection_error(PROTOCOL)),
]

HPACK = [
    Case("hpack/2.3.3/1", "an index beyond the tables", [headers(1, head() + b"\xfe")], connection_error(COMPRESSION)),
    Case("hpack/4.2/1", "an update of the table's size at the end of a block", [headers(1, head() + b"\x21")], connection_error(COMPRESSION)),
    Case("hpack/5.2/1", "a Huffman code with more than 7 bits of padding", [literal(b"\x00", TEST_HUFFMAN, b"\x84\x49\x50\x9f\xff")], connection_error(COMPRESSION)),
    Case("hpack/5.2/2", "a Huffman code padded by zeros", [literal(b"\x00", TEST_HUFFMAN, b"\x83\x49\x50\x90")], connection_error(COMPRESSION)),
    Case("hpack/5.2/3", "a Huffman code with EOS", [literal(b"\x00", TEST_HUFFMAN, b"\x87\xff\xff\xff\xfd\x25\x42\x7f")], connection_error(COMPRESSION)),
    Case("hpack/6.1/1", "index 0", [headers(1, head() + b"\x80")], connection_error(COMPRESSION)),
    Case("hpack/6.3/1", "an update of the table's size above the setting", [headers(1, integer(4097, 5, 0x20) + head())], connection_error(COMPRESSION)),
]


# A request with a body that is read as it comes.
READ_POST = headers(1, head(READING, method="POST", path=READS_BODIES), END_HEADERS)
# Limits of floods are the server's own (RFC 9113, 10.5): any end of the connection is a defence.
MORE = [
    Case("more/8.2.1/1", "a field name with a space", [headers(1, head(("x test", "ok")))], malformed),
    Case("more/8.2.1/2", "a field name with a colon", [headers(1, head(("x:test", "ok")))], malformed),
    Case("more/8.2.1/3", "an empty field name", [headers(1, head(("", "ok")))], malformed),
    Case("more/8.2.1/4", "a field name with a control character", [headers(1, head(("x-\x01", "ok")))], malformed),
    Case("more/8.2.1/5", "a field name beyond ASCII", [headers(1, head(("x-\xe9", "ok")))], malformed),
    Case("more/8.2.1/6", "a value with NUL", [headers(1, head(("x-test", "a\x00b")))], malformed),
    Case("more/8.2.1/7", "a value with LF", [headers(1, head(("x-test", "a\nb")))], malformed),
    Case("more/8.2.1/8", "a value with CR", [headers(1, head(("x-test", "a\rb")))], malformed),
    Case("more/8.2.1/9", "a value that begins with a space", [headers(1, head(("x-test", " ok")))], malformed),
    Case("more/8.2.1/10", "a value that ends with a tab", [headers(1, head(("x-test", "ok\t")))], malformed),
    Case("more/8.2.2/1", "Transfer-Encoding", [headers(1, head(("transfer-encoding", "chunked")))], malformed),
    Case("more/8.2.2/2", "Keep-Alive", [headers(1, head(("keep-alive", "timeout=5")))], malformed),
    Case("more/8.2.2/3", "Proxy-Connection", [headers(1, head(("proxy-connection", "keep-alive")))], malformed),
    Case("more/8.2.2/4", "Upgrade", [headers(1, head(("upgrade", "websocket")))], malformed),
    Case("more/8.2.2/5", "TE: trailers is accepted", [headers(1, head(("te", "trailers")))], answer),
    Case("more/8.2.3/1", "several Cookie fields are accepted", [headers(1, head(("cookie", "a=b"), ("cookie", "c=d")))], answer),
    Case("more/8.3.1/1", "a :path without a slash", [headers(1, head(path="healthz"))], malformed),
    Case("more/8.3.1/2", "a :path with a space", [headers(1, head(path="/health z"))], malformed),
    Case("more/8.3.1/3", "an :authority with user information", [headers(1, head(("host", "127.0.0.1"), first=[(":authority", "a@b")], without=[":authority"]))], malformed),
    Case("more/8.3.1/4", "Host differs from :authority", [headers(1, head(("host", "example.com")))], malformed),
    Case("more/8.3.1/5", "a repeated :authority", [headers(1, head(first=[(":authority", "127.0.0.1")]))], malformed),
    Case("more/8.3.1/6", "neither :authority nor Host", [headers(1, head(without=[":authority"]))], malformed),
    Case("more/8.3.1/7", "Host without :authority is accepted", [headers(1, head(("host", "127.0.0.1"), without=[":authority"]))], answer),
    Case("more/8.3.1/8", "a method that is no token", [headers(1, head(method="G ET"))], malformed),
    Case("more/8.5/1", "CONNECT with :path", [headers(1, head(method="CONNECT"))], malformed),
    Case("more/8.1/1", "Content-Length with a sign", [headers(1, head(("content-length", "+0")))], malformed),
    Case("more/8.1/2", "two Content-Lengths", [headers(1, head(("content-length", "0"), ("content-length", "1")))], malformed),
    Case("more/8.1/3", "Content-Length without DATA", [headers(1, head(("content-length", "5"), READING, method="POST", path=READS_BODIES))], malformed),
    Case("more/8.1/4", "Trailers with a field name in upper case", [READ_POST, data(1, b"[", 0), headers(1, field("X-TEST", "ok"))], malformed),
    Case("more/8.1/5", "DATA that crosses the response's end is ignored", [POST, for_end, data(1, b"test", 0) * 3, ping(ECHO)], pong),
    Case("more/6.8/1", "GOAWAY from a client leaves its request", [HELD, goaway(), settings((WINDOW, 1))], one_byte),
    Case("more/6.5/1", "SETTINGS of the extended CONNECT is ignored", [settings((8, 1)), ping(ECHO)], pong),
    Case("more/10.5/1", "2,000 PINGs", [ping() * 2000], end),
    Case("more/10.5/2", "2,000 SETTINGS", [settings() * 2000], end),
    Case("more/10.5/3", "2,000 requests that are reset", [b"".join(headers(2 * number + 1, head()) + reset(2 * number + 1) for number in range(2000))], end),
    Case("more/10.5/4", "2,000 empty DATA frames", [READ_POST, data(1, b"", 0) * 2000], end),
    Case("more/10.5/5", "2,000 empty CONTINUATION frames", [headers(1, head(), END_STREAM), continuation(1, b"", 0) * 2000], end),
    Case("more/10.5/6", "2,000 PRIORITYs", [priority(1) * 2000], end),
    Case("more/10.5/7", "a field block without an end", [headers(1, head(), END_STREAM), *[continuation(1, field("x-dummy", "x" * 16_000), 0)] * 40], end),
    Case("more/10.5/8", "a list of fields that HPACK makes of few bytes", [headers(1, head() + field("x-bomb", "x" * 4000, b"\x40") + b"\xbe" * 12_000)], end),
]

CASES = [*GENERIC, *HTTP2, *HPACK, *MORE]
