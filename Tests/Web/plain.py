"""Without scripts, all features work with links and forms."""
from web import Site

FILM = "/films/nosferatu-1922"
FILM_TITLE = "Nosferatu"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>'
DATA = """() => [...document.querySelectorAll("script[type='application/ld+json']")].flatMap((element) => JSON.parse(element.textContent)["@graph"])"""


def run(browser, program, check, is_full):
    with Site(program) as site, browser.page(390, java_script_enabled=False, locale="en-GB") as page:
        find(page, site, check)
        keep(page, site, check)
        sign_in_and_rate(page, site, check)
        check("no scripts: console", not page.complaints, page.complaints[:3])
    with Site(program, "--public-url", "https://films.example") as site, browser.page(390, locale="en-GB", service_workers="block") as page:
        # Pictures have the public URL.
        page.route("https://films.example/**", lambda route: route.fulfill(content_type="image/svg+xml", body=PICTURE))
        describe(page, site, check)
        refuse(page, site, check)


def pressed(page, kind):
    return page.locator(f"[data-mark={kind}] button").first.get_attribute("aria-pressed")


def find(page, site, check):
    page.goto(site.base + "/")
    page.locator(".tool-search").click()
    page.locator("main input[type=search]").fill("nosferatu")
    page.locator("main form[role=search] button").click()
    page.locator("main .card a").first.click()
    check("no scripts: search leads to a film", FILM in page.url, page.url)
    check("no scripts: buttons that need scripts are hidden", not page.locator("[data-share]").is_visible())
    page.locator("a.mark").click()
    page.locator("main a[href^='/lists/popular']").click()
    page.wait_for_url("**/lists/popular*")  # with all of its content
    count = page.locator("[data-grid] > li").count()
    page.locator("[data-more] a[rel=next]").click()
    check("no scripts: the next page of a list", "page=2" in page.url and count == 20, (page.url, count))
    page.locator("[data-more] a[rel=prev]").click()
    check("no scripts: the previous page of a list", page.locator("[data-more] a[rel=prev]").count() == 0, page.url)
    page.goto(site.base + "/discover")
    page.locator("select[name=genre]").select_option("horror")
    page.locator(".filters button").click()
    page.wait_for_url("**genre=horror*")
    check("no scripts: filters", page.locator("select[name=genre]").input_value() == "horror" and page.locator(".card").count() > 0)
    page.goto(site.base + "/box-office?date=2024-05-05")
    page.locator("input[type=date]").fill("2024-05-01")
    page.locator("[data-calendar] button").click()
    page.wait_for_url("**date=2024-05-01*")
    check("no scripts: the chosen day", page.locator(".chart tbody tr").count() > 0)
    page.locator("[data-calendar] a[rel=prev]").click()
    check("no scripts: the day before", "date=2024-04-30" in page.url, page.url)
    page.locator(".colophon a[hreflang=ja]").click()
    check("no scripts: another language", page.locator("html").get_attribute("lang") == "ja" and "date=2024-04-30" in page.url, page.url)


def keep(page, site, check):
    page.goto(site.base + FILM)
    for kind in ("favourite", "watchlist"):
        page.locator(f"[data-mark={kind}] button").first.click()
        page.wait_for_load_state()
        check(f"no scripts: {kind}", pressed(page, kind) == "true" and FILM in page.url, page.url)
    page.goto(site.base + "/my/watchlist")
    check("no scripts: the watchlist contains the film", page.locator(f"main a[href^='{FILM}']").count() > 0)
    page.locator("main [data-mark=watchlist] button").first.click()
    page.wait_for_load_state()
    check("no scripts: the film is removed from the watchlist", "/my/watchlist" in page.url and page.locator(f"main a[href^='{FILM}']").count() == 0, page.url)


def sign_in_and_rate(page, site, check):
    page.goto(site.base + FILM)
    page.locator("main a[href^='/sign-in']").first.click()
    page.locator("form[action^='/sign-in'] button").click()
    page.locator("button[name=approve]").click()
    page.wait_for_load_state()
    check("no scripts: back at the film after signing in", FILM in page.url, page.url)
    check("no scripts: the account has the device's favourite", pressed(page, "favourite") == "true")
    page.locator("select#rating").select_option("7.5")
    page.locator("[data-rate] button:not([name])").click()
    page.wait_for_load_state()
    check("no scripts: rated", page.locator("select#rating").input_value() == "7.5", page.url)
    page.locator("[data-rate] button[name=remove]").click()
    page.wait_for_load_state()
    check("no scripts: the rating is removed", page.locator("select#rating").input_value() == "")
    page.goto(site.base + "/my/favourites")
    page.locator("form[action^='/sign-out'] button").click()
    page.wait_for_load_state()
    check("no scripts: signed out, back at the device", [len(each["value"]) for each in page.context.cookies() if "onesheet_session" in each["name"]] == [64], page.url)


def describe(page, site, check):
    """The data for search engines and previews of links, which the pages' policy must not block."""
    for path, types in ((FILM, ["Movie", "BreadcrumbList"]), (FILM + "/credits", ["BreadcrumbList"]), ("/lists/popular", ["BreadcrumbList"]),
                        ("/persons/akira-kurosawa", ["BreadcrumbList"])):
        page.goto(site.base + path, wait_until="networkidle")
        data = page.evaluate(DATA)
        check(f"JSON-LD {path}", [each["@type"] for each in data] == types, data)
        check(f"breadcrumbs {path}", data[-1]["itemListElement"][0]["item"] == "https://films.example/", data[-1])
        card = page.evaluate("() => Object.fromEntries([...document.querySelectorAll('meta[property]')].map((meta) => [meta.getAttribute('property'), meta.content]))")
        check(f"Open Graph {path}", card.get("og:url") == "https://films.example" + path and card.get("og:title"), card)
    page.goto(site.base + FILM, wait_until="networkidle")
    film = page.evaluate(DATA)[0]
    check("JSON-LD: the film", FILM_TITLE in film["name"] and film["image"].startswith("https://films.example/poster/"), film)
    check("data blocks: console", not page.complaints, page.complaints[:3])
    status, fields, body = site.ask("/sitemap.xml")
    check("site map", status == 200 and body.count(b"<url>") > 50 and b"https://films.example" + FILM.encode() in body, (status, body[:200]))
    check("site map without cookies", not fields["set-cookie"] and "etag" in fields, fields)
    check("robots.txt names the site map", b"Sitemap: https://films.example/sitemap.xml" in site.ask("/robots.txt")[2])


def refuse(page, site, check):
    """A page after the last leads to the last; a wrong filter is named in the page's language, and the others stay."""
    page.goto(site.base + "/lists/popular?page=400&language=ja")
    check("after the last page", "page=400" not in page.url and page.locator(".card").count() > 0, page.url)
    page.goto(site.base + "/discover?genre=horror&decade=1995&language=ko")
    text = page.locator("main .title").inner_text()
    check("wrong filter: the sentence", "연대" in text and "must" not in text, text)
    page.locator("main .buttons a").first.click()
    page.wait_for_url("**/discover?genre=horror&language=ko")
    check("wrong filter: the others stay", page.locator("select[name=genre]").input_value() == "horror", page.url)
