"""Simulates The Movie Database and KOBIS as far as documents use them: small bodies of the same structure, at a local port."""
import http.server
import json
import threading
import urllib.parse

FIGHT_CLUB, FORREST_GUMP, STAR_WARS = 550, 13, 11
HERO = "20228555"


def row(number, title, date, **others):
    return {"id": number, "title": title, "original_title": title, "original_language": "en", "overview": "A film.", "release_date": date, "adult": False, "genre_ids": [18],
            "poster_path": f"/poster{number}.jpg", "backdrop_path": f"/backdrop{number}.jpg", "vote_average": 8.1, "vote_count": 100, "popularity": 10.0} | others


def page(rows):
    return {"page": 1, "results": rows, "total_pages": 1, "total_results": len(rows)}


def picture(kind, number, language, width, height, end="jpg"):
    return {"file_path": f"/{kind}{number}.{end}", "iso_639_1": language, "width": width, "height": height, "aspect_ratio": round(width / height, 3), "vote_average": 5.0, "vote_count": 1}


def pictures():
    """As many pictures of each kind as documents count; SVGs among the logos do not count."""
    backdrops = [picture("hZkgoQYus5vegHoetLkCJzb17zJ", "", None, 3840, 2160)] + [picture("backdrop", number, None, 1920, 1080) for number in range(54)]
    logos = [picture("logo", number, "en", 500, 200, "png") for number in range(40)] + [picture("drawing", number, "en", 500, 200, "svg") for number in range(5)]
    return {"backdrops": backdrops, "logos": logos, "posters": [picture("poster", number, "ko", 2000, 3000) for number in range(102)]}


def provider(number, name):
    return {"provider_id": number, "provider_name": name, "logo_path": f"/logo{number}.jpg", "display_priority": number}


def offers(country):
    return {"link": f"https://www.themoviedb.org/movie/550-fight-club/watch?locale={country}", "free": [provider(538, "Plex")], "buy": [provider(2, "Apple TV")]}


VIDEO = {"id": "5c9294240e0a267cd516835f", "iso_639_1": "en", "iso_3166_1": "US", "name": "#TBT Trailer", "key": "BdJKm16Co6M", "site": "YouTube", "size": 1080, "type": "Trailer",
         "official": True, "published_at": "2014-10-02T19:20:22.000Z"}
RELEASES = [{"iso_3166_1": "KR", "release_dates": [{"certification": "18", "release_date": "1999-11-13T00:00:00.000Z", "type": 3, "note": ""}]},
            {"iso_3166_1": "US", "release_dates": [{"certification": "R", "release_date": "1999-10-15T00:00:00.000Z", "type": 3, "note": ""}]}]
HANKS = {"id": 31, "name": "Tom Hanks", "original_name": "Tom Hanks", "known_for_department": "Acting", "profile_path": "/hanks.jpg", "adult": False, "popularity": 20.0}
HEROES = [row(1, "영웅", "2022-12-21", poster_path="/hero.jpg"), row(2, "영웅", "2002-12-19", poster_path="/other.jpg")]
TMDB = {
    "/collection/10": {"id": 10, "name": "Star Wars Collection", "overview": "An epic space-opera theatrical film series of a galaxy far, far away.", "poster_path": "/c.jpg",
                       "backdrop_path": "/d.jpg", "parts": [row(1891, "The Empire Strikes Back", "1980-05-20"), row(STAR_WARS, "Star Wars", "1977-05-25")]},
    f"/movie/{FIGHT_CLUB}": row(FIGHT_CLUB, "Fight Club", "1999-10-15") | {
        "genres": [{"id": 18, "name": "Drama"}], "runtime": 139, "status": "Released", "tagline": "", "imdb_id": "tt0137523", "videos": {"results": [VIDEO]},
        "release_dates": {"results": RELEASES}, "images": pictures(), "credits": {"cast": [], "crew": []}, "reviews": page([]), "keywords": {"keywords": []}},
    f"/movie/{FIGHT_CLUB}/images": {"id": FIGHT_CLUB} | pictures(),
    f"/movie/{FIGHT_CLUB}/watch/providers": {"id": FIGHT_CLUB, "results": {country: offers(country) for country in ("US", "AR", "AE", "KR")}},
    "/person/31": HANKS | {"also_known_as": ["톰 행크스", "トム・ハンクス"], "biography": "Thomas Jeffrey Hanks is an American actor.", "birthday": "1956-07-09", "deathday": None,
                           "place_of_birth": "Concord, California, USA", "imdb_id": "nm0000158", "external_ids": {"imdb_id": "nm0000158"},
                           "movie_credits": {"cast": [row(FORREST_GUMP, "Forrest Gump", "1994-06-23", character="Forrest Gump")], "crew": []}},
    "/search/person": page([HANKS | {"known_for": [row(FORREST_GUMP, "Forrest Gump", "1994-06-23", media_type="movie")]}]),
    "/search/movie": page(HEROES), "/discover/movie": page(HEROES), "/genre/movie/list": {"genres": [{"id": 18, "name": "Drama"}]},
}
KOBIS = {"movieInfoResult": {"source": "영화진흥위원회", "movieInfo": {
    "movieCd": HERO, "movieNm": "영웅", "movieNmEn": "Hero", "movieNmOg": "", "showTm": "120", "prdtYear": "2022", "openDt": "20221221", "prdtStatNm": "개봉", "typeNm": "장편",
    "nations": [{"nationNm": "한국"}], "genres": [{"genreNm": "드라마"}], "directors": [{"peopleNm": "윤제균", "peopleNmEn": "YOON Je-kyoon"}], "actors": [], "staffs": [],
    "companys": [], "showTypes": [], "audits": []}}}
NONE = {"success": False, "status_code": 34, "status_message": "The resource you requested could not be found."}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        if target.path.startswith("/kobis/"):
            status, body = 200, KOBIS if target.path.endswith("/searchMovieInfo.json") and f"movieCd={HERO}" in target.query else {"movieInfoResult": {"movieInfo": {}}}
        else:
            body = TMDB.get(target.path.removeprefix("/3"))
            status, body = (404, NONE) if body is None else (200, body)
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores resets of connections by a server that is stopped."""


def start():
    """Its address."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
