"""Hostile texts of sources and of URLs: they are shown literally, execute nothing and break nothing."""
import urllib.parse

from tmdb_stub import FIRST, PERSON, SERIES, Stub
from web import STRUCTURE, Site, violations

TEXTS = [
    "<script>alert(1)</script>",
    '"\u0301 onmouseover=alert(1) x="',
    "'><img src=x onerror=alert(1)>",
    "&amp; &lt;b&gt; &quot;",
    "{{t.skip}} {{{x}}} {name}",
    "\u202edesrever si siht",
    "مرحبا بالعالم، فيلم طويل",
    "A" * 300,
    "긴제목" * 100,
    "👩‍👩‍👧‍👦" * 40,
    "</title></style><h1>x</h1>]]> -->",
]
PATHS = ["/", "/lists/popular", "/search?q=film", f"/films/tmdb:{FIRST}", f"/films/tmdb:{FIRST}/credits", f"/films/tmdb:{FIRST}/reviews",
         f"/films/tmdb:{FIRST}/similar", f"/persons/tmdb:{PERSON}", f"/series/tmdb:{SERIES}", "/discover"]
FILMS = range(FIRST, FIRST + len(TEXTS))


def quoted(text):
    return urllib.parse.quote(text, safe="")


def run(browser, program, check, is_full):
    with Stub(TEXTS, link="javascript:alert(1)") as stub, Site(program, *stub.options) as site:
        for path in PATHS:
            look(browser, site, check, path, axe=True)
        for number in FILMS if is_full else FILMS[::3]:
            with_title(browser, site, check, number)
        for text in TEXTS if is_full else TEXTS[:3]:
            look(browser, site, check, f"/search?q={quoted(text[:60])}", shown=text[:60])
            look(browser, site, check, f"/films/{quoted(text[:60])}", statuses=(400, 404))
        for parameter in ("language", "page", "region", "genre", "sort"):
            look(browser, site, check, f"/discover?{parameter}={quoted(TEXTS[0])}", statuses=(200, 400))
        look(browser, site, check, f"/sign-in?return={quoted('https://evil.example/')}")
        look(browser, site, check, f"/sign-in?return={quoted('//evil.example')}")


def look(browser, site, check, path, statuses=(200,), shown=None, axe=False):
    label = f"hostile {urllib.parse.unquote(path)[:60]!r}"
    with browser.page(390, locale="en-GB", service_workers="block") as page:
        response = page.goto(site.base + path, wait_until="networkidle")
        check(f"{label}: status", response.status in statuses, response.status)
        inspect(page, check, label, response.status)
        if shown is not None:
            value = page.locator("main input[type=search]").input_value()
            check(f"{label}: the field contains the text", value == shown, value)
        if axe:
            # Titles are cut off after three lines; axe reports the hidden lines as overlapping targets.
            found = [each for each in violations(page) if not each.startswith("target-size")]
            check(f"{label}: axe", not found, found[:3])


def inspect(page, check, label, status=200):
    complaints = [each for each in page.complaints if status == 200 or f"status of {status}" not in each]
    check(f"{label}: no script ran, and the policy blocked nothing", not complaints, complaints[:3])
    problems = [each for each in page.evaluate(STRUCTURE) if each != "a text was not filled in"]  # one of the texts has braces
    check(f"{label}: structure", not problems, problems[:5])
    strangers = page.evaluate("""() => [...document.querySelectorAll("main script, main style, main iframe, img[src='x'], [href^='//'], [href^='https://evil'], input[value*='evil.example']")]
      .map((element) => element.outerHTML.slice(0, 100))""")
    check(f"{label}: no element comes from the text", not strangers, strangers)


def with_title(browser, site, check, number):
    """A film's page shows its title literally, in the heading, in the document's title and in the poster's alternative text."""
    title = TEXTS[number - FIRST]
    label = f"hostile title {title[:24]!r}"
    with browser.page(320, locale="ko-KR", service_workers="block") as page:
        page.goto(f"{site.base}/films/tmdb:{number}", wait_until="networkidle")
        heading = page.locator("h1").text_content()
        check(f"{label}: heading", heading == title, heading[:80])
        check(f"{label}: the document's title", page.evaluate("document.title").startswith(title.strip()), page.title()[:80])
        alt = page.locator(".film-poster img").get_attribute("alt")
        check(f"{label}: the poster's alternative text", title in alt, alt[:80])
        inspect(page, check, label)
