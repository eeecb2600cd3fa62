"""The operator's page: signing in with the admin token, figures, forms, and refusals; with and without scripts, on a phone, light and dark."""
import pathlib, tempfile

from forms import HTML, cookie_of, post, token_of
from web import STRUCTURE, Site, unreached, violations

SECRET = "0123456789abcdef0123456789abcdef"
FILM = "nosferatu-1922"


def run(browser, program, check, is_full):
    with tempfile.TemporaryDirectory(prefix="onesheet-admin-") as folder:
        file = pathlib.Path(folder, "token")
        file.write_text(SECRET)
        file.chmod(0o600)
        with Site(program, "--admin-token-file", str(file), tls=True) as site:
            refuse(site, check)
            for scripts, scheme, width in ((True, "light", 390), (True, "dark", 1440), (False, "light", 320)):
                with browser.page(width, color_scheme=scheme, java_script_enabled=scripts, service_workers="block", locale="en-GB") as page:
                    use(page, site, check, f"admin {width} {scheme}{'' if scripts else ' no scripts'}", scripts)
    with Site(program) as site:
        for path in ("/admin", "/admin/sign-in"):
            check(f"{path} without a token", site.ask(path, headers=HTML)[0] == 404)


def refuse(site, check):
    own = {"Origin": site.base, "Sec-Fetch-Site": "same-origin"}
    status, fields, _ = site.ask("/admin", headers=HTML)
    check("admin: without a session", status == 303 and fields["location"] == "/admin/sign-in", (status, fields.get("location")))
    check("admin: a wrong token", post(site, "/admin/sign-in", {"secret": "wrong"}, own)[0] == 403)
    check("admin: the sign-in of another site", post(site, "/admin/sign-in", {"secret": SECRET}, {"Sec-Fetch-Site": "cross-site"})[0] == 403)
    status, fields, _ = post(site, "/admin/sign-in", {"secret": SECRET}, own)
    line, pair = cookie_of(fields, "onesheet_admin")
    check("admin: the cookie", line.startswith("__Host-") and all(each in line for each in ("HttpOnly", "Secure", "SameSite=Strict")), line)
    token = token_of(site.ask("/admin", headers={**HTML, "Cookie": pair})[2])
    for name, fields, headers in (("no token", {}, own), ("another site", {"token": token}, {"Sec-Fetch-Site": "cross-site"}), ("no origin", {"token": token}, {})):
        status = post(site, "/admin/purge", {"ids": FILM, **fields}, {"Cookie": pair, **headers})[0]
        check(f"admin: a form with {name}", status == 403, status)


def use(page, site, check, label, scripts):
    # A page that is left while it loads may log a failed request.
    quiet = lambda: page.wait_for_load_state("networkidle")
    page.goto(site.base + "/admin")
    page.wait_for_url("**/admin/sign-in")
    quiet()
    audit(page, check, f"{label}, signing in", scripts)
    page.locator("#secret").fill("wrong")
    page.locator("main form button").click()
    page.locator("[role=alert]").wait_for()
    quiet()
    # Chromium reports the page's own status as an error.
    page.complaints[:] = [each for each in page.complaints if "status of 403" not in each]
    page.locator("#secret").fill(SECRET)
    page.locator("main form button").click()
    page.wait_for_url("**/admin")
    quiet()
    check(f"{label}: figures", page.locator("#figures").count() == 1 and page.locator("main dl dd").count() >= 7)
    check(f"{label}: sources", page.locator("section[aria-labelledby=sources] li").count() >= 6)
    audit(page, check, label, scripts)
    page.locator("#warm-ids").fill(FILM)
    page.locator("form[action$='/warm'] button").click()
    page.locator("[role=status].note").wait_for()
    quiet()
    check(f"{label}: warmed", "queued" in page.locator("[role=status].note").inner_text())
    page.locator("#purge-ids").fill(FILM)
    page.locator("form[action$='/purge'] button").click()
    page.wait_for_url("**/admin/purge")
    quiet()
    check(f"{label}: purged", "purged" in page.locator("[role=status].note").inner_text())
    page.locator("form[action$='/sign-out'] button").click()
    page.wait_for_url("**/admin/sign-in")
    quiet()
    page.goto(site.base + "/admin", wait_until="networkidle")
    check(f"{label}: signed out", "/sign-in" in page.url, page.url)
    check(f"{label}: console", not page.complaints, page.complaints[:3])


def audit(page, check, label, scripts):
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(f"{label}: no horizontal scrolling", wide <= 0, wide)
    foreign = page.evaluate("[...document.scripts].filter((each) => each.src && new URL(each.src).origin !== location.origin).length")
    check(f"{label}: no script of another site", foreign == 0)
    if not scripts:
        return
    problems = page.evaluate(STRUCTURE)
    check(f"{label}: structure", not problems, problems[:5])
    found = violations(page)
    check(f"{label}: axe", not found, found[:3])
    missed, unseen = unreached(page)
    check(f"{label}: keyboard", missed == 0 and not unseen, (missed, unseen[:3]))
