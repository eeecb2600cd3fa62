"""Lists: buttons on cards, also on appended ones and in search results; sorting, filtering, export, and import with a report."""
import json

from web import STRUCTURE, Site, violations

STATE = "button[form=marks][formaction='/films/{}/{}']"
LETTERBOXD = """Date,Name,Year,Letterboxd URI
2024-05-05,Nosferatu,1922,https://boxd.it/1
2024-05-06,Metropolis,1928,https://boxd.it/2
2024-05-07,No Such Film,1950,https://boxd.it/3
"""


def run(browser, program, check, is_full):
    with Site(program) as site:
        with browser.page(390, locale="en-GB", has_touch=True, is_mobile=True, service_workers="block") as page:
            cards(page, site, check)
            arranged(page, site, check)
            exported(page, site, check)
            imported(page, site, check)
            check("lists: console", not page.complaints, page.complaints[:3])
        with browser.page(390, locale="en-GB", java_script_enabled=False) as page:
            plain(page, site, check)
            check("lists without scripts: console", not page.complaints, page.complaints[:3])


def button(page, film, kind="favourite"):
    return page.locator(STATE.format(film, kind)).first


def film_of(card):
    return card.locator("h3 a").get_attribute("href").partition("?")[0].removeprefix("/films/")


def press(page, film, kind="favourite"):
    """Presses a card's button, and returns the announcement."""
    page.evaluate("document.querySelector('#status').textContent = ''")
    button(page, film, kind).click()
    page.wait_for_function("() => document.querySelector('#status').textContent !== ''")
    return page.locator("#status").text_content()


def cards(page, site, check):
    page.goto(site.base + "/", wait_until="networkidle")
    counts = page.evaluate("[document.querySelectorAll('.card').length, document.querySelectorAll('.card > button[form=marks]').length]")
    check("every card has two buttons", counts[0] > 0 and counts[1] == 2 * counts[0], counts)
    small = page.evaluate("[...document.querySelectorAll('.card > button')].filter(({ offsetWidth, offsetHeight }) => Math.min(offsetWidth, offsetHeight) < 24).length")
    check("the buttons are at least 24 pixels wide and high", small == 0, small)
    page.goto(site.base + "/lists/popular", wait_until="networkidle")
    page.locator("[data-more] a[rel=next]").click()
    page.wait_for_function("() => document.querySelectorAll('[data-grid] > li').length === 40")
    first, appended = film_of(page.locator(".card").nth(0)), film_of(page.locator(".card").nth(30))
    title = page.locator(".card").nth(30).locator("h3").text_content()
    check("a button names its film", button(page, appended).get_attribute("aria-label") == f"Favourite: {title}")
    said = [press(page, film) for film in (first, appended)]
    check("a card's button adds a favourite, announced", said == ["Added to favourites."] * 2, said)
    check("the address stays", page.url.endswith("/lists/popular"), page.url)
    check("an appended card's button is pressed", button(page, appended).get_attribute("aria-pressed") == "true")
    said = press(page, first, "watchlist")
    check("a card's button adds to the watchlist", said == "Added to the watchlist.", said)
    page.goto(site.base + "/search?language=en", wait_until="networkidle")
    page.locator("main input[type=search]").fill("nosferatu")
    button(page, "nosferatu-1922").wait_for()
    # Announced after a pause; otherwise it could replace the button's announcement.
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('1 film')")
    page.wait_for_load_state("networkidle")
    said = press(page, "nosferatu-1922")
    check("a search result's button adds a favourite", said == "Added to favourites.", said)
    page.goto(site.base + "/my/favourites?language=en", wait_until="networkidle")
    check("all are favourites", page.locator(".card").count() == 3, page.locator(".card").count())
    check("a favourite's card has the other button", button(page, first, "watchlist").get_attribute("aria-pressed") == "true")
    said = press(page, first, "watchlist")
    check("the other button removes no card", said == "Removed from the watchlist." and page.locator(".card").count() == 3, said)
    found = page.evaluate(STRUCTURE) + violations(page)
    check("favourites: axe and structure", not found, found[:3])
    page.goto(site.base + "/films/nosferatu-1922?language=en", wait_until="networkidle")
    check("the film's own button is pressed", page.locator("[data-mark=favourite] button").first.get_attribute("aria-pressed") == "true")


