"""A typical session of a user in thirty steps: searches, reads, adds favourites, signs in by approval, rates, changes the language, goes offline, returns.

On a phone, in Korean, over TLS (cookies with `__Host-`, the service worker).
"""
import re

from offline import stored
from web import SHIFTS, Site, violations, wait_until

FILM = "/films/nosferatu-1922"
# Makes the service worker late, once, for what a page sends while it is left: busy from when it has the next page.
LATE = """() => {
  const before = fetch;
  self.fetch = async (...values) => {
    self.fetch = before;
    const response = await before(...values);
    setTimeout(() => { for (const end = Date.now() + 500; Date.now() < end;); });
    return response;
  };
}"""


def run(browser, program, check, is_full):
    with Site(program, tls=True) as site:
        permissions = ["clipboard-read", "clipboard-write"]
        with browser.page(390, locale="ko-KR", has_touch=True, is_mobile=True, permissions=permissions) as page:
            page.add_init_script(SHIFTS)
            session = Session(page, site, check)
            for part in (session.find, session.read, session.keep, session.sign_in, session.rate, session.share, session.look_around,
                         session.go_offline, session.return_and_leave):
                part()
            check("the session: console", not session.complaints(), session.complaints()[:5])
        with browser.page(390, locale="en-GB") as page:
            page.goto(session.shared)
            check("31 the shared address is in the reader's language", page.evaluate("document.documentElement.lang") == "en")


