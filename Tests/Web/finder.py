"""The frame of every page: suggestions in the field at the top, "/", the navigation on narrow screens, and the theme."""
import screens
from web import STRUCTURE, Site, paused, violations, wait_until

FILM = "/films/nosferatu-1922"
OPTIONS = ".finder [role=option]"
INPUT = ".finder [name=q]"
# The pause after which suggestions are requested, in milliseconds.
DELAY = 120
ACTIVE = "() => { const field = document.querySelector('.finder [name=q]'); return document.getElementById(field.getAttribute('aria-activedescendant'))?.textContent ?? ''; }"
# The page's colour, and that of the browser's bar.
PAPER = "() => [getComputedStyle(document.body.parentElement).backgroundColor, [...document.querySelectorAll('meta[name=theme-color]')].find((meta) => matchMedia(meta.media).matches)?.content]"
LIGHT, DARK = ["rgb(244, 241, 234)", "#f4f1ea"], ["rgb(22, 21, 20)", "#161514"]


def run(browser, program, check, is_full):
    with Site(program) as site:
        suggestions(browser, site, check)
        composition(browser, site, check)
        late_response(browser, site, check)
        refusals(browser, site, check)
        slash(browser, site, check)
        navigation(browser, site, check, screens.LANGUAGES if is_full else screens.LANGUAGES[:1])
        theme(browser, site, check)


def suggestions(browser, site, check):
    with browser.page(1440, service_workers="block") as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "part=1" in request.url and "/search" in request.url else None)
        page.goto(site.base + "/?language=en", wait_until="networkidle")
        field = page.locator(INPUT)
        field.focus()
        page.wait_for_function("() => document.querySelector('.finder [name=q]').getAttribute('role') === 'combobox'")
        with paused(page):
            field.press_sequentially("nosf")
            page.clock.run_for(DELAY - 1)
            check("suggestions: no request while typing", not asked, asked)
            page.clock.run_for(1)
            page.locator(OPTIONS).first.wait_for()
        check("suggestions: one request for what is typed without a pause", len(asked) == 1 and "q=nosf" in asked[0], asked)
        check("suggestions: at most eight", 0 < page.locator(OPTIONS).count() <= 8)
        check("suggestions: announced", wait_until(lambda: "suggestion" in page.locator("#status").text_content()))
        check("suggestions: expanded", field.get_attribute("aria-expanded") == "true")
        found = violations(page)
        check("suggestions: axe", not found, found[:3])
        problems = page.evaluate(STRUCTURE)
        check("suggestions: structure", not problems, problems[:3])
        page.keyboard.press("ArrowDown")
        check("suggestions: the arrow key chooses the first one", "Nosferatu" in page.evaluate(ACTIVE), page.evaluate(ACTIVE))
        check("suggestions: the focus stays in the field", field.evaluate("field => field === document.activeElement"))
        page.keyboard.press("ArrowUp")
        check("suggestions: the field itself is before the first one", page.evaluate(ACTIVE) == "")
        page.keyboard.press("Escape")
        check("suggestions: Escape closes them and keeps the text", page.locator(OPTIONS).first.is_hidden() and field.input_value() == "nosf")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{FILM}*")
        check("suggestions: Enter opens the chosen one, in the page's language", "language=en" in page.url, page.url)
        page.goto(site.base + "/?language=en", wait_until="networkidle")
        field.fill("kurosawa")
        page.locator(OPTIONS + "[href*='/persons/']").wait_for()
        check("suggestions: people as well", True)
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?*q=kurosawa*")
        check("suggestions: Enter without a choice searches", page.locator("[data-results] .people").count() == 1, page.url)
        page.goto(site.base + FILM + "?language=en", wait_until="networkidle")
        field.fill("metropolis")
        page.locator(OPTIONS).first.click()
        page.wait_for_url("**/films/metropolis-1927*")
        check("suggestions: a click opens one", True)
        page.locator(INPUT).fill("nosf")
        page.locator(OPTIONS).first.wait_for()
        page.keyboard.press("Tab")
        check("suggestions: leaving the field closes them", wait_until(lambda: page.locator(OPTIONS).first.is_hidden()))
        check("suggestions: console", not page.complaints, page.complaints[:3])


def composition(browser, site, check):
    with browser.page(1440, service_workers="block", locale="ko-KR") as page:
        page.goto(site.base + "/", wait_until="networkidle")
        page.locator(INPUT).focus()
        page.wait_for_function("() => document.querySelector('.finder [name=q]').getAttribute('role') === 'combobox'")
        debugger = page.context.new_cdp_session(page)
        with paused(page):
            # A syllable that is still being composed.
            for text in ("ㄴ", "노"):
                debugger.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
            page.clock.run_for(DELAY)
            page.locator(OPTIONS).filter(has_text="노스페라투").first.wait_for()
        check("suggestions: half a word is a query while it is composed", True)
        debugger.send("Input.insertText", {"text": "노"})
        page.keyboard.press("ArrowDown")
        check("suggestions: the arrow key after composing", page.evaluate(ACTIVE) != "")


