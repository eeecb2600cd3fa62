"""Facts for schemathesis that a schema does not have: existing posters, and valid combinations of parameters.

Invalid requests are sent unchanged.
"""
import itertools, os, re
import schemathesis
from schemathesis import GenerationMode

ORIGIN = os.environ["ONESHEET_ORIGIN_URL"]
POSTERS = itertools.cycle(["nosferatu-1922", "rashomon-1950", "films:heat.jpg"])
FILMS = itertools.cycle(["nosferatu-1922", "rashomon-1950"])
APPS = itertools.cycle(["app-nickelodeon", "app-benshi"])
COUNTRIES = itertools.cycle(["KR", "DE", "US"])
PEOPLE = itertools.cycle(["fritz-lang", "max-schreck"])
PICTURES = itertools.cycle(["/poster/nosferatu-1922", f"{ORIGIN}/heat.jpg", f"{ORIGIN}/alien.jpg", f"{ORIGIN}/not-there.jpg?x"])
LARGEST = 4096  # pixels of a side, after dpr
YEARS = itertools.cycle(range(2004, 2025))
DAYS = itertools.cycle(["01-01", "02-28", "12-31", "07-15"])
COLLECTIONS = itertools.cycle(["none"])  # only TMDB has any
ELSEWHERE = re.compile("(tmdb|omdb|kobis|kmdb|itunes)(:|%3A)[A-Za-z0-9]+$")  # sources that need a key are off
turns = itertools.count()


def known(path):
    """Existing ids of a resource."""
    if path.startswith("/poster"):
        return POSTERS
    for start, ids in [("/apps", APPS), ("/people", PEOPLE), ("/collections", COLLECTIONS)]:
        if path.startswith(start):
            return ids
    return FILMS


@schemathesis.hook
def before_call(context, case, kwargs):
    path, query, headers = case.path_parameters or {}, {} if case.query is None else case.query, case.headers
    if ELSEWHERE.match(str(path.get("id", ""))) and not case.operation.path.startswith("/poster"):
        path["id"] = next(known(case.operation.path))
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    turn = next(turns)
    if turn % 2:  # else every response would be a 404
        if "id" in path:
            path["id"] = next(known(case.operation.path))
        if "file" in path:
            path["file"] = "heat.jpg"
    if re.search(":|%3A", str(path.get("id", ""))) and not case.operation.path.startswith("/poster"):  # sources that need a key are off
        path["id"] = next(known(case.operation.path))
    if "code" in path:
        path["code"] = next(FILMS)
    for name in ("area", "films", "keyword"):  # filters that the embedded catalogue does not support
        query.pop(name, None)
    if "year" in query:  # only one of both is allowed
        query.pop("decade", None)
    if "decade" in query:
        query["decade"] = int(query["decade"]) // 10 * 10
    if case.operation.path.endswith("/offers"):  # the server has no region of its own
        query["country"] = "KR"
        if case.query is None:
            case.query = query
    for name in ("country", "region"):
        if name in query:  # not every pair of letters is a country
            query[name] = next(COUNTRIES)
    for name in ("query", "term"):
        if not str(query.get(name, "a")).strip():  # white space of other alphabets, too
            query[name] = "a"
    if "ids" in query:  # a hundred long ids are too long for a URL
        query["ids"] = ",".join(itertools.islice(FILMS, 2))
    if "date" in query and "box-office" in case.operation.path:  # most days have no figures
        query["date"] = f"{next(YEARS)}-{next(DAYS)}"
    if case.operation.path.startswith("/v1/"):  # both or none, and no empty values
        query["yearfrom"] = query["yearto"] = "1950"
        query.update({name: value for name, value in {"genre": "1", "country": "KR"}.items() if query.get(name) == ""})
    if isinstance(case.body, dict) and case.body.get("redirectTo"):
        case.body["redirectTo"] = "myapp://signed-in"
    if "url" in query:  # only these URLs are allowed
        local = "_next" in case.operation.path
        query["url"] = next(url for url in PICTURES if local or not url.startswith("/"))
    if any(float(query.get(side) or 0) * float(query.get("dpr") or 1) > LARGEST for side in ("w", "h")):
        query["dpr"] = "1"
    if "s" not in query:  # an expiry needs a signature
        query.pop("exp", None)
    if headers and "If-None-Match" in headers and turn % 5 == 0:
        headers["If-None-Match"] = "*"
    if headers and "Range" in headers and turn % 7 == 0:
        headers["Range"] = "bytes=0-99"