class Session:
    def __init__(self, page, site, check):
        self.page, self.site, self.base, self.check = page, site, site.base, check
        self.shared = site.base + FILM

    def go(self, path, idle=True):
        return self.page.goto(self.base + path, wait_until="networkidle" if idle else "load")

    def heading(self):
        return self.page.locator("h1").text_content().strip()

    def said(self, text, name):
        """Waits for an announcement."""
        self.page.wait_for_function("text => document.querySelector('#status').textContent.includes(text)", arg=text)
        self.check(name, True)

    def pressed(self, kind):
        return self.page.locator(f"[data-mark={kind}] button").first.get_attribute("aria-pressed") == "true"

    def complaints(self):
        """Complaints without the expected ones: the session requests a day without figures, and goes offline."""
        return [each for each in self.page.complaints if "status of 400" not in each and "ERR_INTERNET_DISCONNECTED" not in each]

    def find(self):
        page, check = self.page, self.check
        self.go("/")
        check("1 Korean by Accept-Language", page.evaluate("document.documentElement.lang") == "ko")
        check("2 the hero leads to a film", "/films/" in page.locator(".hero h1 a").get_attribute("href"))
        rail = page.locator(".rail").nth(1)
        rail.scroll_into_view_if_needed()
        moved = rail.evaluate("rail => { rail.scrollTo({ left: 400, behavior: 'instant' }); return rail.scrollLeft; }")
        still = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        check("3 a row scrolls sideways, the page does not", moved > 100 and still, (moved, still))
        page.locator("main a[href^='/lists/popular']").click()
        page.wait_for_url("**/lists/popular*")
        check("4 the whole list", page.locator("[data-grid] > li").count() == 20)
        page.wait_for_load_state("networkidle")
        for count in (40, 48):
            page.locator("[data-more] a[rel=next]").focus()
            page.keyboard.press("Enter")
            page.wait_for_function("count => document.querySelectorAll('[data-grid] > li').length === count", arg=count)
        check("5 two more pages, with the focus in the list", page.evaluate("!!document.activeElement.closest('[data-grid]')"))
        check("5 the list keeps its address", page.url.endswith("/lists/popular"), page.url)
        page.locator("a.mark").click()
        page.wait_for_load_state("networkidle")
        check("6 home", page.locator(".hero").count() == 1)
        page.locator(".tool-search").click()
        page.wait_for_url("**/search*")
        page.wait_for_load_state("networkidle")
        field = page.locator("main input[type=search]")
        check("7 the search field has the focus", field.evaluate("field => field === document.activeElement"))
        field.press_sequentially("ㄴㅅㅍㄹㅌ", delay=60)
        page.locator(f"[data-results] a[href^='{FILM}']").first.wait_for()
        check("8 found by initial consonants while typing", True)
        page.wait_for_function("() => new URL(location.href).searchParams.get('q') === 'ㄴㅅㅍㄹㅌ'")
        check("9 address and title contain the query", "ㄴㅅㅍㄹㅌ" in page.title(), page.title())
        page.wait_for_timeout(1700)  # a pause that starts a new history entry
        field.fill("nosfaratu")
        page.wait_for_function("() => location.search.includes('nosfaratu')")
        page.go_back()
        shows = "text => document.querySelector('main input[type=search]').value === text"
        page.wait_for_function(shows, arg="ㄴㅅㅍㄹㅌ")
        page.go_forward()
        page.wait_for_function(shows, arg="nosfaratu")
        check("10 Back and Forward restore the query", True)
        page.locator(f"[data-results] .card a[href^='{FILM}']").first.wait_for()
        check("11 found with a typing error", True)
        page.wait_for_load_state("networkidle")
        page.locator(f"[data-results] .card a[href^='{FILM}']").first.click()
        page.wait_for_url(f"**{FILM}*")
        check("12 the film's page", self.heading() == "노스페라투", self.heading())

    def read(self):
        page, check = self.page, self.check
        page.wait_for_load_state("networkidle")
        for part in ("#overview", "#cast", "#gallery", "#reviews", "#information"):
            check(f"13 {part}", page.locator(part).count() == 1)
        shifted = page.evaluate("window.shifted ?? 0")
        check("13 no layout shift", shifted <= 0.01, shifted)
        page.locator(".people a").first.click()
        page.wait_for_url("**/persons/*")
        check("14 a person", page.locator(f"main a[href^='{FILM}']").count() > 0)
        page.go_back()
        page.wait_for_url(f"**{FILM}*")
        page.wait_for_load_state("networkidle")
        page.locator("[data-pictures] a").first.click()
        page.locator("dialog[open] [data-picture]").wait_for()
        check("15 a picture over the page, under its address", "/pictures/" in page.url, page.url)
        page.go_back()
        page.wait_for_function("() => !document.querySelector('dialog[open]')")
        check("15 Back closes it", page.url.partition("?")[0].endswith(FILM), page.url)

    def keep(self):
        page, check = self.page, self.check
        page.wait_for_load_state("networkidle")
        page.locator("[data-mark=favourite] button").first.click()
        self.said("즐겨찾기에 넣었습니다", "16 a favourite, announced")
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
        cookie = cookies.get("__Host-onesheet_session", {})
        check("16 the session cookie", cookie.get("httpOnly") and cookie.get("secure") and cookie.get("sameSite") == "Lax", list(cookies))
        page.reload(wait_until="networkidle")
        check("17 still a favourite after a reload", self.pressed("favourite"))
        page.locator("[data-mark=watchlist] button").first.focus()
        page.keyboard.press("Space")
        self.said("볼 영화에 넣었습니다", "18 the watchlist by keyboard")
        check("18 the watchlist button is pressed", self.pressed("watchlist"))
        page.locator(".masthead a[href^='/my/']").click()
        page.wait_for_url("**/my/favourites*")
        kept = page.locator(f"main a[href^='{FILM}']").count()
        check("19 the favourite of this device is listed", kept > 0 and "이 기기" in page.locator("main").inner_text())

    def sign_in(self):
        page, check = self.page, self.check
        page.wait_for_load_state("networkidle")
        page.locator("main a[href^='/sign-in']").first.click()
        page.wait_for_url("**/sign-in*")
        page.locator("main form[action^='/sign-in'] button").click()
        page.wait_for_url("**/sign-in/approve*")
        check("20 the approval is a page of the site", page.locator(".masthead").count() == 1 and "이 기기에서" in self.heading(), self.heading())
        found = violations(page)
        check("20 the approval: axe", not found, found[:3])
        page.locator("button[name=approve]").click()
        page.wait_for_url("**/my/favourites*")
        text = page.locator("main").inner_text()
        check("20 signed in, back at the favourites", page.locator("form[action^='/sign-out']").count() == 1, page.url)
        check("20 the favourites of the device are there", page.locator(f"main a[href^='{FILM}']").count() > 0 and "로그인했습니다" in text, text[:300])
        check("20 the note leaves the address", "signed-in" not in page.url, page.url)

    def rate(self):
        page, check = self.page, self.check
        self.go(FILM + "?language=ko")
        check("20 the account has the favourite", self.pressed("favourite"))
        slider = page.locator("input[type=range]")
        slider.focus()
        for _ in range(7):  # from 5.0
            page.keyboard.press("ArrowRight")
        self.said("8.5", "21 rated by arrow keys, announced")
        self.go("/my/ratings?language=ko")
        check("22 the rating is in the account", "8.5" in page.locator("main").inner_text())
        self.go(FILM + "?language=ko")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        page.context.service_workers[0].evaluate(LATE)
        self.go("/my/ratings?language=ko")
        check("22 a rating is saved when the page is left at once", wait_until(lambda: page.reload() and "8.0" in page.locator("main").inner_text()))
        state = page.context.storage_state()
        context = page.context.browser.new_context(java_script_enabled=False, ignore_https_errors=True, storage_state=state)
        try:
            other = context.new_page()
            other.goto(self.base + FILM + "?language=ko")
            other.locator("select#rating").select_option("9.0")
            other.locator("[data-rate] button:not([name])").click()
            other.wait_for_load_state()
            check("23 rated by the list, without scripts", other.locator("select#rating").input_value() == "9.0")
        finally:
            context.close()

    def share(self):
        page, check = self.page, self.check
        self.go(FILM + "?language=ko")
        page.evaluate("delete Navigator.prototype.share")
        page.locator("[data-share]").click()
        self.said("복사", "24 shared, announced")
        address = page.evaluate("navigator.clipboard.readText()")
        check("24 the shared address has no language", address == self.base + FILM, address)

    def look_around(self):
        page, check = self.page, self.check
        self.go("/box-office?date=2024-05-05&span=weekend&view=posters&language=ko")
        check("25 a weekend in posters", page.locator(".ranked .card").count() == 10)
        response = self.go("/box-office?date=1999-01-01&language=ko")
        words = page.locator("main").inner_text()
        check("25 a day without figures is refused with an explanation", response.status == 400 and "2003" in words, (response.status, words[:200]))
        self.go("/discover?language=ko")
        page.locator("select[name=genre]").select_option("horror")
        page.wait_for_url("**genre=horror*")
        page.wait_for_load_state("networkidle")
        page.locator("select[name=decade]").select_option("1920")
        page.wait_for_url("**decade=1920*")
        check("26 filters are in the address", "genre=horror" in page.url, page.url)
        page.locator(".colophon a[hreflang=ja]").click()
        page.wait_for_url("**language=ja*")
        kept = "genre=horror" in page.url and "decade=1920" in page.url
        check("27 Japanese, with the same filters", kept and page.evaluate("document.documentElement.lang") == "ja", page.url)
        check("27 Japanese in links, too", "language=ja" in page.locator(".card a").first.get_attribute("href"))

    def go_offline(self):
        page, check = self.page, self.check
        self.go("/?language=ko")
        self.go(FILM + "?language=ko")
        check("28 visited pages are stored", wait_until(lambda: FILM in stored(page) and "/" in stored(page)), stored(page))
        page.context.set_offline(True)
        before = len(page.complaints)
        try:
            self.go(FILM + "?language=ko", idle=False)
            check("28 a visited film offline", self.heading() == "노스페라투", self.heading())
            check("28 a stored page says so", "오프라인" in page.locator(".stored").inner_text())
            self.go("/?language=ko", idle=False)
            check("28 home offline", page.locator(".rail").count() > 0)
            self.go("/films/vertigo-1958?language=ko", idle=False)
            check("28 a page that is not stored shows the offline page", "연결" in self.heading(), self.heading())
            page.wait_for_function("() => !document.querySelector('[data-visited]').hidden")
            check("28 the offline page lists stored pages", "노스페라투" in page.locator("[data-visited]").inner_text())
            self.go("/my/favourites?language=ko", idle=False)
            check("28 personal pages are not stored", "연결" in self.heading(), self.heading())
        finally:
            page.context.set_offline(False)
            # Pages that the service worker has not stored: the error depends on Chromium's version.
            page.complaints[before:] = [each for each in page.complaints[before:] if "ERR_FAILED" not in each]

    def return_and_leave(self):
        page, check = self.page, self.check
        self.go("/my/favourites?language=ko")
        check("29 online again: the account", page.locator(f"main a[href^='{FILM}']").count() > 0)
        page.locator("form[action^='/sign-out'] button").click()
        page.wait_for_url(re.compile(r"^(?!.*/(my|sign-out)).*$"))
        page.wait_for_load_state("networkidle")
        check("29 signed out: the cookie holds the device's token alone", [len(each["value"]) for each in page.context.cookies() if "session" in each["name"]] == [64])
        left = stored(page)
        check("29 no earlier page is stored", FILM not in left, left)
        page.go_back()
        page.wait_for_load_state("networkidle")
        signed_in = page.locator("form[action^='/sign-out']").count()
        check("29 Back shows nothing of the account", signed_in == 0, page.url)
        self.go("/my/favourites?language=ko")
        text = page.locator("main").inner_text()
        check("30 the device has its favourites", page.locator(f"main a[href^='{FILM}']").count() > 0 and "이 기기" in text, text[:200])
        self.go("/my/watchlist?language=ko")
        check("30 the device has its watchlist", page.locator(f"main a[href^='{FILM}']").count() > 0)
        self.go("/my/ratings?language=ko")
        check("30 ratings have ended with the session", "8.5" not in page.locator("main").inner_text() and "9.0" not in page.locator("main").inner_text())
