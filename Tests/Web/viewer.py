"""Pictures: each has a page; scripts show it over the page that links to it, with the keyboard, swipes and the history."""
from web import STRUCTURE, Site, unreached, violations

FILM = "/films/nosferatu-1922"
LINKS = "[data-pictures] a"
POSITION = "dialog [data-position]"
SHOWN = "(text) => document.querySelector('dialog[open] [data-position]')?.textContent === text"
CLOSED = "() => !document.querySelector('dialog[open]')"
FOCUS = "() => document.activeElement.getAttribute('href')"
LOADED = "() => { const image = document.querySelector('.picture img'); return image.complete && image.naturalWidth > 0; }"


def run(browser, program, check, is_full):
    with Site(program) as site:
        without_scripts(browser, site, check)
        pages(browser, site, check, (320, 390, 1440) if is_full else (390,))
        over_the_film(browser, site, check)
        over_the_gallery(browser, site, check)
        swipes(browser, site, check)


def without_scripts(browser, site, check):
    with browser.page(390, java_script_enabled=False, locale="en-GB") as page:
        page.goto(site.base + FILM)
        page.locator(LINKS).first.click()
        page.wait_for_url("**/pictures/*")
        first = page.locator("[data-position]").inner_text()
        check("a picture without scripts: its page", page.locator("h1").count() == 1 and page.locator(".picture img").count() == 1, page.url)
        page.locator("[rel=next]").click()
        second = page.locator("[data-position]").inner_text()
        check("a picture without scripts: the next one", first != second, (first, second))
        page.locator("[rel=prev]").click()
        check("a picture without scripts: the previous one", page.locator("[data-position]").inner_text() == first)
        page.locator("figcaption a[href$='/pictures']").click()
        check("a picture without scripts: all pictures", page.locator(LINKS).count() > 1, page.url)
        page.locator(LINKS).first.click()
        page.locator("figcaption a[href*='/poster/']").click()
        page.wait_for_url("**/poster/*")
        check("a picture without scripts: its file", "/poster/" in page.url, page.url)


def pages(browser, site, check, widths):
    _, fields, _ = site.ask(FILM + "/pictures/1")
    check("a picture's page is not indexed", fields.get("x-robots-tag") == "noindex", fields)
    check("an unknown picture is not found", site.ask(FILM + "/pictures/none.jpg")[0] == 404)
    for width in widths:
        with browser.page(width, service_workers="block") as page:
            page.goto(site.base + FILM + "/pictures/2?language=en", wait_until="networkidle")
            label = f"a picture's page {width}"
            for name, found in (("structure", page.evaluate(STRUCTURE)), ("axe", violations(page)), ("console", page.complaints)):
                check(f"{label}: {name}", not found, found[:3])
            missed, unseen = unreached(page)
            check(f"{label}: keyboard", missed == 0 and not unseen, (missed, unseen[:3]))
            shown = page.evaluate("() => { const box = document.querySelector('.picture img').getBoundingClientRect(); return [box.width, box.height, innerHeight]; }")
            check(f"{label}: the picture fits the window", 0 < shown[1] < shown[2] and shown[0] <= width, shown)
            page.keyboard.press("ArrowLeft")
            page.wait_for_url("**/pictures/1?language=en")
            check(f"{label}: the left arrow key is the previous one", True)


