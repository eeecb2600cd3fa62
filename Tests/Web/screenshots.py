#!/usr/bin/env python3
"""Takes the pictures of README and docs/web.md: WebP files of at most 150 KB each.

usage: screenshots.py PROGRAM [FOLDER]      needs: requirements.txt, Debian's chromium and the fonts that `make test-web` installs
"""
import base64, pathlib, sys

from web import Browser, Site

LIMIT = 150_000
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/web"
HOME, FILM = "/", "/films/the-housemaid-1960"
# name: address, width, height, colour scheme
DESKTOP = {
    "home": (HOME + "?language=en", 1440, 900, "light"),
    "home-dark": (HOME + "?language=en", 1440, 900, "dark"),
    "film": (FILM + "?language=en", 1440, 1100, "light"),
    "film-dark": (FILM + "?language=en", 1440, 1100, "dark"),
    "search": ("/search?q=kurosawa&language=en", 1440, 900, "light"),
    "discover": ("/discover?genre=horror&language=en", 1440, 900, "light"),
    "box-office": ("/box-office?date=2024-05-05&language=en", 1440, 900, "light"),
}
PHONES = [(HOME + "?language=ko", "light"), (FILM + "?language=en", "dark"), ("/box-office?date=2024-05-05&language=ja", "light")]
# Also lays out and shows content below the screen.
VISIBLE = "() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('* { content-visibility: visible !important; }'); document.adoptedStyleSheets.push(sheet); }"
# Pictures beyond the edge of a row are loaded only when it is scrolled.
COMPLETE = """() => [...document.images].filter((image) => {
  const { top, left } = image.getBoundingClientRect();
  return top < innerHeight && left < innerWidth && image.checkVisibility();
}).every((image) => image.complete && image.naturalWidth)"""
# A film has its colours once its pictures have been rendered; the earlier page is cached for one second more.
COLOURED = "() => document.getElementById('paint').textContent.includes('--field')"
TRIO = """<!doctype html><style>body { margin: 0; padding: 40px; display: flex; gap: 40px; background: #e9e4d9; }
img { display: block; width: 390px; height: 844px; box-shadow: 0 1px 3px #0003, 0 12px 32px #0002; }</style>"""


def webp(page):
    """The best quality within the limit."""
    debugger = page.context.new_cdp_session(page)
    for quality in (90, 82, 74, 66, 58, 50):
        data = base64.b64decode(debugger.send("Page.captureScreenshot", {"format": "webp", "quality": quality})["data"])
        if len(data) <= LIMIT:
            break
    debugger.detach()
    return data


def take(browser, site, path, width, height, scheme, **options):
    viewport = {"width": width, "height": height}
    with browser.page(width, viewport=viewport, color_scheme=scheme, service_workers="block", **options) as page:
        page.goto(site.base + path, wait_until="networkidle")
        for _ in range(10):
            if path.partition("?")[0] not in (HOME, FILM) or page.evaluate(COLOURED):
                break
            page.wait_for_timeout(1000)
            page.reload(wait_until="networkidle")
        page.evaluate(VISIBLE)
        page.wait_for_function(COMPLETE)
        return webp(page)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with Site(program) as site, Browser() as browser:
        for name, shot in DESKTOP.items():
            (folder / f"{name}.webp").write_bytes(take(browser, site, *shot))
        phones = [take(browser, site, path, 390, 844, scheme, device_scale_factor=2, is_mobile=True) for path, scheme in PHONES]
        images = "".join(f'<img src="data:image/webp;base64,{base64.b64encode(phone).decode()}">' for phone in phones)
        with browser.page(1330, viewport={"width": 3 * 390 + 160, "height": 924}) as page:
            page.set_content(TRIO + images, wait_until="load")
            (folder / "phones.webp").write_bytes(webp(page))
    for file in sorted(folder.glob("*.webp")):
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
