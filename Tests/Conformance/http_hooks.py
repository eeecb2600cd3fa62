"""What schemathesis cannot know from a schema: which posters there are, and what parameters may be together.

Requests that are meant to be wrong go as they are.
"""
import itertools, os
import schemathesis
from schemathesis import GenerationMode

ORIGIN = os.environ["ONESHEET_ORIGIN_URL"]
POSTERS = itertools.cycle(["nosferatu-1922", "rashomon-1950", "films:heat.jpg"])
FILMS = itertools.cycle(["nosferatu-1922", "rashomon-1950"])
APPS = itertools.cycle(["app-nickelodeon", "app-benshi"])
PICTURES = itertools.cycle(["/poster/nosferatu-1922", f"{ORIGIN}/heat.jpg", f"{ORIGIN}/alien.jpg", f"{ORIGIN}/not-there.jpg?x"])
LARGEST = 4096  # pixels of a side, after dpr
turns = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    turn = next(turns)
    path, query, headers = case.path_parameters or {}, case.query or {}, case.headers
    if turn % 2:  # else every answer would be a 404
        if "id" in path:
            path["id"] = next(
                POSTERS if case.operation.path.startswith("/poster") else
                APPS if case.operation.path.startswith("/apps") else FILMS)
        if "file" in path:
            path["file"] = "heat.jpg"
    if "url" in query:  # only these are allowed
        local = "_next" in case.operation.path
        query["url"] = next(url for url in PICTURES if local or not url.startswith("/"))
    if any(float(query.get(side) or 0) * float(query.get("dpr") or 1) > LARGEST for side in ("w", "h")):
        query["dpr"] = "1"
    if "s" not in query:  # an end is a part of signatures
        query.pop("exp", None)
    if headers and "If-None-Match" in headers and turn % 5 == 0:
        headers["If-None-Match"] = "*"
    if headers and "Range" in headers and turn % 7 == 0:
        headers["Range"] = "bytes=0-99"
