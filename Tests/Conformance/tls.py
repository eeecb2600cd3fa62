"""TLS: the questions of testssl.sh, asked by ClientHellos and by openssl's client. Needs the program openssl (3.0)."""
import collections
import concurrent.futures
import http.client as http_client
import re
import ssl
import subprocess

from outcome import Outcome
from server import Server
from tls_hello import HEARTBEAT, TLS12, Reaction, extension, hello, record

TITLE = "TLS"
CONNECTIONS = 8
Check = collections.namedtuple("Check", "id sentence test")
# Categories of cipher suites as testssl.sh has them; numbers from IANA's registry.
WEAK = {
    "without encryption": [0x0001, 0x0002, 0x003B, 0xC006, 0xC010, 0xC015],
    "without authentication": [0x0018, 0x001B, 0x0034, 0x003A, 0x006C, 0x006D, 0x00A6, 0x00A7, 0xC018, 0xC019],
    "for export": [0x0003, 0x0006, 0x0008, 0x000B, 0x000E, 0x0011, 0x0014, 0x0062, 0x0063, 0x0064, 0x0065],
    "with RC4": [0x0004, 0x0005, 0xC002, 0xC007, 0xC00C, 0xC011],
    "with DES": [0x0009, 0x000C, 0x000F, 0x0012, 0x0015],
    "with blocks of 64 bits (3DES, IDEA)": [0x0007, 0x000A, 0x000D, 0x0010, 0x0013, 0x0016, 0xC003, 0xC008, 0xC00D, 0xC012],
    "with CBC": [0xC009, 0xC00A, 0xC013, 0xC014, 0xC023, 0xC024, 0xC027, 0xC028, 0x0033, 0x0039, 0x0067, 0x006B],
    "with RSA key exchange, without forward secrecy": [0x002F, 0x0035, 0x003C, 0x003D, 0x009C, 0x009D, 0xC09C, 0xC09D, 0xC0A0, 0xC0A1],
    "with finite-field Diffie-Hellman": [0x009E, 0x009F, 0xCCAA, 0xC09E, 0xC09F],
    "with CCM": [0xC0AC, 0xC0AD, 0xC0AE, 0xC0AF],
    "with ARIA, Camellia or SEED": [0x0041, 0x0084, 0x0096, 0xC05C, 0xC05D, 0xC060, 0xC061, 0xC086, 0xC087, 0xC08A, 0xC08B],
}
STRONG = [0xC02B, 0xC02C, 0xCCA9, 0xC02F, 0xC030, 0xCCA8]
# Signals of a client (RFC 7507, RFC 5746).
FALLBACK, SECURE_RENEGOTIATION = 0x5600, 0x00FF
RENEGOTIATION_INFO, MAX_FRAGMENT, HEARTBEATS, NEXT_PROTOCOL, EXTENDED_SECRET = 0xFF01, 1, 15, 13172, 23
DEFLATE = b"\x01\x00"
SSL2_HELLO = bytes.fromhex("801c0100020003000000100700c0030080010080") + bytes(10)
# Known differences, and the reason.
DIFFERENCES = {"http/hsts": "HSTS binds a host name on all its ports for months: the operator's proxy sends it"}


def client(port, *words, typed=""):
    """What openssl's client prints, and whether it has ended well."""
    run = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *words], input=typed, capture_output=True, text=True, timeout=60)
    return run.stdout + run.stderr, run.returncode == 0


def refused(*arguments, **more):
    def test(port):
        reaction = Reaction(port, hello(*arguments, **more))
        return reaction.server_hello is None and (reaction.alert is not None or reaction.is_closed), str(reaction)
    return test


def greeted(matches, *arguments, **more):
    """The server accepts, and its version, cipher, compression and extensions match."""
    def test(port):
        reaction = Reaction(port, hello(*arguments, **more))
        return reaction.server_hello is not None and matches(*reaction.server_hello), str(reaction)
    return test


def raw(matches, *sent):
    def test(port):
        reaction = Reaction(port, *sent)
        return matches(reaction), str(reaction)
    return test


def connects(pattern, *words):
    def test(port):
        output, is_ended_well = client(port, *words)
        return is_ended_well and re.search(pattern, output) is not None, last(output)
    return test


