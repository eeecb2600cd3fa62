"""HTTP/2: frames of cases, valid or not, and the server's reactions."""
import concurrent.futures

from h2_cases import CASES
from h2_frames import Connection
from outcome import Outcome
from server import Server

TITLE = "HTTP/2, raw frames"
CONNECTIONS = 8
# Cases with another reaction than the RFC's, and the reason.
TRAILERS = "NIO takes a second HEADERS for trailers, and resets the stream with PROTOCOL_ERROR"
BLANKS = "blanks around a value are dropped, as in HTTP/1.1; fields are not forwarded"
DIFFERENCES = {
    "http2/5.1/6": TRAILERS, "http2/5.1.1/3": TRAILERS, "more/8.2.1/9": BLANKS, "more/8.2.1/10": BLANKS,
    "more/8.2.1/3": "NIO's decoder of HPACK refuses an empty name, which ends the connection",
}


def reaction(case, port):
    """Whether the server reacts as the case expects, and the frames received."""
    with Connection(port, starts=case.starts) as connection:
        pending = b""
        for step in [*case.steps, None]:
            if isinstance(step, bytes):
                pending += step
                continue
            connection.send(pending)
            pending = b""
            if step: step(connection)
        return case.reaction(connection), ", ".join(connection.log) or "nothing"


def outcome(case, port):
    try:
        is_met, seen = reaction(case, port)
    except OSError as error:
        is_met, seen = False, f"nothing: {error}"
    return Outcome(case.id, case.sentence, is_met, f"expected {case.reaction.text}, received {seen[:300]}", DIFFERENCES.get(case.id))


def run(program, log):
    # A connection that ends has a reason within `Connection.patience`, other than its head's deadline.
    with Server(program, log, tls=True, connections_per_address="0", header_timeout="60") as server, concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        return list(pool.map(lambda case: outcome(case, server.tls_port), CASES))