def titles(page):
    return page.locator(".card h3").all_text_contents()


def arranged(page, site, check):
    page.goto(site.base + "/my/favourites?language=en", wait_until="networkidle")
    added = titles(page)
    page.locator(".arrange summary").click()
    check("the latest favourite is first", added[0] == "Nosferatu", added)
    page.locator("select[name=order]").select_option("title")
    page.wait_for_url("**order=title*")
    check("sorted by title", titles(page) == sorted(added, key=str.lower), titles(page))
    page.locator("input[name=filter]").fill("NOSFER")
    page.locator("input[name=filter]").press("Enter")
    page.wait_for_url("**filter=NOSFER*")
    check("filtered by title", titles(page) == ["Nosferatu"] and "order=title" in page.url, (titles(page), page.url))
    page.goto(site.base + "/my/favourites?filter=qqqq&language=en")
    check("nothing passes the filter: explained", page.locator(".note").count() == 1 and page.locator("input[name=filter]").input_value() == "qqqq")


def exported(page, site, check):
    page.goto(site.base + "/my/favourites?language=en", wait_until="networkidle")
    page.locator(".arrange summary").click()
    files = {}
    for place in range(3):
        with page.expect_download() as download:
            page.locator("a[download]").nth(place).click()
        files[download.value.suggested_filename] = open(download.value.path(), newline="").read()
    names = ["letterboxd-favourites.csv", "onesheet-favourites.csv", "onesheet-favourites.json"]
    check("three files", sorted(files) == names, list(files))
    check("the JSON has the films", len(json.loads(files[names[2]])["films"]) == 3)
    check("Letterboxd's columns", files[names[0]].startswith("tmdbID,imdbID,Title,Year,Directors\r\n") and ",Nosferatu,1922," in files[names[0]], files[names[0]])


def imported(page, site, check):
    page.goto(site.base + "/my/watchlist?language=en", wait_until="networkidle")
    page.locator(".arrange summary").click()
    page.locator("a[href^='/my/import']").click()
    page.wait_for_url("**/my/import*")
    page.wait_for_load_state("networkidle")
    check("the list is chosen", page.locator("select[name=list]").input_value() == "watchlist")
    page.locator("input[type=file]").set_input_files({"name": "watchlist.csv", "mimeType": "text/csv", "buffer": LETTERBOXD.encode()})
    page.wait_for_function("() => document.querySelector('textarea').value.includes('Metropolis')")
    page.locator("main form[action='/my/import'] button").click()
    page.locator("#report").wait_for()
    words = page.locator("main").inner_text()
    check("the report counts added films", "2 films added." in words, words[:400])
    check("the report names the row that was not found", "No Such Film (1950)" in words and "Nosferatu (1922)" not in words, words[:400])
    found = page.evaluate(STRUCTURE) + violations(page)
    check("report: axe and structure", not found, found[:3])
    page.goto(site.base + "/my/watchlist?language=en")
    check("the films are on the watchlist, the latest first", titles(page) == ["Metropolis", "Nosferatu"], titles(page))


def plain(page, site, check):
    page.goto(site.base + "/lists/popular?language=en")
    film = film_of(page.locator(".card").nth(1))
    button(page, film).click()
    page.wait_for_load_state()
    check("without scripts: a card's button returns to the page", page.url.endswith("/lists/popular?language=en"), page.url)
    check("without scripts: the button is pressed", button(page, film).get_attribute("aria-pressed") == "true")
    page.goto(site.base + "/my/import?language=en")
    page.locator("textarea").fill("not a list")
    page.locator("main form[action='/my/import'] button").click()
    page.wait_for_load_state()
    kept = page.locator("textarea").input_value()
    check("without scripts: a text without films stays", kept == "not a list" and page.locator(".note-alarm").count() == 1, kept)
    page.locator("textarea").fill(LETTERBOXD)
    page.locator("main form[action='/my/import'] button").click()
    page.locator("#report").wait_for()
    check("without scripts: the report", "2 films added." in page.locator("main").inner_text())
    # The browser reports the status of the refused form.
    page.complaints[:] = [each for each in page.complaints if "status of 400" not in each]
