#!/usr/bin/env python3
"""Runs clients of The Movie Database from PyPI, tmdbsimple and tmdbv3api, against a server without a key of its own. Prints
failures, and "N passed, N failed" as the last line; exit status 1 after a failure.

usage: tmdb.py URL [--key KEY]      needs: requirements.txt

URL is the server's, without a path. KEY is a client key that the server accepts while it refuses others (--compat-keys-file); without
it, wrong keys are not tested.
"""
import argparse, os, sys

import requests
import tmdbsimple
import tmdbv3api
from tmdbv3api.exceptions import TMDbException

PREFIX = "/compat/tmdb/3"
APPENDED = ("credits,videos,images,reviews,similar,recommendations,release_dates,external_ids,keywords,translations,"
            "alternative_titles,watch/providers")
DEFAULT_KEY = "any-key"


class Checks:
    def __init__(self): self.passed, self.failed = 0, 0

    def __call__(self, name, holds, seen=""):
        if holds: self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {seen}")

    def raises(self, name, error, job, holds=lambda error: True):
        try: job()
        except error as found: self(name, holds(found), found)
        else: self(name, False, "no error was raised")

    def attempt(self, job, *arguments):
        """Counts an exception of a job as a failure; the other jobs continue."""
        try: job(*arguments)
        except Exception as error: self(job.__name__, False, f"{type(error).__name__}: {error}")


def status(error): return error.response.status_code, error.response.json().get("status_code")


def pages(read):
    """The rows of all pages of a list, at most 20 of them."""
    first = read(1)
    rows = list(first["results"])
    for number in range(2, min(first["total_pages"], 20) + 1): rows += read(number)["results"]
    return rows, first["total_results"]


def approve(base, token):
    """Submits the form of the approval page."""
    requests.post(f"{base}/auth/approve/{token}", data="approve=1", timeout=20).raise_for_status()


