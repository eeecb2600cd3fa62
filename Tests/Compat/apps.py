#!/usr/bin/env python3
"""Sends the requests of five apps, as their network layers do, to a running server, and reads the same members.

usage: apps.py URL

URL is a server with `--compat` and the embedded catalogue and store. The apps: lists, search and ratings of The Movie Database
(MovieFinder), a box office with posters of Naver (BoxOffice2), a search of Naver's films with favourites (IAMMovie), a box office with
posters of Kakao (BoxOffice-Upgrade.ver), and an app store (AppStore). Only the base URL differs. Exit status 0 if each
app finds all data that it shows.
"""
import datetime, json, re, sys, urllib.error, urllib.parse, urllib.request

KOREA = datetime.timezone(datetime.timedelta(hours=9))
KOBIS = "/compat/kobis/kobisopenapi/webservice/rest"
TMDB = "/compat/tmdb/3"


def expect(holds, text):
    if not holds:
        raise SystemExit(f"failed: {text}")


class Client:
    def __init__(self, url):
        self.url = url

    def get(self, path, headers={}, **query):
        return self.send(path, headers, None, **query)

    def send(self, path, headers, body, **query):
        """A GET, or a POST of a body."""
        target = path if path.startswith("http") else self.url + path
        if query:
            target += "?" + urllib.parse.urlencode(query)
        try:
            with urllib.request.urlopen(urllib.request.Request(target, body, headers), timeout=30) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def json(self, path, headers={}, **query):
        status, _, body = self.get(path, headers, **query)
        expect(status == 200, f"{path}: {status}")
        return json.loads(body)

    def post(self, path, value, **query):
        status, _, body = self.send(path, {"Content-Type": "application/json"}, json.dumps(value).encode(), **query)
        return status, json.loads(body)

    def picture(self, url):
        status, headers, body = self.get(url, {"Accept": "image/*"})
        expect(status == 200 and headers.get_content_type().startswith("image/") and len(body) > 100, f"the picture {url}")


def yesterday():
    return (datetime.datetime.now(KOREA) - datetime.timedelta(days=1)).strftime("%Y%m%d")


def rows(result, name):
    """The rows of a box office; every value must be a string."""
    rows = result["boxOfficeResult"][name]
    expect(1 <= len(rows) <= 10, f"{name} has rows")
    for row in rows:
        expect(all(isinstance(value, str) for value in row.values()), "values are strings")
        expect(int(row["audiCnt"]) >= 0 and int(row["rankInten"]) is not None and row["rankOldAndNew"] in ("OLD", "NEW"), "a row's figures")
    return rows


def film(client, code):
    film = client.json(KOBIS + "/movie/searchMovieInfo.json", key="k", movieCd=code)["movieInfoResult"]["movieInfo"]
    for name in ("movieNm", "showTm", "prdtYear", "openDt"):
        expect(isinstance(film[name], str), f"{name} of {code}")
    for name in ("genres", "directors", "actors", "audits", "nations"):
        expect(isinstance(film[name], list), f"{name} of {code}")
    return film


def film_finder(client):
    """Four lists and the genres, search, details with reviews, approval of a token, and ratings with all their pages."""
    query = {"api_key": "k", "include_adult": "false"}
    films = []
    for name in ("now_playing", "popular", "top_rated", "upcoming"):
        page = client.json(f"{TMDB}/movie/{name}", page="1", **query)
        expect(isinstance(page["total_pages"], int) and page["page"] == 1, f"{name} has pages")
        films += page["results"]
    names = {genre["id"]: genre["name"] for genre in client.json(TMDB + "/genre/movie/list", api_key="k", language="ko")["genres"]}
    for row in films:
        expect(isinstance(row["id"], int) and all(isinstance(row[name], str) for name in
                                                  ("title", "overview", "release_date", "original_language")), "a row's texts")
        expect(all(number in names for number in row["genre_ids"]) and isinstance(row["vote_average"], (int, float)), "a row's genres")
    film = films[0]
    found = client.json(TMDB + "/search/movie", query=film["title"], page="1", **query)
    expect(film["id"] in [row["id"] for row in found["results"]], "a film is found by its title")
    details = client.json(f"{TMDB}/movie/{film['id']}", api_key="k")
    expect(details["title"] == film["title"] and isinstance(details["imdb_id"], str), "a film's details")
    if details["imdb_id"]:
        facts = client.json("/compat/omdb/", apikey="k", i=details["imdb_id"])
        expect(facts["Response"] == "True" and facts["imdbID"] == details["imdb_id"], "a film's facts")
    expect(isinstance(client.json(f"{TMDB}/movie/{film['id']}/reviews", api_key="k")["results"], list), "a film's reviews")
    client.picture("/t/p/original" + film["poster_path"])
    token = client.json(TMDB + "/authentication/token/new", api_key="k")["request_token"]
    expect(client.get(f"/compat/tmdb/authenticate/{token}")[0] == 200, "the approval page")
    client.send(f"/auth/approve/{token}", {}, b"approve=1")
    session = client.post(TMDB + "/authentication/session/new", {"request_token": token}, api_key="k")[1]["session_id"]
    user = {"api_key": "k", "session_id": session}
    account = client.json(TMDB + "/account", **user)["id"]
    rated = list(dict.fromkeys(row["id"] for row in films))[:3]
    for number in rated:
        status, body = client.post(f"{TMDB}/movie/{number}/rating", {"value": 8.5}, **user)
        expect(status == 201 and body["status_code"] in (1, 12), f"a rating of {number}")
    rows, page, pages = {}, 1, 1
    while page <= pages:
        given = client.json(f"{TMDB}/account/{account}/rated/movies", page=str(page), **user)
        pages, page = given["total_pages"], page + 1
        rows |= {row["id"]: row["rating"] for row in given["results"]}
    expect(rows == {number: 8.5 for number in rated}, "all ratings are listed")
    return len(films)