def late_response(browser, site, check):
    with browser.page(1440, service_workers="block") as page:
        held = []
        page.route("**/search?*q=n&*", lambda route: held.append(route))
        page.goto(site.base + "/?language=en", wait_until="networkidle")
        page.locator(INPUT).focus()
        page.wait_for_function("() => document.querySelector('.finder [name=q]').getAttribute('role') === 'combobox'")
        with paused(page):
            page.keyboard.type("n")
            page.clock.run_for(DELAY)
            check("suggestions: the first letter is requested", wait_until(lambda: page.evaluate("1") and held))
            page.keyboard.type("o")
            held[0].continue_()
            page.locator(OPTIONS).first.wait_for()
            page.keyboard.press("ArrowDown")
            check("suggestions: those of an earlier text cannot be chosen", page.evaluate(ACTIVE) == "", page.evaluate(ACTIVE))
            with page.expect_response("**/search?*q=no&*") as response:
                page.clock.run_for(DELAY)
            response.value.finished()
            page.wait_for_function("() => document.querySelector('.finder [name=q]').getAttribute('aria-expanded') === 'true'")
            check("suggestions: those of the text can", wait_until(lambda: page.keyboard.press("ArrowDown") or page.evaluate(ACTIVE) != ""))


def refusals(browser, site, check):
    with browser.page(1440, service_workers="block") as page:
        page.route("**/search?*part=1*", lambda route: route.fulfill(status=429))
        page.goto(site.base + "/?language=en", wait_until="networkidle")
        with page.expect_response("**/search?*part=1*"):
            page.locator(INPUT).press_sequentially("nosf")
        check("suggestions: a refusal is silent", page.locator(".toast").count() == 0 and page.locator(OPTIONS).count() == 0)
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?*q=nosf*")
        check("suggestions: the form searches all the same", page.locator("[data-results] .card").count() > 0)


def slash(browser, site, check):
    with browser.page(1440, service_workers="block") as page:
        page.goto(site.base + FILM + "?language=en", wait_until="networkidle")
        page.keyboard.press("/")
        check("/ leads to the field", page.locator(INPUT).evaluate("field => field === document.activeElement && field.value === ''"))
        page.keyboard.type("a/b")
        check("/ is a character in a field", page.locator(INPUT).input_value() == "a/b")
        page.goto(site.base + "/discover?language=en", wait_until="networkidle")
        page.locator("select[name=genre]").focus()
        page.keyboard.press("/")
        check("/ belongs to a list of choices, too", page.evaluate("() => document.activeElement.name") == "genre")
    with browser.page(390, service_workers="block") as page:
        page.goto(site.base + FILM + "?language=en", wait_until="networkidle")
        page.keyboard.press("/")
        page.wait_for_url("**/search?language=en")
        check("/ leads to the search page where the field has no space", True)
        page.locator("h1").click()
        page.keyboard.press("/")
        check("/ leads to the search page's field", page.evaluate("() => document.activeElement.name") == "q")


def navigation(browser, site, check, languages):
    for language in languages:
        with browser.page(320, service_workers="block") as page:
            page.goto(site.base + screens.in_language("/lists/upcoming", language), wait_until="load")
            current = page.locator(".masthead nav [aria-current=page]").get_attribute("href")
            check(f"the navigation {language}: lists are the current place", current.startswith("/lists/"), current)
            for width in (320, 390, 900, 1024):
                page.set_viewport_size({"width": width, "height": 800})
                problems = [each for each in page.evaluate(STRUCTURE) if each.startswith("scrolls")]
                check(f"the navigation {language} {width}: no overflow", not problems, problems)
                rows = page.evaluate("() => new Set([...document.querySelectorAll('.masthead nav a')].map((link) => link.offsetTop)).size")
                check(f"the navigation {language} {width}: one line", rows == 1, rows)


def theme(browser, site, check):
    choice = "[data-theme-choice]"
    for system, other, colours in (("light", "dark", DARK), ("dark", "light", LIGHT)):
        with browser.page(390, service_workers="block", color_scheme=system) as page:
            page.goto(site.base + "/?language=en", wait_until="networkidle")
            check(f"theme: {system} as the system", page.evaluate(PAPER) == (LIGHT if system == "light" else DARK), page.evaluate(PAPER))
            page.locator(choice).select_option(other)
            check(f"theme: {other} at once", page.evaluate(PAPER) == colours, page.evaluate(PAPER))
            cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
            cookie = cookies.get("onesheet_theme", {})
            check("theme: a cookie", cookie.get("value") == other and cookie.get("sameSite") == "Lax" and cookie.get("path") == "/", cookies)
            # Before any module is loaded.
            page.route("**/onesheet.js", lambda route: route.abort())
            page.goto(site.base + FILM + "?language=en", wait_until="load")
            check(f"theme: {other} on the next page, before its scripts", page.evaluate(PAPER) == colours, page.evaluate(PAPER))
            check("theme: the choice is shown", page.locator(choice).input_value() == other)
            found = violations(page)
            check(f"theme: {other}, axe", not found, found[:3])
            page.emulate_media(media="print")
            check("theme: print is light", page.evaluate("() => getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)")
            page.emulate_media(media="screen")
            page.locator(choice).select_option("")
            check("theme: the system's again, without a cookie", page.evaluate(PAPER) != colours and not page.context.cookies(), page.context.cookies())
    with browser.page(390, java_script_enabled=False, color_scheme="dark") as page:
        page.goto(site.base + "/")
        check("theme: without scripts there is no choice", not page.locator(choice).is_visible())
