"""The history: back, forward and reload restore the rows and the position of long lists, with and without the back-forward cache."""
import contextlib, json, re, time, urllib.parse

from web import Site, paused, wait_until

LIST = "/lists/popular?language=en"
MINE = "/my/favourites?language=en"
FILM = "/films/nosferatu-1922"
FORM = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
SAVED = 45
ROWS = "document.querySelectorAll('[data-grid] > li').length"
# Whether the browser has kept the page, and the number of times it was loaded.
SHOWN = """addEventListener("pageshow", (event) => (window.isKept = event.persisted));
sessionStorage.loads = Number(sessionStorage.loads ?? 0) + (location.pathname.startsWith("/my/"));"""
FIRST = """() => [...document.querySelectorAll("[data-grid] > li")]
  .map((row) => [row.querySelector("h3 a").textContent, Math.round(row.getBoundingClientRect().top)]).find(([, top]) => top >= 0)"""
FOCUSED = "[...document.querySelectorAll('[data-grid] > li')].indexOf(document.activeElement.closest('li'))"
TITLES = "titles => [...document.querySelectorAll('[data-grid] h3')].map((title) => title.textContent).join() === titles.join()"


def run(browser, program, check, is_full):
    with Site(program) as site:
        for keeps in (False, True):
            with browser.keeping_pages() if keeps else contextlib.nullcontext(browser) as chosen:
                name = "with the back-forward cache" if keeps else "without the back-forward cache"
                with chosen.page(390, service_workers="block") as page:
                    page.add_init_script(SHOWN)
                    going_back(page, site, LIST, check, f"history {name}: the list", keeps)
                    check(f"history {name}: console", not page.complaints, page.complaints[:3])
                with chosen.page(390, service_workers="block") as page:
                    page.add_init_script(SHOWN)
                    cookie = favourites(site)
                    page.context.add_cookies([{"name": "onesheet_session", "value": cookie, "url": site.base}])
                    going_back(page, site, MINE, check, f"history {name}: My films", keeps)
                    changed_meanwhile(page, site, check, f"history {name}")
                    check(f"history {name}: console of My films", not page.complaints, page.complaints[:3])
                if keeps:
                    with chosen.page(390, service_workers="block") as page:
                        signed_out_meanwhile(page, site, check)
    with Site(program) as site:
        cookie = favourites(site, spaced=8)
        with browser.page(390, service_workers="block") as page:
            page.context.add_cookies([{"name": "onesheet_session", "value": cookie, "url": site.base}])
            undo(page, site, check)
            undo_by_keys(page, site, check)
            the_last_film(page, site, check)
            check("undo: console", not page.complaints, page.complaints[:3])
        with browser.page(390, java_script_enabled=False) as page:
            page.context.add_cookies([{"name": "onesheet_session", "value": cookie, "url": site.base}])
            undo_without_scripts(page, site, check)


def favourites(site, spaced=0):
    """The cookie of a new device with favourites. The last `spaced` ones are added in seconds of their own, which decide about their order."""
    films = []
    for number in (1, 2, 3):
        films += [film["id"] for film in json.loads(site.ask(f"/movies/lists/popular?page={number}")[2])["results"]]
    token, cookie = "0", None
    for number, film in enumerate(films[:SAVED]):
        if number >= SAVED - spaced:
            time.sleep(1.1)
        headers = {**FORM, **({"Cookie": f"onesheet_session={cookie}"} if cookie else {})}
        _, fields, body = site.ask(f"/films/{film}/favourite", "POST", urllib.parse.urlencode({"on": "1", "token": token}), headers)
        token = json.loads(body)["token"]
        for line in fields["set-cookie"]:
            cookie = re.match("onesheet_session=([^;]+)", line)[1]
    return cookie


def show_all(page, count):
    while page.locator("[data-more] a[rel=next]").count():
        before = page.evaluate(ROWS)
        page.locator("[data-more] a[rel=next]").click()
        page.wait_for_function(f"count => {ROWS} > count", arg=before)
    return page.evaluate(ROWS)


def at(page, position):
    """Whether the page is at a position, or comes to it in time."""
    return wait_until(lambda: abs(page.evaluate("scrollY") - position) < 3)


