"""nginx and HAProxy with the configuration of deploy/cluster, with TLS, in front of two nodes that share nothing: signing in, favourites, ratings, purges, and the
node of each request."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from documents import free_port

SECONDS = 120
POSTERS = ["rashomon-1950", "metropolis-1927", "nosferatu-1922", "m-1931", "vertigo-1958", "ugetsu-1953", "the-kid-1921", "haxan-1922"]
# The addresses of clients and of an operator, as seen by nodes and balancers.
TOKEN = "0123456789abcdef-of-operators"
CLIENT, OTHER, OPERATOR = "127.0.0.2", "127.0.0.3", "127.0.0.1"


def spellings(poster):
    """Targets that need one original; each one is logged by the node that serves it."""
    return [
        f"/poster/{poster}?w=92", f"/poster/sample:{poster}?w=100", f"/poster/sample%3A{poster}?w=104&format=webp", f"/poster/{poster}/info",
        f"/poster/{poster.replace('-', '%2D')}/srcset?widths=92", f"/_next/image?url=%2Fposter%2F{poster}&w=96&q=75",
        f"/_next/image?url=/poster/{poster}&w=112&q=75", f"/_next/image?url=%2Fposter%2Fsample%253A{poster}&w=120&q=75"]


class Node:
    def __init__(self, program, folder, number, public):
        self.port, self.log = free_port(), folder / f"node-{number}.log"
        (folder / "token").write_text(TOKEN)
        (folder / "token").chmod(0o600)
        # Each node has its own user data: a client with requests to both nodes would be signed out.
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(self.port), "--data-dir", folder / f"node-{number}", "--trusted-proxy", OPERATOR, "--public-url", public,
             "--admin-token-file", folder / "token", "--access-log", "text", "--language", "en", "--reencode", "off"], stdout=open(self.log, "wb"), stderr=subprocess.DEVNULL)

    def started(self):
        if self.process.poll() is not None:
            raise RuntimeError("a node does not start")
        return "OneSheet" in self.log.read_text()

    def has(self, target):
        return f" {target} " in self.log.read_text().replace("path=", " ") or f'"{target}"' in self.log.read_text()

    def stop(self):
        self.process.terminate()
        self.process.wait(SECONDS)


def wait(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"timed out after {SECONDS} s: {what}")
        time.sleep(0.02)


def replaced(text, changes):
    for old, new in changes:
        if old not in text:
            raise ValueError(f"the configuration has no {old!r}")
        text = text.replace(old, new)
    return text


def certificate(folder):
    key, chain = folder / "key.pem", folder / "fullchain.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key, "-out", chain,
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)
    (folder / "onesheet.pem").write_text(chain.read_text() + key.read_text())


def with_tls(text):
    """Enables TLS as the files describe: by uncommenting these lines."""
    return re.sub(r"^(\s+)#(?! )", r"\1", text, flags=re.M)


def nginx(root, folder, port, secure, nodes):
    temporary = "".join(f"    {each}_temp_path {folder}/{each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    text = replaced(with_tls((root / "deploy/cluster/nginx.conf").read_text()), [
        ("user www-data;", ""), ("/run/nginx.pid", f"{folder}/nginx.pid"), ("listen 80;", f"listen 127.0.0.1:{port};"), ("listen 443 ", f"listen 127.0.0.1:{secure} "),
        ("/etc/ssl/onesheet/", f"{folder}/"), ("127.0.0.1:8081", f"127.0.0.1:{nodes[0].port}"), ("127.0.0.1:8082", f"127.0.0.1:{nodes[1].port}"),
        ("https://$host$", f"https://$host:{secure}$"), ("    access_log off;\n", temporary + "    access_log off;\n")])
    (folder / "nginx.conf").write_text(text)
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"], ["-t"], ["-g", "daemon off; master_process off;"]


def haproxy(root, folder, port, secure, nodes):
    text = replaced(with_tls((root / "deploy/cluster/haproxy.cfg").read_text()), [
        ("bind :80\n", f"bind 127.0.0.1:{port}\n"), ("bind :443 ", f"bind 127.0.0.1:{secure} "), ("/etc/ssl/onesheet/", f"{folder}/"),
        ("127.0.0.1:8081", f"127.0.0.1:{nodes[0].port}"), ("127.0.0.1:8082", f"127.0.0.1:{nodes[1].port}"), ("src 127.0.0.0/8 ::1", f"src {OPERATOR} ::1"),
        # A busy machine does not answer within a second; a node that is away refuses the connection at once.
        ("timeout check 1s", "timeout check 60s")])
    text = text.replace("redirect scheme https code 308", f"redirect prefix https://localhost:{secure} code 308")
    (folder / "haproxy.cfg").write_text(text)
    return ["haproxy", "-f", folder / "haproxy.cfg"], ["-c"], ["-db"]


class Client:
    def __init__(self, base, address):
        self.base, self.address = base, address

    def __call__(self, method, target, body=None, token=None, fields=(), options=()):
        """Status, head and body; options are curl's."""
        words = ["curl", "-sk", "-i", "--max-time", str(SECONDS), "--interface", self.address, "-X", method, self.base + target]
        if method == "HEAD":
            words[words.index("-X"):words.index("-X") + 2] = ["-I"]
        if body is not None:
            words += ["-H", "Content-Type: application/json" if isinstance(body, dict) else "Content-Type: application/x-www-form-urlencoded", "-d", json.dumps(body) if isinstance(body, dict) else body]
        for field in [f"Authorization: Bearer {token}"] * bool(token) + list(fields):
            words += ["-H", field]
        output = subprocess.run([*words, *options], capture_output=True).stdout
        head, _, content = output.partition(b"\r\n\r\n")
        head = head.decode(errors="replace")
        return int(head.split(" ")[1]) if " " in head else 0, head, content


