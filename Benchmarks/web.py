#!/usr/bin/env python3
"""Core Web Vitals of the web pages on a simulated phone, and the latency of their HTML.

    make bench-web                      python3 Benchmarks/web.py PROGRAM|http://… [--anyway] [--loads 7] [--pages home=/,…|all]

--pages all: every screen of Tests/Web/screens.py, without the latency of its HTML; the limit of its LCP is 1.5 s. 390×844 at DPR 2, cold browser cache, warm server, 150 ms, 1.6 Mbit/s, CPU ÷ 4; the median of seven loads. Prints tables for
Benchmarks/README.md. Exit status 1 over a limit. Needs Debian's chromium and Tests/Web/requirements.txt. Sends nothing beyond
this machine.
"""
import argparse, http.client, os, pathlib, platform, statistics, subprocess, sys, time, urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/Web"))
import screens
from program import slow_down
from web import Browser, Site

PAGES = "home=/?language=en,film=/films/nosferatu-1922?language=en,search=/search?q=an&language=en"
LOADS, REQUESTS = 7, 2000
# Limits of --pages all.
SCREEN_LIMITS = {"LCP": 1500, "CLS": 0.01}
LIMITS = {"LCP": 1000, "CLS": 0.01, "before": 90_000, "picture": 45_000, "INP": 100, "p99": 10}
MOST_LOAD = 1.5
# Other pages than the measured one, for two requests in five.
OTHERS = [f"/films/{film}?language={language}" for film in ("metropolis-1927", "vertigo-1958", "rashomon-1950", "city-lights-1931")
          for language in ("ko", "en", "ja")]

OBSERVER = """
window.vitals = { lcp: null, cls: 0, inp: 0 };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) vitals.lcp = [entry.startTime, entry.url]; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) vitals.cls += entry.value; })
  .observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration); })
  .observe({ type: "event", durationThreshold: 16, buffered: true });
"""
READ = """() => {
  const [navigation] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const resources = performance.getEntriesByType("resource").map((entry) => [entry.name, entry.responseEnd, entry.transferSize]);
  return { ...vitals, fcp: paint?.startTime ?? 0, html: navigation.transferSize, resources };
}"""


def load(browser, url, act=None):
    with browser.page(390, device_scale_factor=2, is_mobile=True, has_touch=True, service_workers="block") as page:
        slow_down(page)
        page.add_init_script(OBSERVER)
        page.goto(url, wait_until="load")
        page.wait_for_timeout(1500)
        if act:
            act(page)
        seen = page.evaluate(READ)
    lcp, picture = seen["lcp"] or (float("inf"), "")
    return {
        "LCP": lcp, "FCP": seen["fcp"], "CLS": seen["cls"], "INP": seen["inp"], "html": seen["html"],
        "before": seen["html"] + sum(size for _, end, size in seen["resources"] if end <= lcp),
        "picture": next((size for name, _, size in seen["resources"] if name == picture), 0)}


def type_a_query(page):
    field = page.locator("[data-search] input[type=search]")
    field.fill("")
    field.press_sequentially("metropolis", delay=120)
    page.wait_for_function("() => location.search.includes('metropolis')")
    page.wait_for_timeout(500)


def load_more(page):
    count = page.locator("[data-grid] > li").count()
    page.locator("[data-more] a[rel=next]").click()
    page.wait_for_function("count => document.querySelectorAll('[data-grid] > li').length > count", arg=count)
    page.wait_for_timeout(500)


def html(base, path, count):
    """Milliseconds of warm requests over one connection, 200 a second, two in five for other pages: the median and the 99th percentile."""
    url = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    times = []
    for number in range(-100, count):
        is_other = number % 5 in (1, 3)
        target = OTHERS[number % len(OTHERS)] if is_other else path
        start = time.perf_counter()
        connection.request("GET", target, headers={"Accept": "text/html", "Accept-Encoding": "br, gzip"})
        response = connection.getresponse()
        response.read()
        taken = time.perf_counter() - start
        if response.status != 200:
            sys.exit(f"{target}: status {response.status}")
        if number >= 0 and not is_other:
            times.append(1000 * taken)
        time.sleep(max(0, 0.005 - taken))
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def screens_only(base, loads):
    """LCP, CLS and bytes of every screen."""
    over = []
    print("| screen | LCP ms | CLS | KB before LCP | HTML KB |\n|---|--:|--:|--:|--:|")
    with Browser() as browser:
        for name in screens.SCREENS:
            address = base + screens.address(name, "en")
            load(browser, address)
            all_loads = [load(browser, address) for _ in range(loads)]
            middle = {key: statistics.median(each[key] for each in all_loads) for key in all_loads[0]}
            print(f"| {name} | {middle['LCP']:.0f} | {middle['CLS']:.4f} | {middle['before'] / 1000:.1f} | {middle['html'] / 1000:.1f} |", flush=True)
            over += [f"{name}: {key} {middle[key]:.4g} > {limit}" for key, limit in SCREEN_LIMITS.items() if middle[key] > limit]
    return over


def measure(base, pages, loads, requests):
    over = []
    print("| page | LCP ms | FCP ms | CLS | KB before LCP | LCP picture KB | HTML KB | HTML p50 / p99 ms |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    with Browser() as browser:
        for name, path in pages.items():
            load(browser, base + path)  # renders the variants
            all_loads = [load(browser, base + path) for _ in range(loads)]
            middle = {key: statistics.median(each[key] for each in all_loads) for key in all_loads[0]}
            half, middle["p99"] = html(base, path, requests)
            print(f"| {name} | {middle['LCP']:.0f} | {middle['FCP']:.0f} | {middle['CLS']:.4f} | {middle['before'] / 1000:.1f} "
                  f"| {middle['picture'] / 1000:.1f} | {middle['html'] / 1000:.1f} | {half:.2f} / {middle['p99']:.2f} |", flush=True)
            over += [f"{name}: {key} {middle[key]:.4g} > {limit}" for key, limit in LIMITS.items() if key != "INP" and middle[key] > limit]
        print("\n| interaction | INP ms |\n|---|--:|")
        for name, path, act in (("typing", pages.get("search"), type_a_query), ("loading more", "/lists/popular?language=en", load_more)):
            if path:
                middle = statistics.median(load(browser, base + path, act)["INP"] for _ in range(min(3, loads)))
                print(f"| {name} | {middle:.0f} |", flush=True)
                over += [f"INP {name}: {middle:.0f} > {LIMITS['INP']}"] if middle > LIMITS["INP"] else []
    return over


def commit():
    found = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip() or "no commit"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="onesheet, or the URL of a server over HTTP")
    parser.add_argument("--anyway", action="store_true", help="measure even if the machine is busy")
    parser.add_argument("--loads", type=int, default=LOADS)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--pages", default=PAGES)
    arguments = parser.parse_args()
    busy = os.getloadavg()[0]
    if busy > MOST_LOAD and not arguments.anyway:
        sys.exit(f"The load average is {busy:.1f}: other work would distort the figures. --anyway measures all the same")
    print(f"{commit()}, {os.cpu_count()} × {platform.machine()}, load average {busy:.1f}; medians of {arguments.loads} loads\n")
    with Site(arguments.program) as site:
        if arguments.pages == "all":
            over = screens_only(site.base, arguments.loads)
        else:
            pages = dict(each.split("=", 1) for each in arguments.pages.split(","))
            over = measure(site.base, pages, arguments.loads, arguments.requests)
    for each in over:
        print("OVER", each)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
