#!/usr/bin/env python3
"""Runs itunespy, a client of the iTunes Search API, against a running server.

usage: itunes.py URL

URL is a server with `--compat itunes` and the embedded catalogue and store. The environment needs `pip install itunespy`.
Exit status 0 if all data that itunespy reads is there.
"""
import sys, urllib.request

import itunespy


def expect(holds, text):
    if not holds:
        raise SystemExit(f"failed: {text}")


def status(url):
    with urllib.request.urlopen(url) as response:
        return response.status, response.headers.get_content_type()


def check_app(app):
    for name in ("track_id", "track_name", "artist_name", "seller_name", "price", "formatted_price", "description", "version",
                 "bundle_id", "minimum_os_version", "genres", "genre_ids", "average_user_rating", "primary_genre_name"):
        expect(getattr(app, name, None) is not None, f"{name} of {app.track_name}")
    expect(app.type == "software" and app.track_type == "software", "the kind of an app")
    expect(isinstance(app.file_size, str) and app.file_size.isdigit(), "a size is a string of digits")
    expect(isinstance(app.language_codes, list), "languages are a list")
    expect(app.get_country() == "KR", "the country of an app is that of the request")
    expect(app.parsed_release_date.year > 2000, "the release of an app is a day")
    found = itunespy.lookup(id=app.track_id, country="KR")
    expect([other.track_name for other in found] == [app.track_name], f"{app.track_name} by its number")
    for url in [app.artwork_url_100, app.get_artwork_url(600)] + app.json["screenshotUrls"][:1]:
        expect(status(url) == (200, "image/jpeg"), f"the picture {url}")


def check_film(film):
    for name in ("track_id", "track_name", "artist_name", "release_date", "track_view_url", "primary_genre_name"):
        expect(getattr(film, name, None) is not None, f"{name} of {film.track_name}")
    expect(film.type == "track" and film.track_type == "feature-movie", "the kind of a film")
    expect(film.get_country("name") == "United States", "the country of a film")
    expect(film.parsed_release_date.year > 1800, "the release of a film is a day")
    found = itunespy.lookup(id=film.track_id)
    expect([other.track_name for other in found] == [film.track_name], f"{film.track_name} by its number")
    expect(status(film.get_artwork_url(200)) == (200, "image/jpeg"), "a film's poster")


def main(url):
    itunespy.base_search_url = url + "/compat/itunes/search"
    itunespy.base_lookup_url = url + "/compat/itunes/lookup"
    apps = itunespy.search("a", country="KR", media="software", limit=5)
    expect(1 <= len(apps) <= 5, "1 to 5 apps are found")
    for app in apps:
        check_app(app)
    films = itunespy.search("the", media="movie", limit=10)
    expect(1 <= len(films) <= 10, "1 to 10 films are found")
    for film in films[:3]:
        check_film(film)
    both = itunespy.search("film")
    expect({item.type for item in both} <= {"software", "track"}, "only apps and films are found")
    for call in (lambda: itunespy.search("no such thing at all"), lambda: itunespy.lookup(id=1)):
        try:
            call()
        except LookupError:
            continue
        expect(False, "an unknown term or id raises LookupError")
    print(f"itunespy: {len(apps)} apps and {len(films)} films have all members that it reads")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1].rstrip("/"))