def fails(*words):
    def test(port):
        output, is_ended_well = client(port, *words)
        return not is_ended_well and "Cipher is (NONE)" in output, last(output)
    return test


def last(output):
    return output.strip().splitlines()[-1][-120:] if output.strip() else "nothing"


def renegotiation(port):
    """Types R, on which openssl's client asks for a new handshake; the connection must not survive it."""
    output, is_ended_well = client(port, "-tls1_2", typed="R\n")
    return "RENEGOTIATING" in output and not is_ended_well, last(output)


def ccs_injection(reaction):
    """A ChangeCipherSpec before the keys is an unexpected message (CVE-2014-0224)."""
    return reaction.alert is not None


def http(pattern, is_there=True):
    """Whether a field of the web page over TLS matches."""
    def test(port):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http_client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
        connection.request("GET", "/")
        fields = [f"{name}: {value}" for name, value in connection.getresponse().getheaders()]
        connection.close()
        found = [field for field in fields if re.search(pattern, field, re.I)]
        return bool(found) == is_there, ", ".join(found) or "no such field"
    return test


CHECKS = [
    Check("protocols/ssl2", "SSL 2 is refused", raw(lambda reaction: reaction.server_hello is None and reaction.is_closed, SSL2_HELLO)),
    Check("protocols/ssl3", "SSL 3 is refused", refused([*STRONG, 0xC009, 0x002F], version=0x0300, record_version=0x0300)),
    Check("protocols/tls1", "TLS 1.0 is refused", refused([*STRONG, 0xC009, 0xC00A, 0xC013, 0x002F], version=0x0301)),
    Check("protocols/tls1.1", "TLS 1.1 is refused", refused([*STRONG, 0xC009, 0xC00A, 0xC013, 0x002F], version=0x0302)),
    Check("protocols/tls1.2", "TLS 1.2 is accepted", connects(r"New, TLSv1\.2", "-tls1_2")),
    Check("protocols/tls1.3", "TLS 1.3 is accepted", connects(r"New, TLSv1\.3", "-tls1_3")),
    Check("protocols/future", "a future version is answered by the highest one", greeted(lambda version, *_: version == TLS12, STRONG, version=0x0305)),
    Check("protocols/openssl-tls1", "openssl's client cannot speak TLS 1.0", fails("-tls1", "-cipher", "ALL:@SECLEVEL=0")),
    Check("protocols/openssl-tls1.1", "openssl's client cannot speak TLS 1.1", fails("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")),
    Check("protocols/plain", "a request without TLS is refused", raw(lambda reaction: reaction.server_hello is None and reaction.is_closed, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")),
    *[Check(f"ciphers/{number}", f"suites {name} are refused", refused(ciphers)) for number, (name, ciphers) in enumerate(WEAK.items(), 1)],
    Check("ciphers/strong", "suites with forward secrecy and authenticated encryption are accepted", greeted(lambda _, cipher, *rest: cipher in STRONG, STRONG)),
    Check("ciphers/mixed", "of strong and weak suites a strong one is chosen", greeted(lambda _, cipher, *rest: cipher in STRONG, [0x002F, 0xC013, 0xC009, *STRONG])),
    *[Check(f"ciphers/tls1.3-{name}", f"TLS 1.3 with {name}", connects(name, "-tls1_3", "-ciphersuites", name))
      for name in ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")],
    *[Check(f"curves/{name}", f"{name} is accepted",
            connects("Server Temp Key: (X25519|ECDH, prime256v1|ECDH, secp384r1)", "-groups", name)) for name in ("X25519", "P-256", "P-384")],
    *[Check(f"curves/{name}", f"{name} is refused", fails("-groups", name)) for name in ("secp224r1", "secp256k1", "ffdhe2048")],
    Check("alpn/h2", "h2 is preferred", connects("ALPN protocol: h2", "-alpn", "http/1.1,h2")),
    Check("alpn/http1", "http/1.1 is accepted", connects(r"ALPN protocol: http/1\.1", "-alpn", "http/1.1")),
    Check("alpn/none", "a client without ALPN is served", connects("No ALPN negotiated")),
    Check("alpn/unknown", "a client with unknown protocols only is refused", fails("-alpn", "spdy/3")),
    Check("alpn/npn", "NPN, the predecessor of ALPN, is not offered",
          greeted(lambda version, cipher, compression, numbers: NEXT_PROTOCOL not in numbers, STRONG, extensions=extension(NEXT_PROTOCOL, b""))),
    Check("sni/none", "a client without SNI is served", connects("New, TLS", "-noservername")),
    Check("sni/unknown", "a client with another name gets the only certificate", connects("CN = localhost", "-servername", "example.com")),
    Check("sessions/tickets", "tickets of TLS 1.2 live at most a day", connects(r"ticket lifetime hint: ([1-9]\d{0,3}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d\d|86400) ", "-tls1_2")),
    Check("sessions/resumption", "sessions of TLS 1.2 are resumed", connects("(?s)Reused, TLSv1.2", "-tls1_2", "-reconnect")),
    Check("sessions/early", "early data of TLS 1.3, which can be replayed, is not accepted", connects("Early data was not sent", "-tls1_3")),
    Check("vulnerabilities/renegotiation-info", "secure renegotiation is indicated (RFC 5746)",
          greeted(lambda version, cipher, compression, numbers: RENEGOTIATION_INFO in numbers, [*STRONG, SECURE_RENEGOTIATION])),
    Check("vulnerabilities/renegotiation", "a client cannot renegotiate", renegotiation),
    Check("vulnerabilities/crime", "compression is not accepted", greeted(lambda version, cipher, compression, numbers: compression == 0, STRONG, compressions=DEFLATE)),
    Check("vulnerabilities/heartbleed", "heartbeats are not offered",
          greeted(lambda version, cipher, compression, numbers: HEARTBEATS not in numbers, STRONG, extensions=extension(HEARTBEATS, b"\x01"))),
    Check("vulnerabilities/heartbeat", "a heartbeat longer than its record is not answered",
          raw(lambda reaction: all(kind != HEARTBEAT for kind, _ in reaction.records), hello(STRONG, extensions=extension(HEARTBEATS, b"\x01")), record(HEARTBEAT, b"\x01\x40\x00"))),
    Check("vulnerabilities/ccs", "ChangeCipherSpec before the keys is refused", raw(ccs_injection, hello(STRONG), record(20, b"\x01"))),
    Check("vulnerabilities/fallback", "a fallback to TLS 1.2 is recognised where the server speaks TLS 1.3 (RFC 7507)",
          raw(lambda reaction: reaction.alert == "inappropriate_fallback", hello([*STRONG, FALLBACK]))),
    Check("vulnerabilities/extended-secret", "the extended master secret is supported (RFC 7627)",
          greeted(lambda version, cipher, compression, numbers: EXTENDED_SECRET in numbers, STRONG, extensions=extension(EXTENDED_SECRET, b""))),
    Check("vulnerabilities/truncated", "a ClientHello with a wrong length is refused", raw(lambda reaction: reaction.alert == "decode_error", hello(STRONG, extensions=b"\x00\x17\x00\x09"))),
    Check("http/hsts", "HSTS is sent", http("^strict-transport-security")),
    Check("http/server", "the Server field has no version", http(r"^server:.*\d", False)),
    Check("http/nosniff", "X-Content-Type-Options is sent", http("^x-content-type-options: nosniff")),
    Check("http/frames", "foreign frames are prevented", http("^(x-frame-options|content-security-policy:.*frame-ancestors)")),
    Check("http/policy", "Content-Security-Policy is sent", http("^content-security-policy:")),
    Check("http/referrer", "Referrer-Policy is sent", http("^referrer-policy:")),
]


def tested(check, port):
    try:
        return check, *check.test(port)
    except (OSError, http_client.HTTPException, subprocess.TimeoutExpired) as error:
        return check, False, f"nothing: {error}"


def run(program, log):
    with Server(program, log, tls=True) as server, concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        results = list(pool.map(lambda check: tested(check, server.tls_port), CHECKS))
    return [Outcome(check.id, check.sentence, is_met, f"received {seen}", DIFFERENCES.get(check.id)) for check, is_met, seen in results]