def over_the_film(browser, site, check):
    with browser.page(1440, service_workers="block", reduced_motion="reduce") as page:
        page.goto(site.base + FILM + "?language=en", wait_until="networkidle")
        film, title = page.url, page.title()
        link = page.locator(LINKS).first
        target = link.get_attribute("href")
        link.focus()
        page.keyboard.press("Enter")
        page.locator(POSITION).wait_for()
        first = page.locator(POSITION).inner_text()
        check("the viewer has the picture's address", page.url == site.base + target and page.title() != title, (page.url, page.title()))
        check("the viewer announces the position", page.locator("dialog [role=status]").text_content() == first)
        check("the focus is in the viewer", page.evaluate("() => !!document.activeElement.closest('dialog')"))
        found = violations(page)
        check("the viewer: axe", not found, found[:3])
        page.wait_for_function(LOADED)
        source = page.evaluate("() => document.querySelector('.picture img').currentSrc")
        check("the viewer loads a variant, not the original", "w=" in source, source)
        count = int(first.split()[-1])
        page.keyboard.press("ArrowRight")
        second = f"{int(first.split()[0]) + 1} of {count}"
        page.wait_for_function(SHOWN, arg=second)
        check("the right arrow key shows the next picture under its address", page.url != site.base + target, page.url)
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(SHOWN, arg=first)
        page.locator("dialog [rel=next]").focus()
        page.keyboard.press("Enter")
        page.wait_for_function(SHOWN, arg=second)
        check("the focus stays on the link", page.evaluate("() => document.activeElement.rel") == "next")
        page.go_back()
        page.wait_for_function(CLOSED)
        check("Back closes the viewer after any number of pictures", page.url == film and page.title() == title, (page.url, page.title()))
        check("the focus returns to the link", page.evaluate(FOCUS) == target, page.evaluate(FOCUS))
        page.go_forward()
        page.wait_for_function(SHOWN, arg=second)
        check("Forward opens it again", page.url != film)
        page.keyboard.press("Escape")
        page.wait_for_function(CLOSED)
        page.wait_for_url(film)
        check("Escape closes it, and the address is the film's", True)
        link.click()
        page.locator(POSITION).wait_for()
        page.locator("dialog header button").click()
        page.wait_for_url(film)
        check("the button closes it", page.locator("dialog[open]").count() == 0)
        link.click()
        page.wait_for_function(SHOWN, arg=first)
        page.reload(wait_until="networkidle")
        check("a reload shows the picture's page", page.locator("main [data-picture]").count() == 1 and page.locator("dialog").count() == 0, page.url)
        page.go_back()
        page.locator(".film").wait_for()
        check("Back from there leads to the film", page.url == film, page.url)
        check("the viewer: console", not page.complaints, page.complaints[:3])


def over_the_gallery(browser, site, check):
    with browser.page(390, service_workers="block") as page:
        page.goto(site.base + FILM + "/pictures?language=en", wait_until="networkidle")
        page.locator(LINKS).last.click()
        page.locator(POSITION).wait_for()
        words = page.locator(POSITION).inner_text().split()
        check("the last picture has no next one", words[0] == words[-1] and page.locator("dialog [rel=next]").count() == 0, words)
        page.keyboard.press("ArrowRight")
        page.locator("dialog [rel=prev]").click()
        page.wait_for_function(SHOWN, arg=f"{int(words[0]) - 1} of {words[-1]}")
        check("the one before it has one", page.locator("dialog [rel=next]").count() == 1)
        # A failure leads to the page itself, which has the reason.
        page.route("**/pictures/*part=1*", lambda route: route.fulfill(status=429))
        page.locator("dialog [rel=prev]").click()
        page.wait_for_function("() => !!document.querySelector('main [data-picture]')")
        check("a refused request leads to the picture's page", page.locator("dialog").count() == 0, page.url)


def swipes(browser, site, check):
    with browser.page(390, service_workers="block", has_touch=True, is_mobile=True) as page:
        page.goto(site.base + FILM + "/pictures?language=en", wait_until="networkidle")
        page.locator(LINKS).first.tap()
        page.locator(POSITION).wait_for()
        total = page.locator(POSITION).inner_text().split()[-1]
        debugger = page.context.new_cdp_session(page)

        def swipe(start, end, y=400):
            debugger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, "y": y}]})
            for step in range(1, 5):
                debugger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": start + (end - start) * step / 4, "y": y}]})
            debugger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        swipe(300, 120)
        page.wait_for_function(SHOWN, arg=f"2 of {total}")
        swipe(120, 300)
        page.wait_for_function(SHOWN, arg=f"1 of {total}")
        check("swipes show the next and the previous picture", True)
        debugger.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
        page.wait_for_function("() => document.querySelector('.picture img').sizes === '200vw'")
        swipe(300, 120)
        page.wait_for_timeout(300)
        check("an enlarged picture is moved instead", page.locator(POSITION).inner_text() == f"1 of {total}")
