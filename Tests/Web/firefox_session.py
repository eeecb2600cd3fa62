"""Firefox: signing out, title cards, the history of a long list, and pages without a server. Skipped without Debian's firefox-esr."""
import pathlib

import cards, history
from firefox import FIREFOX, Firefox
from offline import STORED
from tmdb_stub import Stub
from web import Site

FILM, OTHER, UNSEEN = ("/films/nosferatu-1922", "/films/metropolis-1927", "/films/vertigo-1958")
ENGLISH = "?language=en"
FAVOURITES, WATCHLIST, ABOUT = ("/my/favourites" + ENGLISH, "/my/watchlist" + ENGLISH, "/about" + ENGLISH)
# Parts of the script are loaded after the page's event `load`; an import returns when they have started.
STARTED = """async (...names) => {
  const own = document.querySelector("script[type=module][src*='/onesheet.js']").src;
  await Promise.all(names.map((name) => import(new URL(`./${name}.js`, own))));
}"""
AT = "(path) => document.readyState === 'complete' && location.pathname === path"
FILM_IS_SHOWN = "() => document.readyState === 'complete' && location.pathname.startsWith('/films/')"
SIGNED_IN = "() => document.querySelector(\"form[action^='/sign-out']\") !== null"
SIGNED_OUT = "() => document.querySelector(\"main a[href^='/sign-in']\") !== null && !document.querySelector(\"form[action^='/sign-out']\")"
TITLES = "() => [...document.querySelectorAll('[data-grid] h3')].map((title) => title.innerText)"
HEADING = "() => document.querySelector('h1').textContent.trim()"
TEXT = "(selector) => document.querySelector(selector)?.innerText ?? ''"


def run(browser, program, check, is_full):
    if not pathlib.Path(FIREFOX).exists():
        print(f"Skipped: {FIREFOX} is missing; make web-deps installs it", flush=True)
        return
    with Firefox() as firefox:
        with Stub(cards.TITLES, count=len(cards.TITLES), posters=cards.BROKEN) as stub, Site(program, *stub.options) as site:
            for width in (390, 1440) if is_full else (390,):
                for path in cards.PATHS if is_full else cards.PATHS[:2]:
                    title_cards(firefox, site, check, path, width)
                title_cards(firefox, site, check, f"/films/tmdb:{cards.NONE}", width)
        with Site(program) as site:
            for part, width in ((sign_out, 390), (long_list, 390), (long_list, 1440), (without_server, 390)):
                with firefox.page(width) as page:
                    part(page, site, check)
                    check(f"Firefox: console of {part.__name__} {width}", not page.complaints, page.complaints[:3])


def go(page, site, path, *modules):
    """Visits a page, and waits for parts of its script."""
    page.go(site.base + path)
    page.evaluate(STARTED, *modules)


def mark(page, site, path, kind, check):
    go(page, site, path + ENGLISH, "marks")
    page.click(f"[data-mark={kind}] button")
    text = page.wait("() => document.querySelector('#status').textContent")
    check(f"Firefox: {path} is in the {kind}", text and "Added to" in text, text)


def sign_out(page, site, check):
    mark(page, site, FILM, "favourite", check)
    mark(page, site, FILM, "watchlist", check)
    go(page, site, f"/sign-in{ENGLISH}&return={FAVOURITES}")
    page.click("main form[action^='/sign-in'] button")
    check("Firefox: the approval", page.wait(AT, "/sign-in/approve"))
    page.click("button[name=approve]")
    check("Firefox: signed in", page.wait(AT, "/my/favourites") and page.evaluate(SIGNED_IN))
    check("Firefox: the account has the favourite of the device", page.evaluate(TITLES) == ["Nosferatu"], page.evaluate(TITLES))
    mark(page, site, OTHER, "favourite", check)
    go(page, site, FAVOURITES)
    check("Firefox: the account has another favourite", len(page.evaluate(TITLES)) == 2, page.evaluate(TITLES))
    go(page, site, ABOUT)
    page.move(-1)
    check("Firefox: signed in, Back shows the account", page.wait(AT, "/my/favourites") and page.evaluate(SIGNED_IN))
    tab = page.tab()
    go(tab, site, FAVOURITES)
    check("Firefox: two tabs are signed in", tab.evaluate(SIGNED_IN))
    tab.click("form[action^='/sign-out'] button")
    check("Firefox: signing out in one tab ends the other one's page", page.wait(SIGNED_OUT), page.evaluate(TEXT, "main")[:200])
    check("Firefox: signed out", tab.wait("() => !/^.(my|sign-out)/.test(location.pathname)"), tab.evaluate("() => location.href"))
    check("Firefox: the cookie holds the device's token alone", len(tab.cookies().get("onesheet_session", "")) == 64, list(tab.cookies()))
    for path, titles in ((FAVOURITES, ["Metropolis", "Nosferatu"]), (WATCHLIST, ["Nosferatu"])):
        go(tab, site, path)
        check(f"Firefox: the device has its films again: {path}", tab.evaluate(TITLES) == titles, tab.evaluate(TITLES))
        check(f"Firefox: without an account: {path}", "this device" in tab.evaluate(TEXT, "main") and tab.evaluate(SIGNED_OUT))
    tab.move(-3)
    check("Firefox: Back shows nothing of the account", tab.wait(AT, "/my/favourites") and tab.wait(SIGNED_OUT), tab.evaluate(TEXT, "main")[:200])
    check("Firefox: console of the other tab", not tab.complaints, tab.complaints[:3])