def sessions(name, ask, check):
    """A device's favourites, then a guest by approval, and its ratings on further connections."""
    status, _, body = ask("POST", "/auth/device")
    if not check(f"{name}: POST /auth/device", status in (200, 201), status):
        return
    token = json.loads(body)["token"]
    statuses = [ask("PUT", f"/favourites/{poster}", token=token)[0] for poster in POSTERS]
    check(f"{name}: PUT /favourites", statuses == [201] * len(POSTERS), statuses)
    check(f"{name}: DELETE /favourites", ask("DELETE", f"/favourites/{POSTERS[0]}", token=token)[0] == 204)
    body = ask("GET", f"/me/marks?ids={','.join(POSTERS)}", token=token)[2]
    marks = [each["isFavourite"] for each in json.loads(body)["results"]]
    check(f"{name}: GET /me/marks", marks == [False] + [True] * (len(POSTERS) - 1), marks)
    status, _, body = ask("POST", "/auth/token", {"redirectTo": "myapp://signed-in"})
    if not check(f"{name}: POST /auth/token", status in (200, 201), status):
        return
    request = json.loads(body)
    check(f"{name}: authorizeURL", request["authorizeURL"].startswith(ask.base), request["authorizeURL"])
    page = request["authorizeURL"][len(ask.base):]
    check(f"{name}: POST /auth/approve", ask("POST", page, "approve=1", fields=[f"Origin: {ask.base}"])[0] == 303)
    status, head, body = ask("POST", "/auth/session", {"requestToken": request["requestToken"]}, token=token)
    if not check(f"{name}: POST /auth/session", status in (200, 201), status):
        return
    check(f"{name}: cookie", "__host-onesheet_session=" in head.lower() and "secure" in head.lower(), head)
    guest = json.loads(body)["token"]
    statuses = [ask("PUT", f"/movies/{poster}/rating", {"value": 9}, token=guest)[0] for poster in POSTERS]
    check(f"{name}: PUT rating", statuses == [200] * len(POSTERS), statuses)
    statuses = [ask("GET", f"/movies/{poster}/rating", token=guest)[0] for poster in POSTERS]
    check(f"{name}: GET rating", statuses == [200] * len(POSTERS), statuses)
    check(f"{name}: DELETE rating", ask("DELETE", f"/movies/{POSTERS[0]}/rating", token=guest)[0] == 204)
    check(f"{name}: DELETE /auth/session", ask("DELETE", "/auth/session", token=guest)[0] == 204)


def form(name, ask, check):
    """A favourite from a browser without a session, by the form of a film's page."""
    _, _, body = ask("GET", "/films/rashomon-1950")
    found = re.search(r'<form[^>]*action="(/films/rashomon-1950/favourite[^"]*)".*?</form>', body.decode(), re.S)
    if not check(f"{name}: the page has a form", found):
        return
    fields = "&".join(f"{key}={value}" for key, value in re.findall(r'<(?:input|button)[^>]*name="([^"]+)"[^>]*value="([^"]*)"', found[0]))
    status, head, _ = ask("POST", found[1].replace("&amp;", "&"), fields, fields=[f"Origin: {ask.base}"])
    cookie = re.search(r"(?i)set-cookie: (__Host-onesheet_session=[^;]+)", head)
    check(f"{name}: the form", status == 303 and cookie, f"{status} {head[-300:]}")
    if cookie:
        page = ask("GET", "/my/favourites", fields=[f"Cookie: {cookie[1]}"])[2].decode()
        check(f"{name}: favourite of the form", "/films/rashomon-1950" in page)


