"""What a user and a client leave in a data folder with one program, and find with another."""
import hashlib

from accounts import call, sign_in
from pictures import LARGE, poster

FILMS = ["nosferatu-1922", "metropolis-1927", "the-general-1926"]
POSTERS = [*range(12), LARGE]
# Renders of the large poster take long enough to be stored.
TARGETS = [f"/poster/films:p{LARGE}?w={width}&format={form}" for form in ("jpeg", "webp") for width in (342, 92)]


def errors(node):
    return [line for line in node.log.read_text().splitlines() if "level=error" in line or "level=critical" in line]


def pictures(node):
    """The bytes and the fields of each target."""
    found = {}
    for target in TARGETS:
        status, fields, body = node.get(target, timeout=120)
        found[target] = status, hashlib.sha256(body).hexdigest()[:16], fields.get("etag"), fields.get("cache-status", "")
    return found


class User:
    """A guest with a favourite, a film to watch and ratings, which each program changes."""

    def __init__(self, node):
        self.token = sign_in(node, node)
        self.favourites, self.ratings, self.watchlist = set(), {}, set()
        self.change(node, 0)

    def change(self, node, round):
        film = FILMS[round % len(FILMS)]
        done = [call(node, "PUT", f"/favourites/{film}", self.token)[0], call(node, "PUT", f"/watchlist/{film}", self.token)[0],
                call(node, "PUT", f"/movies/{film}/rating", self.token, body={"value": 4 + round / 2})[0]]
        self.favourites.add(film)
        self.watchlist.add(film)
        self.ratings[film] = 4 + round / 2
        return all(status in (200, 201, 204) for status in done)

    def missing(self, node):
        """What is not as it was left, as texts."""
        found = []
        for path, films in (("favourites", self.favourites), ("watchlist", self.watchlist)):
            status, page = call(node, "GET", f"/{path}", self.token)
            shown = {each["id"] for each in page.get("results", [])}
            if status != 200 or shown != films: found.append(f"{path}: {status} {sorted(shown)} instead of {sorted(films)}")
        for film, value in self.ratings.items():
            status, answer = call(node, "GET", f"/movies/{film}/rating", self.token)
            if answer.get("value") != value: found.append(f"rating of {film}: {status} {answer} instead of {value}")
        return found


def fetch_all(node, versions=None):
    """The numbers of posters with other bytes than those of their versions."""
    wrong = []
    for number in POSTERS:
        status, _, body = node.get(f"/poster/films:p{number}")
        if status != 200 or body != poster(number, (versions or {}).get(number, 0))[1]: wrong.append(number)
    return wrong