def going_back(page, site, path, check, name, keeps):
    page.goto(site.base + "/about?language=en", wait_until="networkidle")
    page.goto(site.base + path, wait_until="networkidle")
    count = show_all(page, 40)
    check(f"{name}: all rows", count > 40, count)
    page.locator("[data-grid] > li").nth(30).scroll_into_view_if_needed()
    page.evaluate("scrollBy({ top: 120, behavior: 'instant' })")
    page.wait_for_function("() => Math.abs(history.state?.y - scrollY) < 1")
    position, first = page.evaluate("scrollY"), page.evaluate(FIRST)
    check(f"{name}: the address stays", page.url == site.base + path, page.url)
    loads = page.evaluate("Number(sessionStorage.loads)")

    def restored(event):
        page.wait_for_function(f"count => {ROWS} === count", arg=count)
        check(f"{name}: the position after {event}", at(page, position), (position, page.evaluate("scrollY")))
        now = page.evaluate(FIRST)
        check(f"{name}: the row at the top after {event}", now[0] == first[0] and abs(now[1] - first[1]) < 4, (first, now))

    page.locator("[data-grid] > li h3 a").nth(31).click()
    page.wait_for_url("**/films/*")
    page.wait_for_load_state("networkidle")
    page.go_back(wait_until="commit")
    restored("Back")
    check(f"{name}: kept by the browser", bool(page.evaluate("window.isKept")) == keeps)
    if keeps:
        check(f"{name}: not loaded again", page.evaluate("Number(sessionStorage.loads)") == loads)
    page.go_back(wait_until="commit")
    # Before the page is complete, Chromium may have no history yet.
    page.wait_for_function("() => location.pathname === '/about' && document.readyState === 'complete'")
    page.go_forward(wait_until="commit")
    restored("Forward")
    page.reload()
    restored("a reload")
    page.reload()
    restored("another reload")
    check(f"{name}: no room is left over", page.evaluate("document.querySelector('[data-grid]').parentElement.style.minHeight === ''"))


def changed_meanwhile(page, site, check, name):
    """A film is removed on its own page: the list is loaded again on return, with its rows and its position."""
    page.goto(site.base + MINE, wait_until="networkidle")
    count = show_all(page, SAVED)
    link = page.locator("[data-grid] > li h3 a").nth(31)
    title = link.inner_text()
    link.click()
    page.wait_for_url("**/films/*")
    page.wait_for_load_state("networkidle")
    page.locator("[data-mark=favourite] button").first.click()
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('Removed from favourites')")
    page.go_back(wait_until="commit")
    page.wait_for_function(f"count => {ROWS} === count", arg=count - 1)
    check(f"{name}: a list that has changed is loaded again", title not in page.locator("[data-grid]").inner_text())
    check(f"{name}: with the position", wait_until(lambda: page.evaluate("scrollY") > 1000), page.evaluate("scrollY"))
    remove(page, 30)
    page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{count - 2} films'")
    everything = titles(page)
    page.locator("[data-grid] > li h3 a").nth(31).click()
    page.wait_for_url("**/films/*")
    page.go_back(wait_until="commit")
    page.wait_for_function(TITLES, arg=everything)
    check(f"{name}: a film that was removed on the list stays removed", True)


def signed_out_meanwhile(page, site, check):
    """Signing out, in this tab or in another one, ends the pages that the browser has kept."""
    page.goto(site.base + "/sign-in?language=en&return=/my/favourites?language=en", wait_until="networkidle")
    page.locator("main form[action^='/sign-in'] button").click()
    page.locator("button[name=approve]").click()
    page.wait_for_url("**/my/favourites*")
    page.wait_for_load_state("networkidle")
    page.goto(site.base + "/about?language=en", wait_until="networkidle")
    other = page.context.new_page()
    other.goto(site.base + MINE, wait_until="networkidle")
    other.locator("form[action^='/sign-out'] button").click()
    other.wait_for_url(re.compile(r"^(?!.*/(my/favourites|sign-out)).*$"))
    other.close()
    page.bring_to_front()
    # Not go_back: Playwright may lose a page that the browser has kept while another tab was open.
    page.evaluate("() => { setTimeout(() => history.back()); }")
    page.wait_for_url("**/my/favourites*", wait_until="commit")
    hidden = "document.documentElement.style.visibility === 'hidden' || !document.querySelector('form[action^=\"/sign-out\"]')"
    check("history: nothing personal is shown after signing out in another tab", page.evaluate(hidden))
    page.locator("main a[href^='/sign-in']").wait_for()
    check("history: the page is loaded again without an account", page.locator("form[action^='/sign-out']").count() == 0, page.url)


def summary(page):
    return page.locator("[data-summary]").inner_text()


def titles(page):
    return page.locator("[data-grid] h3").all_text_contents()


