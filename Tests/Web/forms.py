"""Forms, cookies and header fields: cross-site requests are refused, and refusals are pages with an explanation."""
import base64, json, re, urllib.parse

from web import Site

FILM = "/films/nosferatu-1922"
HTML = {"Accept": "text/html"}
FORM = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
# Fields of every page, for any status.
SECURITY = {
    "content-security-policy": r"default-src 'none'.*require-trusted-types-for 'script'", "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin", "x-content-type-options": "nosniff", "permissions-policy": "camera=",
}
PRESSED = re.compile(rb'<button[^>]*aria-pressed="true"')
POSTS = [f"{FILM}/favourite", f"{FILM}/watchlist", f"{FILM}/rating", "/sign-out"]


def run(browser, program, check, is_full):
    for tls in (False, True):
        with Site(program, tls=tls) as site:
            own = {"Origin": site.base, "Sec-Fetch-Site": "same-origin"}
            fields(site, check)
            refused(site, check, own)
            kept(site, check, own, tls)
            signing_in(site, check, own)
    with Site(program, "--no-web") as site:
        check("--no-web: no home page", site.ask("/", headers=HTML)[0] == 404)
        check("--no-web: JSON is served", site.ask("/movies/nosferatu-1922")[0] == 200)


def post(site, path, fields, headers):
    return site.ask(path, "POST", urllib.parse.urlencode(fields), {**FORM, **headers})


def token_of(body):
    found = re.search(r'name="token" value="([^"]*)"', body.decode())
    return found and found[1]


def cookie_of(fields, name="onesheet_session"):
    """The Set-Cookie field, and the pair for the Cookie field."""
    line = next((each for each in fields["set-cookie"] if name in each.partition("=")[0]), "")
    return line, line.partition(";")[0]


def fields(site, check):
    for path, expected in (("/", 200), (FILM, 200), ("/my/favourites", 200), ("/sign-in", 200), ("/nothing-here", 404), ("/discover?page=x", 400)):
        status, got, _ = site.ask(path, headers=HTML)
        check(f"{path}: status", status == expected, status)
        for name, pattern in SECURITY.items():
            check(f"{path}: {name}", re.search(pattern, got.get(name, "")), got.get(name))
        policy = got.get("content-security-policy", "")
        check(f"{path}: no unsafe source", "unsafe" not in policy and "*" not in policy and "data:" not in policy, policy)
    _, got, _ = site.ask("/", headers=HTML)
    check("a page without a cookie may be cached by proxies", "public" in got["cache-control"] and "Cookie" in got.get("vary", ""), got["cache-control"])
    tag = got.get("etag")
    status, again, _ = site.ask("/", headers={**HTML, "If-None-Match": tag or '"none"'})
    check("a page without a cookie is revalidated", status == 304 and "content-security-policy" in again, status)
    part = site.ask("/lists/popular?part=1", headers=HTML)[2].decode()
    check("a part has no styles and no scripts", "<style" not in part and "<script" not in part and "data-grid" in part)


def refused(site, check, own):
    for path in POSTS:
        status, got, _ = site.ask(path, headers=HTML)
        check(f"GET {path} is refused", status == 405 and "POST" in got.get("allow", ""), status)
    for path in POSTS + ["/my/erase", "/my/import", "/badges"]:
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}):
            status, got, body = post(site, path, {"on": "1", "token": "0"}, headers)
            check(f"POST {path} from {headers}: refused with a page", status == 403 and b"<h1" in body and not got["set-cookie"], status)
    status, _, body = site.ask(POSTS[0], "POST", "on=1&token=0&x=" + "y" * 8192, {**FORM, **own})
    check("a body that is too long is refused", status == 413 and b"<h1" in body, status)
    status, _, _ = site.ask(POSTS[0], "POST", "{}", {**HTML, **own, "Content-Type": "application/json"})
    check("a body of another type is refused", status in (400, 415), status)
    for text in ("on=2&token=0", "token=0", "on=1&on=0&token=0", "on=%FF&token=0"):
        status, _, body = site.ask(POSTS[0], "POST", text, {**FORM, **own})
        check(f"the body {text}: refused with a page", status == 400 and b"<h1" in body, status)
    status, _, _ = post(site, "/films/no-such-film/favourite", {"on": "1", "token": "0"}, own)
    check("an unknown film cannot be a favourite", status == 404, status)


