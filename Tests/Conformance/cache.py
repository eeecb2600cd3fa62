"""OneSheet as the cache in front of an origin that a script controls: which requests reach it, and what clients get."""
import concurrent.futures
import email.utils
import http.client
import time
import urllib.parse

from cache_cases import BY_DATE, BY_ETAG, CACHED, CASES, FETCHED, LENIENT, PAUSE, STRICT
from cache_origin import Origin, fields_of
from outcome import Outcome
from server import Server

TITLE = "HTTP caching"
CLIENTS = 16
SIZE = "w=16&format=png"
OPTIONS = {"original_ttl_min": "0", "failure_memory": "600", "fetch_retries": "0", "breaker_failures": "10000", "origin_connections": "64", "origin_fetches": "64",
           "connections_per_address": "0", "reencode": "off", "tmdb_images": "off"}
STALE = {STRICT: {"stale_if_error": "0"}, LENIENT: {}}
CODES = "only 200 is a picture; 404, 410 and refusals are remembered for `--failure-memory`, whatever their fields say, others not at all"
STORED = "the origin is the operator's: its pictures are for all clients, and are stored to be rendered; `no-store` counts as no lifetime"
OWN = "`Age` and `Date` are of OneSheet's own response, which counts from its own request to the origin"
OPERATOR = "`--stale-if-error` is the operator's decision, for 30 days by default; with 0 the case passes"
DIFFERENCES = {
    "cc-response/cc-resp-private-shared": STORED, "cc-response/cc-resp-no-store-with-validator": STORED,
    "other/other-age-update-expires": OWN, "other/other-age-update-max-age": OWN, "other/other-date-update": OWN,
    **{f"stale/stale-close-{name}": OPERATOR for name in ("must-revalidate", "proxy-revalidate", "no-cache", "s-maxage")},
    **{f"heuristic/heuristic-{code}-cached": CODES for code in (203, 204, 405, 414, 501)}, "heuristic/heuristic-403-not_cached": CODES,
    **{f"status/status-{code}-fresh": CODES for code in (203, 204, 299, 400, 499, 500, 502, 503, 504, 599)},
    **{f"status/status-{code}-stale": CODES for code in (404, 410)},
}


class Response:
    def __init__(self, status, fields):
        self.status, self.fields = status, {name.lower(): value for name, value in fields}


def get(port, target, fields):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.putrequest("GET", target)
        for name, value in fields: connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        response.read()
        return Response(response.status, response.getheaders())
    finally:
        connection.close()


class Run:
    """One case: its requests, and what reached the origin."""

    def __init__(self, number, group, case, origin, servers):
        self.name, self.id, self.case, self.origin, self.port = f"case-{number}", f"{group}/{case.id}", case, origin, servers[case.server].port
        self.responses, self.found = [], []

    def target(self, number):
        if not self.case.key: return f"/poster/films:{self.name}?{SIZE}"
        url = f"{self.origin.base}/{self.name}?{self.case.key[number]}"
        return f"/proxy?url={urllib.parse.quote(url, safe='')}&{SIZE}"

    def fields(self, number):
        """The request's fields, with parts of the first response."""
        text = self.case.asks[number]
        if self.responses:
            first = self.responses[0].fields
            etag, date = first.get("etag", ""), first.get("last-modified")
            text = text.replace("{etag}", etag).replace("{tag}", etag.strip('"')).replace("{date}", date or "")
            if date: text = text.replace("{rfc850}", email.utils.parsedate_to_datetime(date).strftime("%A, %d-%b-%y %H:%M:%S GMT"))
        return fields_of(text)

    def ask(self, number):
        """Sends a request; those of a collapsed case are two at once."""
        if number >= len(self.case.asks): return
        before = len(self.origin.seen(self.name))
        if self.case.finds == ("collapsed",):
            with concurrent.futures.ThreadPoolExecutor(2) as pool: list(pool.map(lambda _: get(self.port, self.target(0), []), range(2)))
            self.found.append("collapsed" if len(self.origin.seen(self.name)) == 1 else FETCHED)
            return
        try:
            response = get(self.port, self.target(number), self.fields(number))
        except (OSError, http.client.HTTPException) as error:
            self.found.append(f"no response: {error}")
            return
        self.responses.append(response)
        new = self.origin.seen(self.name)[before:]
        if self.case.server == LENIENT:
            # The origin is asked in the background.
            is_same = response.fields.get("etag") == self.responses[0].fields.get("etag")
            self.found.append(CACHED if response.status == 200 and is_same and number else FETCHED)
        elif not new:
            self.found.append(CACHED)
        else:
            condition = new[-1].condition if new[-1].status == 304 else None
            self.found.append({"If-None-Match": BY_ETAG, "If-Modified-Since": BY_DATE}.get(condition, FETCHED))

    def outcome(self):
        case = self.case
        wanted = case.finds if isinstance(case.finds, tuple) else ("",) * (len(case.asks) - 1) + (case.finds,)
        is_met = all(not want or want == found for want, found in zip(wanted, self.found))
        seen = f"found {', '.join(self.found)}"
        if self.responses:
            last = self.responses[-1]
            is_met = is_met and case.status in (None, last.status) and self.has_field(last)
            seen += f"; status {last.status}" + (f"; {case.field.partition(':')[0]} {last.fields.get(case.field.partition(':')[0].lower())}" if case.field else "")
        expected = f"expected {', '.join(want for want in wanted if want)}; status {case.status or 'any'}" + (f"; {case.field}" if case.field else "")
        return Outcome(self.id, f"{case.kind}: {' / '.join(case.answers) or 'no fields'}", is_met, f"{expected}, {seen}", DIFFERENCES.get(self.id))

    def has_field(self, response):
        if not self.case.field: return True
        name, wanted = self.case.field.split(": ", 1)
        value, first = response.fields.get(name.lower(), ""), self.responses[0].fields
        if wanted.startswith(">"): return value.isdigit() and int(value) > int(wanted[1:])
        return value == wanted.replace("{etag}", first.get("etag", "")).replace("{first}", first.get("date", ""))


def run(program, log):
    answers = {f"case-{number}": case.answers for number, (_, case) in enumerate(CASES)}
    with Origin(answers) as origin:
        options = {**OPTIONS, "origin": f"films={origin.base}/{{key}}", "allow_url": f"{origin.base}?", "allow_private_origin": "127.0.0.1"}
        with Server(program, log, **options, **STALE[STRICT]) as strict, Server(program, log, **options, **STALE[LENIENT]) as lenient, \
                concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            runs = [Run(number, group, case, origin, {STRICT: strict, LENIENT: lenient}) for number, (group, case) in enumerate(CASES)]
            for number in range(max(len(case.asks) for _, case in CASES)):
                if number: time.sleep(PAUSE)
                list(pool.map(lambda one: one.ask(number), runs))
            return [one.outcome() for one in runs]