def title_cards(firefox, site, check, path, width):
    label = f"Firefox: cards {path} {width}"
    is_list = not path.startswith("/films/")
    with firefox.page(width) as page:
        go(page, site, path)
        page.evaluate(cards.EAGER)
        missing = page.evaluate(cards.SHOWN)
        check(f"{label}: every poster is shown", not missing, missing[:3])
        drawn = page.evaluate("() => [...document.querySelectorAll('main svg.poster')].map((poster) => poster.textContent)")
        check(f"{label}: a card with the title is drawn in the page", any(cards.TITLES[0] in text for text in drawn), drawn)
        # The page draws the cards of pictures that the server knows to fail.
        count = len(drawn) + page.evaluate(cards.DRAWN)
        check(f"{label}: pictures that fail are cards", not is_list or count >= len(cards.BROKEN), (drawn, count))
        check(f"{label}: no script replaced a picture", page.evaluate("() => !document.querySelector('.poster-none')"))
        check(f"{label}: console", not page.complaints, page.complaints[:3])


def long_list(page, site, check):
    label = f"Firefox: the history {page.width}"
    go(page, site, ABOUT)
    go(page, site, history.LIST, "more")
    rows = f"() => {history.ROWS}"
    while page.evaluate("() => document.querySelector('[data-more] a[rel=next]') !== null"):
        before = page.evaluate(rows)
        page.click("[data-more] a[rel=next]")
        if not check(f"{label}: more rows", page.wait(f"(count) => {history.ROWS} > count", before)):
            return
    count = page.evaluate(rows)
    check(f"{label}: all rows", count > 40, count)
    page.evaluate("() => document.querySelectorAll('[data-grid] > li')[30].scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate(cards.EAGER)  # Firefox keeps no page that is still loading
    check(f"{label}: the position is stored", page.wait("() => scrollY > 500 && Math.abs(history.state?.y - scrollY) < 1"), page.evaluate("() => history.state"))
    position, first = page.evaluate("() => scrollY"), page.evaluate(history.FIRST)

    def restored(event):
        page.wait(f"(path, count) => location.pathname === path && {history.ROWS} === count", "/lists/popular", count)
        page.wait("(y) => Math.abs(scrollY - y) < 3", position)
        at, now = page.evaluate("() => scrollY"), page.evaluate(history.FIRST)
        check(f"{label}: the rows after {event}", page.evaluate(rows) == count, page.evaluate(rows))
        check(f"{label}: the position after {event}", abs(at - position) < 3, (position, at))
        check(f"{label}: the row at the top after {event}", now and now[0] == first[0] and abs(now[1] - first[1]) < 4, (first, now))

    page.evaluate("() => addEventListener('pageshow', (event) => (window.isKept = event.persisted))")
    page.evaluate("() => document.querySelectorAll('[data-grid] > li h3 a')[31].focus({ preventScroll: true })")
    page.press("Enter")
    check(f"{label}: a film", page.wait(FILM_IS_SHOWN))
    page.move(-1)
    restored("Back")
    check(f"{label}: kept by the browser", page.wait("() => window.isKept"))
    page.move(-1)
    check(f"{label}: the page before", page.wait(AT, "/about"))
    page.move(1)
    restored("Forward")
    page.reload()
    restored("a reload")
    page.move(1)
    check(f"{label}: Forward leads to the film", page.wait(FILM_IS_SHOWN))
    page.move(-1)
    restored("Back to a reloaded page")


def without_server(page, site, check):
    """Visits pages with the service worker, and ends the program."""
    label = "Firefox: without a server"
    go(page, site, ABOUT)
    check(f"{label}: the service worker", page.wait("() => navigator.serviceWorker.controller !== null"))
    for path in (FILM, "/lists/popular"):
        go(page, site, path + ENGLISH)
        check(f"{label}: {path} is stored", page.wait(f"async (path) => (await ({STORED})()).includes(path)", path), page.evaluate(STORED))
    go(page, site, FAVOURITES)
    site.process.terminate()
    site.process.wait(20)
    for path, heading in ((FILM, "Nosferatu"), ("/lists/popular", "Popular")):
        go(page, site, path + ENGLISH)
        check(f"{label}: {path} is shown", page.evaluate(HEADING) == heading, page.evaluate(HEADING))
        page.reload()  # or Firefox shows its own copy, as long as it is fresh
        words = page.wait(TEXT, "main > .stored")
        check(f"{label}: {path} says so", "The server is not responding. This page is from" in words, words)
        said = page.wait("() => document.querySelector('#status').textContent")
        check(f"{label}: {path} is announced", words.startswith(said or "-"), (words, said))
        check(f"{label}: {path} can be loaded again", page.evaluate("() => document.querySelector('.stored a').checkVisibility()"))
    for path in (UNSEEN + ENGLISH, FAVOURITES):
        go(page, site, path)
        check(f"{label}: {path} is not stored", page.evaluate(HEADING) == "No connection", page.evaluate(HEADING))
    check(f"{label}: stored pages are listed", "Nosferatu" in page.wait("() => document.querySelector('[data-visited]:not([hidden])')?.innerText"))