def kept(site, check, own, tls):
    status, got, _ = post(site, POSTS[0], {"on": "1", "token": "0", "return": "https://evil.example/"}, own)
    check("adding a favourite redirects to the film", status == 303 and got.get("location", "").startswith(FILM), (status, got.get("location")))
    line, cookie = cookie_of(got)
    check("the session cookie", line.startswith("__Host-") == tls and ("Secure" in line) == tls and "HttpOnly" in line and "SameSite=Lax" in line
          and "Path=/" in line and "Domain" not in line, line)
    status, got, body = site.ask(FILM, headers={**HTML, "Cookie": cookie})
    check("a page with a cookie is private", "private" in got["cache-control"] and "etag" not in got, got["cache-control"])
    check("a page with a cookie shows the favourite", PRESSED.search(body))
    token = token_of(body)
    again = token_of(site.ask(FILM, headers={**HTML, "Cookie": cookie})[2])
    check("the token of a page differs every time", token and again and token != again, (token, again))
    mine = {**own, "Cookie": cookie}
    for wrong in ("0", "", token[:-4] + "AAAA", token * 2):
        status, _, body = post(site, POSTS[0], {"on": "0", "token": wrong}, mine)
        check(f"the token {wrong[:12]!r}: refused with a page", status == 403 and b"<h1" in body, status)
    status, _, body = post(site, POSTS[0], {"on": "0", "token": "0"}, {**mine, "Accept": "application/json"})
    check("a refusal of a script has the right token", status == 403 and json.loads(body).get("token"), (status, body[:200]))
    status, _, body = post(site, POSTS[0], {"on": "0", "token": json.loads(body)["token"]}, {**mine, "Accept": "application/json"})
    check("a script may use the new token", status == 200 and json.loads(body)["on"] is False and json.loads(body).get("token"), (status, body[:200]))
    status, _, _ = post(site, POSTS[0], {"on": "1", "token": token}, {"Cookie": cookie})
    check("a form with a cookie and without Origin is refused", status == 403, status)
    other = cookie.removeprefix("__Host-") if tls else "__Host-" + cookie
    body = site.ask(FILM, headers={**HTML, "Cookie": other})[2]
    check("a cookie of the other scheme is ignored", not PRESSED.search(body))
    status, _, body = post(site, f"{FILM}/rating", {"value": "8.5", "token": token}, mine)
    check("a rating without an account redirects to signing in or is refused", status in (303, 401, 403), status)


def signing_in(site, check, own):
    status, got, body = site.ask("/sign-in?return=" + urllib.parse.quote(FILM), headers=HTML)
    status, got, _ = post(site, "/sign-in", {"token": token_of(body) or "0", "return": FILM}, own)
    check("signing in redirects to the site's approval page", status == 303 and got.get("location", "").endswith("/sign-in/approve"), (status, got.get("location")))
    line, request = cookie_of(got, "onesheet_sign_in")
    check("signing in sets a cookie for the return", "HttpOnly" in line and "SameSite=Lax" in line, line)
    token = base64.urlsafe_b64decode(request.partition("=")[2].partition(".")[0] + "==").decode()
    body = site.ask("/sign-in/approve", headers={**HTML, "Cookie": request})[2]
    check("the approval is a page of the site", b'class="masthead"' in body and b'name="approve"' in body)
    body = site.ask("/sign-in/approve", headers=HTML)[2]
    check("another browser cannot approve it there", b'name="approve"' not in body)
    status, got, _ = post(site, "/sign-in/approve", {"token": "0", "approve": "1"}, own)
    check("nor by its form", status == 303 and "note=late" in got.get("location", "") and not cookie_of(got)[0], (status, got.get("location")))
    address = f"/sign-in/return?request_token={token}&approved=true"
    # A return without the cookie of the request could be another user's approval.
    status, got, _ = site.ask(address, headers=HTML)
    check("a return without the cookie does not sign in", not cookie_of(got)[0], (status, got["set-cookie"]))
    status, got, _ = site.ask(f"/auth/approve/{token}", "POST", "approve=1", {**FORM, **own})
    check("approval redirects to the return address", status == 303 and "/sign-in/return" in got.get("location", ""), (status, got.get("location")))
    status, got, _ = site.ask(address, headers={**HTML, "Cookie": request + "x"})
    check("a return with another cookie does not sign in", not cookie_of(got)[0], got["set-cookie"])
    status, got, _ = site.ask(address, headers={**HTML, "Cookie": request})
    line, cookie = cookie_of(got)
    check("a return with the cookie signs in", status == 303 and got.get("location", "").startswith(FILM) and cookie, (status, got.get("location")))
    mine = {**own, "Cookie": cookie}
    body = site.ask("/my/favourites", headers={**HTML, "Cookie": cookie})[2]
    status, got, _ = post(site, "/sign-out", {"token": "0"}, mine)
    check("signing out needs the token", status == 403, status)
    status, got, _ = post(site, "/sign-out", {"token": token_of(body) or ""}, mine)
    check("signing out clears the cache", status == 303 and "cache" in got.get("clear-site-data", ""), (status, got.get("clear-site-data")))
    check("signing out leaves the device's token", len(cookie_of(got)[1].partition("=")[2]) == 64, got["set-cookie"])
    body = site.ask("/my/favourites", headers={**HTML, "Cookie": cookie})[2]
    check("signing out ends the session", b'action="/sign-out"' not in body)
