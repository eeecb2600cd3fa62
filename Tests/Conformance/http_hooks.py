"""What schemathesis cannot know from a schema: which posters there are, and what two parameters may be together."""
import itertools, os
import schemathesis

ORIGIN = os.environ["ONESHEET_ORIGIN_URL"]
FILMS = itertools.cycle(["nosferatu-1922", "rashomon-1950", "films:heat.jpg"])
PICTURES = itertools.cycle(["/poster/nosferatu-1922", f"{ORIGIN}/heat.jpg", f"{ORIGIN}/alien.jpg", f"{ORIGIN}/not-there"])
LARGEST = 4096  # pixels of a side, after dpr
counter = itertools.count()


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Every second id is one of a film that there is: else every answer would be a 404."""
    if path_parameters and "id" in path_parameters and next(counter) % 2:
        path_parameters["id"] = next(FILMS)
    if path_parameters and "file" in path_parameters and next(counter) % 2:
        path_parameters["file"] = "heat.jpg"
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    """Every second URL is one that is allowed, and whoever says when a signature ends signs, rightly or not."""
    if query and isinstance(query.get("url"), str) and next(counter) % 2:
        query["url"] = next(PICTURES)
    if query and "exp" in query and "s" not in query:
        del query["exp"]
    return query


@schemathesis.hook
def filter_query(context, query):
    """w and h are at most 4096 after dpr as well, which no schema of one parameter says."""
    try:
        ratio = float(query.get("dpr", 1))
        return all(float(query.get(side, 0)) * ratio <= LARGEST for side in ("w", "h"))
    except (AttributeError, TypeError, ValueError):
        return True  # asked to be refused


@schemathesis.hook
def map_headers(context, headers):
    """Every fifth request holds what it asks for, and every seventh wants a part: else no answer would be a 304 or a 206."""
    headers = headers if headers is not None else {}
    turn = next(counter)
    if "If-None-Match" in headers and turn % 5 == 0:
        headers["If-None-Match"] = "*"
    if "Range" in headers and turn % 7 == 0:
        headers["Range"] = "bytes=0-99"
    return headers
