"""What schemathesis cannot know from a schema: which posters there are, and what two parameters may be together."""
import itertools
import schemathesis

FILMS = itertools.cycle(["nosferatu-1922", "rashomon-1950", "sample:metropolis-1927"])
LARGEST = 4096  # pixels of a side, after dpr
counter = itertools.count()


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Every second id is one of a film that there is: else every answer would be a 404."""
    if path_parameters and "id" in path_parameters and next(counter) % 2:
        path_parameters["id"] = next(FILMS)
    return path_parameters


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
