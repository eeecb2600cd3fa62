#!/usr/bin/env python3
"""Tests the web pages in Chromium, and a part in Firefox. Prints failures and, at the end, "N passed, N failed"; exit status 1 after a failure.

usage: run.py PROGRAM [short | languages | full] [--only WORD]…      needs: requirements.txt, Debian's chromium and firefox-esr

short, the default: each screen once on a phone, in one of the languages, some dark on a desktop, without scripts, offline, with hostile
titles, forms, lists, the history, a source that hangs, print and the like, JPEG XL, pictures, suggestions, themes, badges, the operator's page, a session of thirty steps, and
signing out, cards, the history and stored pages in Firefox; in at most SHORT_LIMIT seconds. languages: the same with each screen in each
language. full: each screen in each language, light and dark, from 320 to 2560 pixels. --only: scenarios and visits that have the word in
their name. PROGRAM may be the address of a server, for the screens alone.
"""
import argparse, collections, concurrent.futures, pathlib, sys, time, traceback

import admin, badges, cards, finder, firefox_session, forms, hanging, history, hostile, lists, media, offline, pictures, plain, screens, session, viewer
from web import STRUCTURE, Browser, Checks, Site, unreached, violations

HERE = str(pathlib.Path(__file__).resolve().parent)
SHORT_LIMIT = 900  # seconds; beside the cluster's tests on two processors, a run takes half of it
# Concurrent browsers: half of the time is waiting for idle pages.
WORKERS = 2
# Each starts the programs that it needs: run(browser, program, check, is_full).
SCENARIOS = [session, firefox_session, plain, offline, history, hostile, forms, hanging, lists, media, pictures, cards, viewer, finder, badges, admin]


def visit(browser, site, check, checks_keyboard, name, language, width, scheme):
    label = f"{name} {language} {width} {scheme}"
    expected = screens.STATUS.get(name, 200)
    with browser.page(width, color_scheme=scheme, service_workers="block") as page:
        response = page.goto(site.base + screens.address(name, language), wait_until="networkidle")
        check(f"{label}: status", response.status == expected, response.status)
        # Chromium reports the page's own status as an error.
        complaints = [each for each in page.complaints if expected == 200 or f"status of {expected}" not in each]
        check(f"{label}: console", not complaints, complaints[:3])
        check(f"{label}: content", page.locator(screens.SCREENS[name][1]).count() > 0)
        check(f"{label}: lang", page.evaluate("document.documentElement.lang") == language)
        problems = page.evaluate(STRUCTURE)
        check(f"{label}: structure", not problems, problems[:5])
        found = violations(page)
        check(f"{label}: axe", not found, found[:3])
        if checks_keyboard:
            missed, unseen = unreached(page)
            check(f"{label}: keyboard", missed == 0 and not unseen, (missed, unseen[:3]))


def visits(form):
    if form == "full":
        return [(name, language, width, scheme) for name in screens.SCREENS for language in screens.LANGUAGES
                for scheme in ("light", "dark") for width in (320, 390, 820, 1440, 2560)]
    dark = [(name, "en", 1440, "dark") for name in screens.DARK]
    if form == "languages":
        return [(name, language, 390, "light") for name in screens.SCREENS for language in screens.LANGUAGES] + dark
    return [(name, screens.LANGUAGES[number % len(screens.LANGUAGES)], 390, "light") for number, name in enumerate(screens.SCREENS)] + dark


def attempt(check, name, job):
    """Counts an exception of a job as a failure; the other jobs continue."""
    start = time.monotonic()
    try:
        job()
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(HERE)]
        places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.line}" for frame in frames if ".build" not in frame.filename]
        check(name, False, f"{type(error).__name__}: {error}\n  " + "\n  ".join(places))
    return time.monotonic() - start


def work(arguments, check, jobs, is_over):
    """Executes jobs until none are left, with its own browser and server."""
    with Browser() as browser, Site(arguments.program) as site:
        while not is_over():
            try:
                name, job = jobs.popleft()
            except IndexError:
                break
            seconds = attempt(check, name, lambda: job(browser, site))
            if seconds > 10:
                print(f"{name}: {seconds:.0f} s", flush=True)
        check("log of the program", not site.complaints(), site.complaints()[-500:])


def run(arguments, check):
    start = time.monotonic()
    is_wanted = lambda name: not arguments.only or any(word in name for word in arguments.only)
    is_over = lambda: arguments.form == "short" and time.monotonic() - start > SHORT_LIMIT
    jobs = collections.deque()
    if not arguments.program.startswith("http"):
        jobs += [(scenario.__name__, lambda browser, site, scenario=scenario: scenario.run(browser, arguments.program, check, arguments.form == "full"))
                 for scenario in SCENARIOS if is_wanted(scenario.__name__)]
    # Controls are in the order of the template, the same in all languages.
    jobs += [(name, lambda browser, site, each=each: visit(browser, site, check, arguments.form == "short" or each[1] == "en", *each))
             for each in visits(arguments.form) if is_wanted(name := " ".join(map(str, each)))]
    count = len(jobs)
    check("--only matches scenarios or visits", count > 0)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for future in [pool.submit(work, arguments, check, jobs, is_over) for _ in range(WORKERS)]:
            future.result()
    print(f"{count - len(jobs)} of {count} scenarios and visits: {time.monotonic() - start:.0f} s", flush=True)
    check(f"at most {SHORT_LIMIT} s" if arguments.form == "short" else "all jobs", not jobs, "later jobs were skipped")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("form", nargs="?", choices=["short", "languages", "full"], default="short")
    parser.add_argument("--only", action="append")
    check = Checks()
    run(parser.parse_args(), check)
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