def remove(page, number):
    page.locator("[data-grid] > li form button").nth(number).click()


def undo(page, site, check):
    page.goto(site.base + MINE, wait_until="networkidle")
    before = titles(page)
    check("undo: the first page", len(before) == 20 and summary(page) == f"{SAVED} films", (len(before), summary(page)))
    button = page.locator(".toast button")
    with paused(page):
        remove(page, 3)
        page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{SAVED - 1} films'")
        after = titles(page)
        check("undo: the next film moved to the page", len(after) == 20 and before[3] not in after and after[:19] == before[:3] + before[4:], after)
        check("undo: a button", button.inner_text() == "Undo" and not page.locator("[aria-hidden=true] button").count())
        page.clock.run_for(9900)
        check("undo: the button stays for ten seconds", button.is_visible())
        button.click()
    page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{SAVED} films'")
    check("undo: the film is back at its place", titles(page) == before, titles(page))
    page.reload(wait_until="networkidle")
    check("undo: it keeps its place", titles(page) == before, titles(page))
    # Show more after removals leaves out no film.
    everything = before + rest(page, site)
    for _ in range(2):
        remove(page, 0)
        page.wait_for_function("title => !document.querySelector('[data-grid]').textContent.includes(title)", arg=everything.pop(0))
    page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{SAVED - 2} films'")
    show_all(page, SAVED - 2)
    check("undo: more rows follow without a gap", titles(page) == everything, titles(page))
    with paused(page):
        remove(page, 41)
        page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{SAVED - 3} films'")
        check("undo: removed on a later page", titles(page) == everything[:41] + everything[42:], titles(page))
        page.locator(".toast button").click()
    page.wait_for_function(f"() => document.querySelector('[data-summary]').textContent === '{SAVED - 2} films'")
    check("undo: back on a later page", titles(page) == everything, titles(page))


def rest(page, site):
    """The titles of the later pages."""
    return [title for number in (2, 3) for title in page.evaluate("""async (address) => {
      const html = await (await fetch(address)).text();
      return [...html.matchAll(/<h3[^>]*><a[^>]*>([^<]*)</g)].map((match) => match[1].replace("&#39;", "'").replace("&amp;", "&"));
    }""", f"{site.base}{MINE}&page={number}")]


def undo_by_keys(page, site, check):
    page.goto(site.base + MINE, wait_until="networkidle")
    before = titles(page)
    with paused(page):
        page.locator("[data-grid] > li form button").nth(2).focus()
        page.keyboard.press("Enter")
        page.locator(".toast button").wait_for()
        check("undo by keys: the button has the focus", page.evaluate("document.activeElement.textContent") == "Undo")
        page.keyboard.press("Enter")
        page.wait_for_function(TITLES, arg=before)
        check("undo by keys: the film is back, with the focus", page.evaluate(FOCUSED) == 2)
        page.keyboard.press("Enter")
        page.locator(".toast button").wait_for()
        page.keyboard.press("Tab")
        check("undo by keys: Tab leads on to the next film", page.evaluate(FOCUSED) == 2)
        page.locator(".toast button").click()
    page.wait_for_function(TITLES, arg=before)


def the_last_film(page, site, check):
    page.goto(site.base + FILM + "?language=en", wait_until="networkidle")
    page.locator("[data-mark=watchlist] button").first.click()
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('Added to the watchlist')")
    page.goto(site.base + "/my/watchlist?language=en", wait_until="networkidle")
    check("the last film: the count", summary(page) == "1 film", summary(page))
    with paused(page):
        remove(page, 0)
        page.locator("[data-empty]").wait_for()
        check("the last film: the text of an empty list", "The watchlist is empty" in page.locator("main").inner_text() and not page.locator("[data-summary]").count())
        page.locator(".toast button").click()
    page.locator("[data-summary]").wait_for()
    check("the last film: back again", summary(page) == "1 film" and not page.locator("[data-empty]").count() and len(titles(page)) == 1, titles(page))


def undo_without_scripts(page, site, check):
    page.goto(site.base + MINE)
    before = titles(page)
    remove(page, 2)
    page.wait_for_load_state()
    note = page.locator("form.note")
    check("undo without scripts: a note", f"{before[2]} was removed" in note.inner_text() and before[2] not in titles(page), note.inner_text())
    note.locator("button").click()
    page.wait_for_load_state()
    check("undo without scripts: back at its place", titles(page) == before and page.url == site.base + MINE, (page.url, titles(page)))
