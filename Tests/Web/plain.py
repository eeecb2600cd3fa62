"""Without scripts, all features work with links and forms."""
from web import Site

FILM = "/films/nosferatu-1922"


def run(browser, program, check, is_full):
    with Site(program) as site, browser.page(390, java_script_enabled=False, locale="en-GB") as page:
        find(page, site, check)
        keep(page, site, check)
        sign_in_and_rate(page, site, check)
        check("no scripts: console", not page.complaints, page.complaints[:3])


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
    check("no scripts: signed out", not [each for each in page.context.cookies() if "onesheet_session" in each["name"]], page.url)
