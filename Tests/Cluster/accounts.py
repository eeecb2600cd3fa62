"""One user on several nodes: signs in on one, changes on the second, reads on the third, and is signed out everywhere at once."""
import json
import time

from clients import eventually

FILM = "nosferatu-1922"
SECONDS = 1


def run(settings, report):
    settings.need("--library")
    with settings.cluster("accounts", engines=("postgresql", "redis"), balanced=False) as cluster:
        use(settings, report, cluster.nodes)


def call(node, method, target, token=None, body=None, form=None):
    fields = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None: fields["Content-Type"] = "application/json"
    if form is not None: fields["Content-Type"] = "application/x-www-form-urlencoded"
    status, _, data = node.get(target, method, form or (json.dumps(body) if body is not None else None), fields)
    return status, json.loads(data) if data[:1] in (b"{", b"[") else {}


def sign_in(first, second):
    """A guest's token, requested and approved on one node and exchanged on another."""
    status, request = call(first, "POST", "/auth/token", body={})
    if status != 200: raise RuntimeError(f"no request token: {status} {request}")
    approved, _ = call(first, "POST", f"/auth/approve/{request['requestToken']}", form="approve=1")
    status, session = call(second, "POST", "/auth/session", body={"requestToken": request["requestToken"]})
    if "token" not in session: raise RuntimeError(f"no session: approval {approved}, {status} {session}")
    return session["token"]


def use(settings, report, nodes):
    run = "one user, three nodes"
    token = sign_in(nodes[0], nodes[1])
    put, _ = call(nodes[1], "PUT", f"/favourites/{FILM}", token)
    status, page = call(nodes[2], "GET", "/favourites", token)
    report.check(run, f"a favourite of the second node is on the third: {put}, {status} {str(page)[:200]}", put in (200, 201) and FILM in json.dumps(page))
    rated, _ = call(nodes[2], "PUT", f"/movies/{FILM}/rating", token, body={"value": 8.5})
    # Each node has used the session, and may have cached it.
    before = [call(node, "GET", "/favourites", token)[0] for node in nodes]
    ended, _ = call(nodes[0], "DELETE", "/auth/session", token)
    start = time.monotonic()
    is_over = eventually(lambda: all(call(node, "GET", "/favourites", token)[0] == 401 for node in nodes), 20)
    seconds = time.monotonic() - start
    report.row(run, favourite=put, rating=rated, revoked=ended, invalid_on_all_after_ms=round(1000 * seconds))
    report.check(run, f"the session is valid on all nodes, then revoked: {before}, {ended}", before == [200] * len(nodes) and ended == 204)
    report.check(run, f"a revoked session is invalid on all nodes within {SECONDS} s, not {seconds:.1f}", is_over and (settings.is_short or seconds <= SECONDS))