def simple(check, base, key):
    """tmdbsimple with another base URL, an attribute of its objects."""
    tmdbsimple.API_KEY = key

    def at(thing):
        thing.base_uri = base + PREFIX
        return thing

    def lists():
        for name in ("popular", "top_rated", "now_playing", "upcoming"):
            rows, total = pages(lambda page: getattr(at(tmdbsimple.Movies()), name)(page=page))
            check(f"simple {name}", len(rows) == total > 0 and all(row["title"] for row in rows), (len(rows), total))
            check(f"simple {name} ids", len({row["id"] for row in rows}) == total, "not unique")
        for window in ("day", "week"):
            rows = at(tmdbsimple.Trending(media_type="movie", time_window=window)).info()["results"]
            check(f"simple trending {window}", all(row["media_type"] == "movie" for row in rows))
        genres = at(tmdbsimple.Genres()).movie_list()["genres"]
        found = at(tmdbsimple.Discover()).movie(with_genres=genres[0]["id"])["results"]
        check("simple discover", all(genres[0]["id"] in row["genre_ids"] for row in found), found[:1])

    def search():
        finder = at(tmdbsimple.Search())
        rows = finder.movie(query="nosferatu")["results"]
        check("simple search", rows and rows[0]["title"].startswith("Nosferatu"), rows[:1])
        people = finder.person(query="murnau")["results"]
        check("simple people", people and people[0]["known_for"], people[:1])
        kinds = {row["media_type"] for row in finder.multi(query="murnau")["results"]}
        check("simple multi", "person" in kinds, kinds)
        person = at(tmdbsimple.People(people[0]["id"]))
        check("simple person", person.info()["name"] == people[0]["name"])
        check("simple movie_credits", person.movie_credits()["crew"])

    def details():
        film = at(tmdbsimple.Search()).movie(query="nosferatu")["results"][0]
        details = at(tmdbsimple.Movies(film["id"])).info(append_to_response=APPENDED, language="ko-KR")
        check("simple appended", all(name in details for name in APPENDED.split(",")), details.keys())
        check("simple cast", details["credits"]["cast"] and details["credits"]["crew"])
        countries = at(tmdbsimple.Movies(film["id"])).releases()["countries"]
        check("simple releases", countries and countries[0]["release_date"] == details["release_date"], countries)
        for name, read in (("tv", at(tmdbsimple.Search()).tv), ("company", at(tmdbsimple.Search()).company)):
            check(f"simple search {name}", read(query="nosferatu")["results"] == [])
        images = at(tmdbsimple.Configuration()).info()["images"]
        for path in (details["poster_path"], details["backdrop_path"]):
            answer = requests.get(images["secure_base_url"] + images["poster_sizes"][0] + path, timeout=20)
            check(f"simple image {path}", answer.headers.get("content-type", "").startswith("image/"), answer.status_code)

    def errors():
        check.raises("simple unknown film", requests.HTTPError, at(tmdbsimple.Movies(1)).info,
                     lambda error: status(error) == (404, 34))
        check.raises("simple page", requests.HTTPError, lambda: at(tmdbsimple.Movies()).popular(page=501),
                     lambda error: status(error) == (400, 22))

    def account():
        sign_in = at(tmdbsimple.Authentication())
        token = sign_in.token_new()["request_token"]
        check.raises("simple too early", requests.HTTPError, lambda: sign_in.session_new(request_token=token),
                     lambda error: status(error) == (401, 17))
        check.raises("simple password", requests.HTTPError,
                     lambda: sign_in.token_validate_with_login(request_token=token, username="a", password="b"),
                     lambda error: status(error) == (401, 30) and token in error.response.json()["authenticate_url"])
        approve(base, token)
        session = sign_in.session_new(request_token=token)["session_id"]
        user = at(tmdbsimple.Account(session))
        check("simple account", user.info()["username"])
        film = at(tmdbsimple.Movies()).popular()["results"][0]["id"]
        movie = at(tmdbsimple.Movies(film))
        movie.rating(session_id=session, value=8.5)
        check("simple rating", movie.account_states(session_id=session)["rated"] == {"value": 8.5})
        check("simple rated", [row["rating"] for row in user.rated_movies()["results"]] == [8.5])
        movie.rating_delete(session_id=session)
        check("simple no rating", movie.account_states(session_id=session)["rated"] is False)
        user.favorite(media_type="movie", media_id=film, favorite=True)
        check("simple favorites", [row["id"] for row in user.favorite_movies()["results"]] == [film])
        user.watchlist(media_type="movie", media_id=film, watchlist=True)
        check("simple watchlist", [row["id"] for row in user.watchlist_movies()["results"]] == [film])
        user.favorite(media_type="movie", media_id=film, favorite=False)
        check("simple no favorites", user.favorite_movies()["results"] == [])
        sign_in.session_delete(session_id=session)
        check.raises("simple ended", requests.HTTPError, user.info, lambda error: status(error) == (401, 3))

    def guest():
        session = at(tmdbsimple.Authentication()).guest_session_new()["guest_session_id"]
        film = at(tmdbsimple.Movies()).popular()["results"][0]["id"]
        at(tmdbsimple.Movies(film)).rating(guest_session_id=session, value=7)
        rows = at(tmdbsimple.GuestSessions(session)).rated_movies()["results"]
        check("simple guest", [row["rating"] for row in rows] == [7], rows)

    for job in (lists, search, details, errors, account, guest): check.attempt(job)


