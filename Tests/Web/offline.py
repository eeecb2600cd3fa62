"""The service worker: visited pages open without a network, and personal pages are not stored."""
import re

from web import Site, violations, wait_until

FILM = "/films/nosferatu-1922?language=en"
STORED = """async () => {
  if (!(await caches.has("pages"))) return [];
  return (await (await caches.open("pages")).keys()).map((request) => new URL(request.url).pathname);
}"""
PICTURES = """() => [...document.querySelectorAll(".film-poster img, .film-scene")].every((image) => image.naturalWidth > 0)"""


def stored(page):
    return page.evaluate(STORED)


def visit(page, site, path):
    """Visits a page, and waits until the service worker has stored it."""
    page.goto(site.base + path, wait_until="networkidle")
    name = path.partition("?")[0]
    return wait_until(lambda: name in stored(page))


def take_over(page, site):
    """Installs the worker with a first visit; it handles later ones."""
    page.goto(site.base + "/about?language=en", wait_until="networkidle")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def run(browser, program, check, is_full):
    with Site(program) as site, browser.page(390, service_workers="allow") as page:
        take_over(page, site)
        for path in ("/?language=en", FILM):
            check(f"offline: {path} is stored", visit(page, site, path), stored(page))
        page.goto(site.base + "/my/favourites?language=en", wait_until="networkidle")
        page.goto(site.base + "/search?q=metropolis&language=en", wait_until="networkidle")
        page.context.set_offline(True)
        try:
            without_network(page, site, check)
            page.goto(site.base + FILM)
        finally:
            page.context.set_offline(False)
        page.locator(".stored a").wait_for()
        words = page.locator(".stored").inner_text()
        check("online again: the page is still dated, and can be loaded again", "offline" not in words and "This page is from" in words, words)
        page.locator(".stored a").click()
        page.wait_for_function("() => !document.documentElement.dataset.stored")
        check("online again: the loaded page has no note", page.locator(".stored").count() == 0)
        page.goto(site.base + "/films/metropolis-1927?language=en")
        check("online again: a new page is shown", page.locator("h1").text_content().strip() == "Metropolis")
        keeps_nothing_personal(page, site, check)
        without_server(page, site, check)


def note(page, text):
    """The note of a stored page, its age, and the number of its announcements."""
    page.wait_for_function("text => document.querySelector('#status').textContent.includes(text)", arg=text)
    return page.locator("main > .stored").inner_text()


def without_server(page, site, check):
    """The program ends: the device is online, and the server does not respond."""
    page.goto(site.base + FILM, wait_until="networkidle")
    site.process.terminate()
    site.process.wait(20)
    page.goto(site.base + FILM)
    words = note(page, "The server is not responding")
    check("the server is away: a visited film, which says so", page.locator("h1").text_content().strip() == "Nosferatu" and "offline" not in words, words)
    check("the server is away: the page can be loaded again", page.locator(".stored a").is_visible())
    found = violations(page)
    check("the server is away: axe", not found, found[:3])
    page.goto(site.base + "/films/metropolis-1922?language=en")
    check("the server is away: a page that is not stored", page.locator("h1").text_content().strip() == "No connection")


def without_network(page, site, check):
    page.goto(site.base + FILM)
    check("offline: a visited film", page.locator("h1").text_content().strip() == "Nosferatu")
    check("offline: pictures of the visited film", wait_until(lambda: page.evaluate(PICTURES)))
    words = note(page, "You are offline. This page is from")
    check("offline: the age of the page", re.search(r"from \d+:\d\d.*, 1 minute ago", words), words)
    check("offline: nothing to load", not page.locator(".stored a").is_visible())
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 9e6; dispatchEvent(new Event('pageshow')); }")
    page.wait_for_function("() => document.querySelector('.stored').textContent.includes('2 hours ago')")
    check("offline: the age is kept up to date", True)
    page.locator("[data-mark=favourite] button").first.click()
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('Nothing can be changed')")
    is_pressed = page.locator("[data-mark=favourite] button").first.get_attribute("aria-pressed")
    check("offline: a change is refused with a message", is_pressed == "false", is_pressed)
    page.goto(site.base + "/?language=en")
    check("offline: the visited home page", page.locator(".hero, .rail").count() > 0)
    page.goto(site.base + "/films/metropolis-1927?language=en")
    check("offline: a page that is not stored shows the offline page", page.locator("h1").text_content().strip() == "No connection", page.locator("h1").text_content())
    page.wait_for_function("() => !document.querySelector('[data-visited]').hidden")
    check("offline: the offline page lists stored pages", "Nosferatu" in page.locator("[data-visited]").inner_text())
    page.goto(site.base + "/my/favourites?language=en")
    check("offline: personal pages are not stored", page.locator("h1").text_content().strip() == "No connection")


def keeps_nothing_personal(page, site, check):
    page.goto(site.base + FILM, wait_until="networkidle")
    page.locator("[data-mark=favourite] button").first.click()
    page.wait_for_function("() => document.querySelector('[data-mark=favourite] button').getAttribute('aria-pressed') === 'true'")
    page.wait_for_load_state("networkidle")
    page.reload(wait_until="networkidle")
    page.goto(site.base + "/my/favourites?language=en", wait_until="networkidle")
    bodies = page.evaluate("""async () => {
      const cache = await caches.open("pages");
      const bodies = [];
      for (const request of await cache.keys()) bodies.push([request.url, await (await cache.match(request)).text()]);
      return bodies;
    }""")
    for url, body in bodies:
        check(f"the worker's copy of {url} is not personal", not re.search('<button[^>]*aria-pressed="true"', body) and "/my/" not in url.partition("?")[0])
    check("the worker has stored pages", len(bodies) > 1, len(bodies))
