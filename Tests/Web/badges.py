"""The page about badges: the preview follows its form, its URL is copied, and the setting draws badges on the site's posters."""
import screens
from web import STRUCTURE, Site, violations, wait_until

FILM = "nosferatu-1922"
PAGE = f"/badges?film={FILM}&badge1=sample&position=bottom&language=en"
IMAGE = "[data-preview] img"
URL = "[data-url]"
# The address of each poster of a film, and its candidates.
POSTERS = "() => [...document.querySelectorAll('img.poster')].map((image) => `${image.getAttribute('src')} ${image.srcset}`)"
LOADED = f"() => document.querySelector('{IMAGE}')?.complete && document.querySelector('{IMAGE}').naturalWidth"


def run(browser, program, check, is_full):
    with Site(program) as site:
        with browser.page(390, service_workers="block") as page:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.base)
            preview(page, site, check)
            copying(page, site, check)
            refusals(page, site, check)
            setting(page, site, check, "scripts")
            check("badges: console", not page.complaints, page.complaints[:3])
        with browser.page(390, java_script_enabled=False, locale="en-GB") as page:
            plain(page, site, check)
            setting(page, site, check, "no scripts")
            check("badges, no scripts: console", not page.complaints, page.complaints[:3])
        looks(browser, site, check, is_full)
    with Site(program, "--badge-text") as site, browser.page(390, service_workers="block") as page:
        texts(page, site, check)


def source(page):
    return page.locator(IMAGE).get_attribute("src")


def preview(page, site, check):
    page.goto(site.base + PAGE, wait_until="networkidle")
    check("badges: the first preview", source(page) == f"/poster/{FILM}?w=342&badges=sample", source(page))
    check("badges: the poster is loaded", wait_until(lambda: page.evaluate(LOADED) == 342), page.evaluate(LOADED))
    loads = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    for name, value, parameter in (("position", "top-left", "badge-position=top-left"), ("style", "bar", "badge-style=bar"),
                                   ("colours", "source", "badge-colours=source"), ("badge2", "imdb", "badges=sample,imdb"), ("width", "154", "w=154&")):
        page.locator(f"select[name={name}]").select_option(value)
        check(f"badges: {name} changes the preview", wait_until(lambda: parameter in source(page)), source(page))
        check(f"badges: {name} is in the page's address", wait_until(lambda: f"{name}={value}" in page.url), page.url)
    check("badges: the preview of other badges is loaded", wait_until(lambda: page.evaluate(LOADED) == 154), page.evaluate(LOADED))
    page.locator("input[name=film]").fill("rashomon-1950")
    check("badges: another film", wait_until(lambda: "/poster/rashomon-1950?" in source(page)), source(page))
    check("badges: the change is announced", wait_until(lambda: "preview" in page.locator("#status").text_content()))
    check("badges: no page was loaded for it", all("/badges?" in each for each in loads) and page.locator("select[name=style]").input_value() == "bar", loads)
    before = source(page)
    page.reload(wait_until="networkidle")
    check("badges: a reload shows the same", source(page) == before, (before, source(page)))
    found = violations(page)
    check("badges: axe", not found, found[:3])


def copying(page, site, check):
    page.goto(site.base + PAGE, wait_until="networkidle")
    expected = f"{site.base}/poster/{FILM}?w=342&badges=sample"
    check("badges: the URL is absolute", page.locator(URL).input_value() == expected, page.locator(URL).input_value())
    check("badges: the URL is read only", page.locator(URL).get_attribute("readonly") is not None)
    page.locator("[data-copy]").click()
    check("badges: the copy is announced", wait_until(lambda: "copied" in page.locator("#status").text_content()))
    copied = page.evaluate("navigator.clipboard.readText()")
    check("badges: the URL is copied", copied == expected, copied)
    status, fields, _ = site.ask(copied.removeprefix(site.base))
    check("badges: the copied URL is a picture", status == 200 and fields["content-type"].startswith("image/"), (status, fields.get("content-type")))


def refusals(page, site, check):
    """Wrong films are a note beside the form; hostile ones are text."""
    page.goto(site.base + PAGE, wait_until="networkidle")
    for film, word in (("no-such-film", "no such film"), ('"><img src=x onerror=alert(1)>', "not the id")):
        page.locator("input[name=film]").fill(film)
        note = page.locator("[data-preview] .note").first
        check(f"badges: {film!r}: a note", wait_until(lambda: note.count() and word in note.text_content()), page.locator("[data-preview]").text_content())
        check(f"badges: {film!r}: no picture", page.locator(IMAGE).count() == 0)
        page.reload(wait_until="networkidle")
        check(f"badges: {film!r}: the field keeps it", page.locator("input[name=film]").input_value() == film)
    check("badges: no text without --badge-text", page.locator("input[name=text]").count() == 0)