def box_office_with_naver(client):
    """Daily and weekly box offices of Seoul, details, and posters by title and year."""
    query = {"key": "k", "targetDt": yesterday(), "itemPerPage": "10", "wideAreaCd": "0105001"}
    daily = rows(client.json(KOBIS + "/boxoffice/searchDailyBoxOfficeList.json", **query), "dailyBoxOfficeList")
    week = (datetime.datetime.now(KOREA) - datetime.timedelta(days=7)).strftime("%Y%m%d")
    for number in ("0", "1", "2"):
        query = {"key": "k", "targetDt": week, "itemPerPage": "10", "wideAreaCd": "0105001", "weekGb": number}
        rows(client.json(KOBIS + "/boxoffice/searchWeeklyBoxOfficeList.json", **query), "weeklyBoxOfficeList")
    posters = 0
    for row in daily:
        year = film(client, row["movieCd"])["openDt"][:4]
        headers = {"X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"}
        found = client.json("/compat/naver/v1/search/movie.json", headers, query=row["movieNm"], display="1", yearfrom=year, yearto=year)
        if found["items"] and found["items"][0]["image"]:
            client.picture(found["items"][0]["image"])
            posters += 1
    expect(posters > 0, "a poster of a film of the box office")
    return len(daily)


def naver_search(client):
    """All results in pages of twenty; identity is the link."""
    headers = {"X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"}
    links, start, total = [], 1, 1
    while start <= total:
        page = client.json("/compat/naver/v1/search/movie.json", headers, query="a", start=str(start), display="20")
        total = page["total"]
        expect(page["start"] == start and page["display"] == len(page["items"]) and page["items"], "a page")
        for item in page["items"]:
            expect(all(isinstance(item[name], str) for name in ("title", "link", "image", "subtitle", "pubDate", "director", "actor",
                                                                "userRating")), "an item's strings")
            expect(re.fullmatch(r"\d+\.\d\d", item["userRating"]), "a rating")
            links.append(item["link"])
        start += len(page["items"])
    expect(len(links) == len(set(links)) == total, "each result appears once")
    status, _, body = client.get("/compat/naver/v1/search/movie.json", headers, query="")
    expect(status == 400 and json.loads(body)["errorCode"] == "SE01", "an empty query is refused")
    return total


def box_office_with_kakao(client):
    """The box office of yesterday, and the first picture of a search for each film's poster."""
    daily = rows(client.json(KOBIS + "/boxoffice/searchDailyBoxOfficeList.json", key="k", targetDt=yesterday()), "dailyBoxOfficeList")
    posters = 0
    for row in daily:
        film(client, row["movieCd"])
        found = client.json("/compat/kakao/v2/search/image", {"Authorization": "KakaoAK key"}, query=f"{row['movieNm']} 영화포스터")
        if found["documents"]:
            client.picture(found["documents"][0]["image_url"])
            expect(found["documents"][0]["height"] > found["documents"][0]["width"], "a poster is upright")
            posters += 1
    expect(posters == len(daily), "a poster of every film")
    fault = client.json(KOBIS + "/boxoffice/searchDailyBoxOfficeList.json", key="k", targetDt="2025")["faultInfo"]
    expect(fault["errorCode"] == "320103", "a malformed day is a fault")
    return posters


def app_store(client):
    """A search in pages, and details by id."""
    found = client.json("/compat/itunes/search", country="kr", media="software", term="a", offset="0", limit="5")
    expect(found["resultCount"] == len(found["results"]) > 0, "apps are found")
    for row in found["results"]:
        app = client.json("/compat/itunes/lookup", country="kr", id=str(row["trackId"]))["results"][0]
        for name in ("trackName", "primaryGenreName", "sellerName", "artistName", "minimumOsVersion", "description", "version",
                     "contentAdvisoryRating", "fileSizeBytes", "artworkUrl100"):
            expect(isinstance(app[name], str), f"{name} of an app")
        expect(isinstance(app["price"], (int, float)) and isinstance(app["userRatingCount"], int), "an app's figures")
        expect(isinstance(app["languageCodesISO2A"], list), "an app's languages")
        for url in [app["artworkUrl100"]] + app["screenshotUrls"][:1]:
            client.picture(url)
    expect(client.json("/compat/itunes/lookup", country="kr", id="1")["resultCount"] == 0, "an unknown id has no results")
    return len(found["results"])


def main(url):
    client = Client(url)
    for app in (film_finder, box_office_with_naver, naver_search, box_office_with_kakao, app_store):
        print(f"{app.__name__}: {app(client)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1].rstrip("/"))