def v3(check, base, key):
    """tmdbv3api with another base URL, an attribute of its objects."""
    os.environ["TMDB_CACHE_ENABLED"] = "False"

    def at(kind):
        thing = kind()
        thing.api_key, thing.language, thing._base = key, "en-US", base + PREFIX
        return thing

    def lists():
        for name in ("popular", "top_rated", "now_playing", "upcoming"):
            films = at(tmdbv3api.Movie)
            rows, total = [], None
            page = 1
            while total is None or page <= int(films.total_pages):
                answer = getattr(films, name)(page=page)
                rows, total, page = rows + list(answer), int(films.total_results), page + 1
            check(f"v3 {name}", len(rows) == total > 0 and all(row.title for row in rows), (len(rows), total))
        check("v3 trending", len(list(at(tmdbv3api.Trending).movie_week())) > 0)
        check("v3 genres", any(genre.name == "Horror" for genre in at(tmdbv3api.Genre).movie_list()))
        found = list(at(tmdbv3api.Discover).discover_movies({"with_genres": "27", "sort_by": "vote_average.desc"}))
        check("v3 discover", found and found == sorted(found, key=lambda row: -row.vote_average))

    def details():
        film = list(at(tmdbv3api.Search).movies("metropolis"))[0]
        details = at(tmdbv3api.Movie).details(film.id)
        check("v3 details", details.title == film.title and details.casts.cast and details.casts.crew)
        check("v3 trailers", details.trailers.youtube is not None)
        films = at(tmdbv3api.Movie)
        for name in ("credits", "images", "similar", "recommendations", "release_dates", "external_ids", "reviews",
                     "keywords", "translations", "alternative_titles", "videos", "watch_providers"):
            getattr(films, name)(film.id)
            check(f"v3 {name}", True)
        person = list(at(tmdbv3api.Search).people("fritz lang"))[0]
        check("v3 person", at(tmdbv3api.Person).details(person.id).name == person.name)
        check("v3 movie_credits", list(at(tmdbv3api.Person).movie_credits(person.id).crew))
        check("v3 configuration", at(tmdbv3api.Configuration).api_configuration().images.base_url.endswith("/t/p/"))

    def errors():
        check.raises("v3 unknown film", TMDbException, lambda: at(tmdbv3api.Movie).details(1),
                     lambda error: "could not be found" in str(error))
        # tmdbv3api signs in only by name and password, which only the vendor supports.
        login = {"username": "a", "password": "b", "request_token": "c"}
        check.raises("v3 password", TMDbException,
                     lambda: at(tmdbv3api.Movie)._request_obj("/authentication/token/validate_with_login", method="POST", json=login),
                     lambda error: "valid login" in str(error))

    def account():
        token = requests.get(f"{base}{PREFIX}/authentication/token/new", params={"api_key": key}, timeout=20).json()
        approve(base, token["request_token"])
        session = requests.post(f"{base}{PREFIX}/authentication/session/new", params={"api_key": key},
                                json={"request_token": token["request_token"]}, timeout=20).json()["session_id"]
        os.environ["TMDB_SESSION_ID"] = session
        os.environ.pop("TMDB_ACCOUNT_ID", None)
        user = at(tmdbv3api.Account)
        film = list(at(tmdbv3api.Movie).popular())[0].id
        at(tmdbv3api.Movie).rate_movie(film, 9)
        check("v3 rated", [row.rating for row in user.rated_movies()] == [9])
        at(tmdbv3api.Movie).delete_rating(film)
        check("v3 no rating", list(user.rated_movies()) == [])
        user.mark_as_favorite(film, "movie")
        check("v3 favorites", [row.id for row in user.favorite_movies()] == [film])
        user.add_to_watchlist(film, "movie")
        check("v3 watchlist", [row.id for row in user.movie_watchlist()] == [film])

    for job in (lists, details, errors, account): check.attempt(job)


def wrong_key(check, base):
    tmdbsimple.API_KEY = "wrong"
    films = tmdbsimple.Movies()
    films.base_uri = base + PREFIX
    check.raises("wrong key", requests.HTTPError, films.popular, lambda error: status(error) == (401, 7))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--key")
    arguments = parser.parse_args()
    base, check = arguments.url.rstrip("/"), Checks()
    simple(check, base, arguments.key or DEFAULT_KEY)
    v3(check, base, arguments.key or DEFAULT_KEY)
    if arguments.key: check.attempt(wrong_key, check, base)
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(check.failed > 0)


if __name__ == "__main__": main()