def refusals(name, ask, operator, check):
    for method, target, body in (("DELETE", "/poster/rashomon-1950", None), ("POST", "/purge", {"ids": ["rashomon-1950"]}), ("GET", "/metrics", None), ("GET", "/readyz", None),
                                 ("POST", "/poster/prefetch", {"ids": ["rashomon-1950"], "widths": [92]})):
        # HAProxy refuses before it has the body, which curl sometimes reports as a broken HTTP/2 stream.
        refused = ask(method, target, body, token=TOKEN, options=["--http1.1"])
        check(f"{name}: {method} {target} of a client", refused[0] == 403, refused[:2])
        status = operator(method, target, body, token=TOKEN)[0]
        check(f"{name}: {method} {target} of an operator", 200 <= status < 300, status)
    check(f"{name}: without the token", operator("DELETE", "/poster/rashomon-1950")[0] == 401)


def hashing(name, nodes, clients, check):
    """All spellings of a poster go to one node, film resources of all clients to one node, and user data of a client to one node."""
    places = []
    for poster in POSTERS:
        asked = [(clients[number % 2], target) for number, target in enumerate(spellings(poster))]
        statuses = [client("GET", target)[0] for client, target in asked]
        check(f"{name}: {poster}", statuses == [200] * len(asked), statuses)
        wait(lambda: all(any(node.has(target) for node in nodes) for _, target in asked), f"the log of {poster}")
        counts = [[node.has(target) for _, target in asked].count(True) for node in nodes]
        check(f"{name}: one node for {poster}", sorted(counts) == [0, len(asked)], counts)
        places.append(counts[0] > 0)
    check(f"{name}: both nodes have posters", len(set(places)) == 2)
    films = [f"/movies/{poster}?language=en" for poster in POSTERS]
    for target in films:
        for client in clients:
            client("GET", target)
    wait(lambda: all(any(node.has(target) for node in nodes) for target in films), "the log of films")
    check(f"{name}: one node for a film", all([node.has(target) for node in nodes].count(True) == 1 for target in films))
    check(f"{name}: both nodes have films", {[node.has(target) for node in nodes].index(True) for target in films} == {0, 1})


def exercise(configure, program, root, check):
    name = configure.__name__
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-docs-"))
    port, secure = free_port(), free_port()
    base = f"https://localhost:{secure}"
    nodes, proxy = [], None
    try:
        certificate(folder)
        for number in (1, 2):
            nodes.append(Node(program, folder, number, base))
        wait(lambda: all(node.started() for node in nodes), "both nodes")
        words, testing, running = configure(root, folder, port, secure, nodes)
        tested = subprocess.run([*words, *testing], capture_output=True, text=True)
        check(f"{name}: check of the configuration", tested.returncode == 0 and "warn" not in tested.stderr.lower(), tested.stderr)
        proxy = subprocess.Popen([*words, *running], stdout=subprocess.DEVNULL, stderr=open(folder / "proxy.log", "wb"))
        client, other, operator = (Client(base, address) for address in (CLIENT, OTHER, OPERATOR))
        wait(lambda: client("GET", "/healthz")[0] == 403, name)
        wait(lambda: client("GET", "/poster/haxan-1922?w=46")[0] == 200, "a poster")
        status, head, _ = client("GET", "/poster/haxan-1922?w=92")
        check(f"{name}: HTTP/2", head.startswith("HTTP/2 200"), head[:60])
        status, head, _ = Client(f"http://localhost:{port}", CLIENT)("GET", "/poster/haxan-1922?w=92")
        check(f"{name}: redirect to TLS", status == 308 and f"{base}/poster/haxan-1922?w=92" in head, head)
        hashing(name, nodes, (client, other), check)
        sessions(name, client, check)
        form(name, other, check)
        refusals(name, client, operator, check)
    except Exception:
        log = folder / "proxy.log"
        check(f"{name}: log of the proxy", False, log.read_text()[-600:] if log.exists() else "")
        raise
    finally:
        if proxy:
            proxy.terminate()
            proxy.wait(SECONDS)
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def run(program, origin, root, names, check):
    for configure in (nginx, haproxy):
        exercise(configure, program, root, check)
