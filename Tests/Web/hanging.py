"""A source that hangs: texts are shown first, pictures and supplements of a film later, without layout shifts.

The test holds back responses until it has checked the page without them.
"""
from tmdb_stub import FIRST, Stub
from web import SHIFTS, STRUCTURE, Site

TEXTS = [f"등대의 밤 {number}" for number in range(1, 21)]
FILM = f"/films/tmdb:{FIRST}?language=ko"
# The program's timeout of upstream requests in seconds: none is reached but that of the source that never responds.
PATIENT, TIMEOUT = 120, 12
LOADED = "(selector) => { const all = [...document.querySelectorAll(selector)]; return all.length > 0 && all.every((image) => image.naturalWidth > 0); }"
SEEN = "() => [...document.images].filter((image) => image.naturalWidth > 0).length"


def run(browser, program, check, is_full):
    for scenario in (pictures_of_home, pictures_of_a_film, supplements, everything):
        timeout = TIMEOUT if scenario is everything else PATIENT
        with Stub(TEXTS) as stub, Site(program, *stub.options, "--fetch-timeout", str(timeout)) as site:
            scenario(browser, site, stub, check)
            check(f"hanging {scenario.__name__}: log of the program", "fatal" not in site.complaints().lower(), site.complaints()[-300:])


def pictures_of_home(browser, site, stub, check):
    pictures(browser, site, stub, check, "/?language=ko", ".hero h1", ".hero img")


def pictures_of_a_film(browser, site, stub, check):
    pictures(browser, site, stub, check, FILM, "h1", ".film-scene, .film-poster img")


def pictures(browser, site, stub, check, path, heading, first):
    stub.hold("pictures")
    with browser.page(390, service_workers="block") as page:
        page.add_init_script(SHIFTS)
        page.goto(site.base + path, wait_until="commit")
        page.locator(heading).first.wait_for()
        page.wait_for_load_state("domcontentloaded")
        text = page.locator("main").inner_text()
        check(f"pictures hang {path}: texts are shown", TEXTS[0] in text, text[:200])
        check(f"pictures hang {path}: no picture is shown", page.evaluate(SEEN) == 0)
        problems = page.evaluate(STRUCTURE)
        check(f"pictures hang {path}: structure", not problems, problems[:3])
        page.wait_for_timeout(1500)  # the layout without pictures settles first
        stub.release("pictures")
        page.wait_for_function(LOADED, arg=first)
        check(f"pictures hang {path}: pictures are shown later", True)
        shifted = page.evaluate("window.shifted ?? 0")
        check(f"pictures hang {path}: pictures cause no layout shift", shifted <= 0.01, shifted)


def supplements(browser, site, stub, check):
    stub.hold("supplements")
    with browser.page(390, service_workers="block") as page:
        response = page.goto(site.base + FILM)
        check("supplements hang: the film is shown", response.status == 200 and page.locator("h1").text_content().strip() == TEXTS[0])
        check("supplements hang: the incomplete page is not stored", "no-store" in response.headers["cache-control"], response.headers["cache-control"])
        late = page.locator("[data-late]")
        check("supplements hang: links to late parts", late.count() > 0)
        with browser.page(390, java_script_enabled=False) as other:
            other.goto(site.base + FILM)
            links = other.locator("[data-late] a, a[data-late]").count()
            check("supplements hang: links to late parts without scripts", links > 0, links)
        stub.release("supplements")
        late.first.scroll_into_view_if_needed()
        page.locator("main .row .card").first.wait_for()
        check("supplements hang: supplements are shown later", page.locator("main .row .card").count() > 0)


def everything(browser, site, stub, check):
    with browser.page(390, service_workers="block") as page:
        page.goto(site.base + "/lists/popular?language=ko")
        stub.hold(*stub.gates)
        response = page.goto(site.base + "/lists/popular?language=ko")
        check("the source hangs: stored lists are served", response.status == 200 and page.locator("[data-grid] .card").count() == 20)
        response = page.goto(site.base + FILM)
        check("the source hangs: status of a film that is not stored", response.status in (502, 503, 504), response.status)
        words = page.locator("main").inner_text()
        check("the source hangs: the error page names the cause in its language", "연결되지 않습니다" in words, words[:200])
        check("the source hangs: the error page has a link to try again", page.locator("main a[href='']").count() == 1)
        problems = page.evaluate(STRUCTURE)
        check("the source hangs: structure", not problems, problems[:3])
        stub.release(*stub.gates)
