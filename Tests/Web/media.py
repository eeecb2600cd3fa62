"""Media features: forced colours, print, reduced motion, larger text and wider spacing."""
import screens
from web import STRUCTURE, Site, unreached, violations

FILM = "/films/nosferatu-1922?language=en"
# The text spacing that pages must support by WCAG 1.4.12.
SPACING = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"
ADOPT = """(text) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); document.adoptedStyleSheets.push(sheet); }"""
MOVING = """() => [...document.querySelectorAll("*")].filter((element) => {
  const style = getComputedStyle(element);
  const seconds = (text) => Math.max(...text.split(",").map(parseFloat));
  return seconds(style.transitionDuration) > 0.01 || (style.animationName !== "none" && seconds(style.animationDuration) > 0.01) || style.scrollBehavior === "smooth";
}).map((element) => element.outerHTML.slice(0, 80))"""
SHOWN = "(selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility({ checkVisibilityCSS: true })).length"


def run(browser, program, check, is_full):
    with Site(program) as site:
        forced_colours(browser, site, check)
        still(browser, site, check)
        printed(browser, site, check)
        large(browser, site, check, screens.SCREENS if is_full else screens.DARK)


def forced_colours(browser, site, check):
    for name in screens.DARK + ["favourites", "sign-in"]:
        with browser.page(390, forced_colors="active", color_scheme="dark", service_workers="block") as page:
            page.goto(site.base + screens.address(name, "en"), wait_until="networkidle")
            found = violations(page)
            check(f"forced colours {name}: axe", not found, found[:3])
            missed, unseen = unreached(page)
            check(f"forced colours {name}: keyboard", missed == 0 and not unseen, (missed, unseen[:3]))


def still(browser, site, check):
    for name in ("home", "film", "discover"):
        with browser.page(1440, reduced_motion="reduce", service_workers="block") as page:
            page.goto(site.base + screens.address(name, "en"), wait_until="networkidle")
            moving = page.evaluate(MOVING)
            check(f"reduced motion {name}: nothing moves", not moving, moving[:3])


def printed(browser, site, check):
    with browser.page(820, service_workers="block", color_scheme="dark") as page:
        page.goto(site.base + FILM, wait_until="networkidle")
        page.emulate_media(media="print")
        for selector in (".masthead nav", ".finder", ".colophon nav a", "main button", "main form"):
            check(f"print: no {selector}", page.evaluate(SHOWN, selector) == 0)
        for selector in ("h1", ".film-poster img", "#overview", "#information"):
            check(f"print: {selector}", page.evaluate(SHOWN, selector) == 1)
        ink = page.evaluate("() => [getComputedStyle(document.querySelector('h1')).color, getComputedStyle(document.body).backgroundColor]")
        check("print: dark on white", ink[0] == "rgb(0, 0, 0)" and ink[1] in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), ink)
        check("print: a document", page.pdf().startswith(b"%PDF"))


def large(browser, site, check, names):
    for name in names:
        with browser.page(320, service_workers="block", locale="en-GB") as page:
            page.goto(site.base + screens.address(name, "en"), wait_until="load")
            page.evaluate(ADOPT, SPACING)
            problems = [each for each in page.evaluate(STRUCTURE) if each.startswith("scrolls")]
            check(f"wide spacing {name}", not problems, problems)
        with browser.page(640, service_workers="block", locale="en-GB") as page:
            page.goto(site.base + screens.address(name, "en"), wait_until="load")
            page.evaluate(ADOPT, "html { font-size: 200% !important; }")
            problems = [each for each in page.evaluate(STRUCTURE) if each.startswith("scrolls")]
            check(f"text of twice the size {name}", not problems, problems)
