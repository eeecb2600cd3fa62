"""Title cards: of films without a poster, from the first visit on and without an error in the console, and of pictures that fail."""
from tmdb_stub import FIRST, PERSON, Stub
from web import STRUCTURE, Site, violations

NONE, MISSING, TEXT, FORBIDDEN = range(FIRST, FIRST + 4)
BROKEN = {NONE: None, MISSING: 404, TEXT: b"<html>no picture</html>", FORBIDDEN: 403}
TITLES = ["등대의 밤", "Everything & Nothing: A Film with a Rather Long Title", "千と千尋の物語、第二章", "الطريق إلى المدينة", "Heat"]
PATHS = ["/lists/popular", "/search?q=film", f"/persons/tmdb:{PERSON}", "/"]
# Every poster is shown: a drawn card of the page, or a picture that has loaded.
SHOWN = """() => [...document.querySelectorAll(".poster")].filter((poster) =>
  !(poster.matches("svg") ? poster.querySelector("tspan") : poster.complete && poster.naturalWidth > 0)).map((poster) => poster.outerHTML.slice(0, 120))"""
EAGER = """async () => {
  for (const image of document.querySelectorAll("img[loading]")) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
}"""
# Redirected pictures have the size of a card.
DRAWN = """() => [...document.querySelectorAll("img.poster")].filter((image) => image.naturalHeight * 2 === image.naturalWidth * 3
  && performance.getEntriesByName(image.currentSrc).some((entry) => entry.decodedBodySize < 2000)).length"""


def run(browser, program, check, is_full):
    with Stub(TITLES, count=len(TITLES), posters=BROKEN) as stub:
        for path in PATHS if is_full else PATHS[:3]:
            with Site(program, *stub.options) as site:
                first_visit(browser, site, check, path)
        with Site(program, *stub.options) as site:
            for number in BROKEN:
                first_visit(browser, site, check, f"/films/tmdb:{number}", title=TITLES[number - FIRST])
            card(site, check)
        check("cards: no picture is requested where the row has none", not any(f"/poster{NONE}.jpg" in path for path in stub.asked))
        with Site(program, *stub.options) as site:
            without_network(browser, site, check)


def first_visit(browser, site, check, path, title=None):
    label = f"cards {path}"
    with browser.page(390, service_workers="block", locale="ko-KR") as page:
        page.goto(site.base + path, wait_until="networkidle")
        page.evaluate(EAGER)
        missing = page.evaluate(SHOWN)
        check(f"{label}: every poster is shown", not missing, missing[:3])
        check(f"{label}: a card is drawn in the page", title or page.locator("main svg.poster").count() == 1)
        check(f"{label}: pictures that fail are cards", title or page.evaluate(DRAWN) >= 3, page.evaluate(DRAWN))
        check(f"{label}: no script replaced a picture", page.locator(".poster-none").count() == 0)
        check(f"{label}: console", not page.complaints, page.complaints[:3])
        problems = page.evaluate(STRUCTURE)
        check(f"{label}: structure", not problems, problems[:3])
        found = violations(page)
        check(f"{label}: axe", not found, found[:3])
        if title:
            name = page.locator(".film-poster .poster").evaluate("(poster) => poster.alt ?? poster.getAttribute('aria-label')")
            check(f"{label}: the poster's name contains the title", title in name, name)


def card(site, check):
    status, fields, body = site.ask(f"/films/tmdb:{FIRST + 1}/card.svg?language=ko")
    check("cards: a file", status == 200 and fields["content-type"] == "image/svg+xml" and b"Everything" in body and b"&amp;" in body, (status, body[:200]))
    status, fields, _ = site.ask(f"/poster/tmdb:{MISSING}?w=240&language=ko&card=ko")
    check("cards: a missing picture redirects", status == 302 and fields["location"].endswith("/card.svg?language=ko"), (status, fields.get("location")))
    status, _, _ = site.ask(f"/poster/tmdb:{MISSING}?w=240&language=ko")
    check("cards: for programs it is an error", status == 404, status)


def without_network(browser, site, check):
    """Pictures that the browser cannot fetch become titles, before and after the script runs."""
    with browser.page(390, service_workers="block", locale="ko-KR") as page:
        page.route("**/poster/**", lambda route: route.abort())
        page.goto(site.base + "/lists/popular", wait_until="networkidle")
        page.evaluate(EAGER)
        page.wait_for_function("() => document.querySelectorAll('img.poster').length === 0")
        texts = page.locator(".card .poster-none").all_text_contents()
        check("cards without a network: titles", texts == TITLES[1:], texts)
        page.goto(site.base + f"/films/tmdb:{FIRST + 4}", wait_until="networkidle")
        text = page.locator(".film-poster .poster-none").text_content()
        check("cards without a network: the film's page", TITLES[4] in text, text)