def plain(page, site, check):
    page.goto(site.base + "/")
    page.locator(".colophon a[href^='/badges']").click()
    page.wait_for_url("**/badges*")
    check("badges, no scripts: a film at once", page.locator(IMAGE).count() == 1)
    check("badges, no scripts: a URL, but no button that copies", page.locator(URL).is_visible() and not page.locator("[data-copy]").is_visible())
    page.locator("input[name=film]").fill(FILM)
    page.locator("select[name=badge1]").select_option("sample")
    page.locator("select[name=position]").select_option("top")
    page.locator("[data-badges] button").click()
    page.wait_for_url("**position=top*")
    check("badges, no scripts: the preview", source(page) == f"/poster/{FILM}?w=342&badges=sample&badge-position=top", source(page))
    check("badges, no scripts: the URL", page.locator(URL).input_value() == source(page), page.locator(URL).input_value())
    check("badges, no scripts: the choice is shown", page.locator("select[name=position]").input_value() == "top")


def setting(page, site, check, label):
    page.goto(site.base + f"/badges?film={FILM}&badge1=sample&position=top&language=en")
    page.locator("button[name=on][value='1']").click()
    page.wait_for_load_state()
    check(f"badges, {label}: the setting is shown", page.locator("button[name=on][value='0']").count() == 1 and "/badges?" in page.url, page.url)
    cookie = next((each for each in page.context.cookies() if each["name"] == "onesheet_badges"), {})
    check(f"badges, {label}: a cookie", cookie.get("value") == "sample~top~~" and cookie.get("httpOnly") and cookie.get("sameSite") == "Lax", cookie)
    for path in ("/lists/popular", f"/films/{FILM}", "/box-office?date=2024-05-05"):
        page.goto(site.base + path)
        posters = page.evaluate(POSTERS)
        without = [each for each in posters if "badges=sample&badge-position=top" not in each]
        check(f"badges, {label}: on {path}", posters and not without, without[:2])
        counts = [(each.count("/poster/"), each.count("badges=sample")) for each in posters]
        check(f"badges, {label}: in each candidate on {path}", all(urls == badges for urls, badges in counts), counts[:3])
    page.goto(site.base + "/badges?language=en")
    page.locator("button[name=on][value='0']").click()
    page.wait_for_load_state()
    check(f"badges, {label}: no cookie any more", not page.context.cookies(), page.context.cookies())
    page.goto(site.base + "/lists/popular")
    posters = page.evaluate(POSTERS)
    check(f"badges, {label}: none on posters any more", posters and not [each for each in posters if "badges=" in each], posters[:2])


def texts(page, site, check):
    page.goto(site.base + PAGE, wait_until="networkidle")
    field = page.locator("input[name=text]")
    field.fill('4K "&<b>')
    check("badges: a text", wait_until(lambda: "text=4K%20%22%26%3Cb%3E" in source(page)), source(page))
    check("badges: a poster with a text is loaded", wait_until(lambda: page.evaluate(LOADED) == 342))
    field.fill("a\u202eb")
    note = page.locator("[data-preview] .note").first
    check("badges: a text that changes directions is refused", wait_until(lambda: note.count() and "cannot be drawn" in note.text_content()))
    check("badges: without it in the URL", "text=" not in source(page), source(page))
    found = violations(page)
    check("badges: axe with a text", not found, found[:3])
    check("badges: console with a text", not page.complaints, page.complaints[:3])


def looks(browser, site, check, is_full):
    schemes = ("light", "dark") if is_full else ("dark",)
    for scheme in schemes:
        for width in (320, 1440, 2560):
            with browser.page(width, color_scheme=scheme, service_workers="block") as page:
                for language in screens.LANGUAGES if is_full else screens.LANGUAGES[:1]:
                    page.goto(site.base + screens.in_language(f"/badges?film={FILM}&badge1=sample&position=top&width=780", language), wait_until="networkidle")
                    problems = page.evaluate(STRUCTURE)
                    check(f"badges {language} {width} {scheme}: structure", not problems, problems[:3])
                    found = violations(page)
                    check(f"badges {language} {width} {scheme}: axe", not found, found[:3])
