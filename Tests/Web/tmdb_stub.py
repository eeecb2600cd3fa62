"""Simulates TMDB, with pictures: texts come from the test, and each part can be held back until it is released."""
import http.server, json, pathlib, re, sys, threading, urllib.parse

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PICTURES = REPOSITORY / "Sources/Movies/EmbeddedCatalogue/Resources"
POSTERS = sorted((PICTURES / "originals").glob("*.jpg"))
SCENES = sorted((PICTURES / "scenes").glob("*.jpg"))
FIRST, PERSON, SERIES, GENRE = 301, 71, 77816, 18
HOLD_SECONDS = 120  # limits the time of a response that is never released
KEY = "0123456789abcdef0123456789abcdef"


def kind_of(path):
    """The kind of a request: a list, the details of a film, their supplements, or a picture."""
    if path.startswith("/t/p/"):
        return "pictures"
    if re.fullmatch(r"/3/(movie|person|collection)/\d+", path):
        return "details"
    if re.search(r"/(similar|recommendations|reviews|images|watch/providers)$|/search/person$", path):
        return "supplements"
    return "lists"


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *request):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a program drops its connections at its end
            super().handle_error(*request)


class Stub:
    """- texts: titles, names and other texts, used in turn. - link: the address that films, reviews and offers have.

    - posters: by the number of a film, what it has instead of a poster: None, a status such as 404, or bytes that are no picture.
    """

    def __init__(self, texts, count=20, link="https://example.org/", posters={}):
        self.texts, self.count, self.link, self.posters = texts, count, link, posters
        self.gates = {kind: threading.Event() for kind in ("lists", "details", "supplements", "pictures")}
        self.asked = []
        for gate in self.gates.values():
            gate.set()

    def __enter__(self):
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                stub.serve(self)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.release(*self.gates)
        self.server.shutdown()
        self.server.server_close()

    @property
    def options(self):
        """Options of a program that uses this as TMDB."""
        base = f"http://127.0.0.1:{self.server.server_port}"
        return ["--tmdb-key", KEY, "--source-url", f"tmdb={base}/3", "--tmdb-images", base + "/t/p/original/{key}",
                "--video-thumbnails", base + "/t/p/original/{key}-1.jpg",
                "--allow-private-origin", "127.0.0.1", "--region", "KR", "--origin-rate", "0"]

    def hold(self, *kinds):
        for kind in kinds:
            self.gates[kind].clear()

    def release(self, *kinds):
        for kind in kinds:
            self.gates[kind].set()

    def serve(self, request):
        url = urllib.parse.urlsplit(request.path)
        kind = kind_of(url.path)
        self.asked.append(url.path)
        self.gates[kind].wait(HOLD_SECONDS)
        if kind == "pictures":
            number = int(re.search(r"(\d+)\.jpg$", url.path)[1])
            files = SCENES if "scene" in url.path else POSTERS
            status, media, body = 200, "image/jpeg", files[number % len(files)].read_bytes()
            broken = self.posters.get(number) if "poster" in url.path else None
            if broken is not None:
                status, body = (200, broken) if isinstance(broken, bytes) else (broken, b"")
        else:
            answer = self.answer(url.path.removeprefix("/3"), dict(urllib.parse.parse_qsl(url.query)))
            status, media = (404, "application/json") if answer is None else (200, "application/json")
            body = json.dumps(answer or {"success": False, "status_code": 34, "status_message": "not found"}).encode()
        try:
            request.send_response(status)
            request.send_header("Content-Type", media)
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)
        except OSError:  # the client has disconnected
            request.close_connection = True

    def text(self, number):
        return self.texts[number % len(self.texts)]

    def answer(self, path, query):
        """The body for a path below /3; None for an unknown one."""
        if match := re.fullmatch(r"/movie/(\d+)", path):
            number = int(match[1])
            return self.details(number) if FIRST <= number < FIRST + self.count else None
        if match := re.fullmatch(r"/movie/(\d+)/(\w+)(/providers)?", path):
            return self.part(int(match[1]), match[2])
        if path == f"/person/{PERSON}":
            return self.person()
        if path == f"/collection/{SERIES}":
            return {"id": SERIES, "name": self.text(3), "overview": self.text(4), "poster_path": "/poster5.jpg", "backdrop_path": "/scene5.jpg",
                    "parts": [self.row(FIRST + index) for index in range(self.count)]}
        if path == "/genre/movie/list":
            return {"genres": [{"id": GENRE, "name": self.text(5)}]}
        if path == "/search/person":
            return self.page([{"id": PERSON, "name": self.text(0), "profile_path": "/poster7.jpg", "known_for_department": "Acting",
                               "known_for": [{"media_type": "movie", **self.row(FIRST)}]}])
        if re.match(r"/(movie|trending|search|discover)/", path):
            return self.page([self.row(FIRST + index) for index in range(self.count)])
        return None

    def page(self, rows):
        return {"page": 1, "results": rows, "total_pages": 1, "total_results": len(rows)}

    def row(self, number):
        return {"adult": False, "backdrop_path": f"/scene{number}.jpg", "genre_ids": [GENRE], "id": number, "original_language": "ko",
                "original_title": self.text(number - FIRST), "title": self.text(number - FIRST), "overview": self.text(number - FIRST + 1),
                "popularity": 12.5, "poster_path": self.poster(number), "release_date": "2024-04-24", "video": False,
                "vote_average": 7.25, "vote_count": 40}

    def poster(self, number):
        return f"/poster{number}.jpg" if self.posters.get(number, 0) is not None else None

    def details(self, number):
        people = [{"id": PERSON + index, "name": text, "character": self.text(index + 1), "order": index, "profile_path": f"/poster{index}.jpg"}
                  for index, text in enumerate(self.texts)]
        return {**self.row(number), "genres": [{"id": GENRE, "name": self.text(5)}], "runtime": 109, "status": "Released",
                "tagline": self.text(2), "homepage": self.link, "imdb_id": "tt0903001",
                "production_countries": [{"iso_3166_1": "KR", "name": self.text(1)}],
                "belongs_to_collection": {"id": SERIES, "name": self.text(3), "poster_path": "/poster5.jpg", "backdrop_path": "/scene5.jpg"},
                "credits": {"cast": people, "crew": [{"id": PERSON, "name": self.text(0), "job": "Director", "department": "Directing"},
                                                     {"id": 99, "name": self.text(1), "job": self.text(2), "department": self.text(3)}]},
                "images": self.images(number), "reviews": self.page(self.review_rows()), "external_ids": {"imdb_id": "tt0903001"},
                "keywords": {"keywords": [{"id": 800 + index, "name": text} for index, text in enumerate(self.texts)]},
                "release_dates": {"results": [{"iso_3166_1": "KR", "release_dates": [
                    {"certification": self.text(0)[:40], "release_date": "2024-04-24T00:00:00.000Z", "type": 3}]}]},
                "videos": {"results": [{"id": "v1", "iso_639_1": "ko", "name": self.text(0), "key": "BdJKm16Co6M", "site": "YouTube",
                                        "size": 1080, "type": "Trailer", "official": True, "published_at": "2024-04-01T09:00:00.000Z"}]}}

    def images(self, number):
        return {"backdrops": [{"file_path": f"/scene{number + index}.jpg", "iso_639_1": None, "width": 1280, "height": 720} for index in range(4)],
                "posters": [{"file_path": path, "iso_639_1": "ko", "width": 800, "height": 1200} for path in [self.poster(number)] if path],
                "logos": []}

    def review_rows(self):
        return [{"id": f"r{index}", "author": text, "content": text + " " + self.text(index + 1), "url": self.link,
                 "created_at": "2024-05-01T10:00:00.000Z", "author_details": {"username": text, "rating": 8}}
                for index, text in enumerate(self.texts)]

    def part(self, number, name):
        if name in ("similar", "recommendations"):
            return self.page([self.row(FIRST + index) for index in range(self.count) if FIRST + index != number])
        if name == "reviews":
            return self.page(self.review_rows())
        if name == "images":
            return self.images(number)
        if name == "watch":
            return {"id": number, "results": {"KR": {"link": self.link, "flatrate": [
                {"provider_id": 356, "provider_name": self.text(0), "logo_path": "/poster9.jpg", "display_priority": 2}]}}}
        return None

    def person(self):
        return {"id": PERSON, "name": self.text(0), "also_known_as": self.texts[:3], "biography": "\n\n".join(self.texts),
                "birthday": "1971-03-04", "deathday": None, "place_of_birth": self.text(1), "known_for_department": "Acting",
                "profile_path": "/poster7.jpg", "imdb_id": "nm0000071",
                "movie_credits": {"cast": [{"character": self.text(index), **self.row(FIRST + index)} for index in range(self.count)],
                                  "crew": [{"job": "Director", "department": "Directing", **self.row(FIRST + 1)}]}}
