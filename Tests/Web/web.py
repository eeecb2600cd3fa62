"""A running program, a browser, and checks of every page.

usage (by the other files of this folder): with Site(program) as site, Browser() as browser: …      needs: Debian's chromium
"""
import contextlib, http.client, json, os, pathlib, re, shutil, ssl, subprocess, tempfile, threading, time, urllib.parse

import axe_playwright_python
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HEIGHTS = {320: 640, 390: 844, 820: 1180, 1440: 900, 2560: 1300}
# Time limit of an action on a page in milliseconds: debug programs on busy machines are slow.
PATIENCE = 60_000
START_SECONDS = 60
# Messages of Playwright for contexts without service workers, and of Chromium for a page without transitions, such as a picture.
NOTICES = ["Service Worker registration blocked by Playwright", "Transition was aborted because of invalid state. ViewTransition opt-in disabled"]


class Checks:
    """Counts checks, and prints failed ones."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def __call__(self, name, condition, detail=""):
        with self.lock:
            if condition:
                self.passed += 1
            else:
                self.failed += 1
                print(f"FAILED {name} {detail}".rstrip(), flush=True)
        return bool(condition)


class Site:
    """`onesheet serve` with its own data directory, over HTTP or, for cookies with `__Host-` and HTTP/2, over TLS.

    With the address of a server instead of a program, it uses that server.
    """

    def __init__(self, program, *options, tls=False):
        self.program, self.options, self.tls = str(program), options, tls
        self.process = None

    def __enter__(self):
        if self.program.startswith("http"):
            self.base = self.program.rstrip("/")
            return self
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-web-"))
        options = ["--data-dir", str(self.folder / "data"), "--language", "en", "--log-level", "error"]
        options += self.sockets_with_tls() if self.tls else ["--port", "0"]
        self.errors = open(self.folder / "errors", "w+b")
        self.process = subprocess.Popen(
            [self.program, "serve", *options, *self.options], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        # Kills a program that hangs before it listens, which ends the wait for its line.
        guard = threading.Timer(START_SECONDS, self.process.kill)
        guard.start()
        place = re.search(r"https?://127\.0\.0\.1:\d+", self.process.stdout.readline())
        guard.cancel()
        if not place:
            self.process.kill()
            raise SystemExit(f"{self.program} did not start: {self.complaints()}")
        self.base = place.group()
        return self

    def __exit__(self, *_):
        if not self.process:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sockets_with_tls(self):
        certificate, key = self.folder / "site.pem", self.folder / "site.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key,
             "-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
            check=True, capture_output=True)
        return ["--port", "off", "--tls-port", "0", "--tls-cert", str(certificate), "--tls-key", str(key)]

    def complaints(self):
        """The errors in the program's log."""
        if not self.process:
            return ""
        self.errors.flush()
        return (self.folder / "errors").read_text(errors="replace").strip()

    def ask(self, path, method="GET", body=None, headers=None):
        """Status, header fields (lower case; a list of cookies as `set-cookie`) and body, without a browser. Redirects are not followed."""
        url = urllib.parse.urlsplit(self.base)
        if self.tls:
            connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=30, context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            fields["set-cookie"] = response.headers.get_all("Set-Cookie") or []
            return response.status, fields, response.read()


# Parts of the script are loaded after the page's event `load`; an import returns when they have started.
STARTED = """async () => {
  const own = document.querySelector("script[type=module][src*='/onesheet.js']")?.src;
  const names = ["badges", "import", "marks", "more", "search", "viewer", "visited"];
  if (own) await Promise.all(names.map((name) => import(new URL(`./${name}.js`, own))));
}"""


def once_started(page, visit):
    """A visit that awaits an idle network also awaits the page's scripts: on a busy machine, the network is idle before they are requested."""
    def visit_and_wait(*words, **options):
        response = visit(*words, **options)
        if options.get("wait_until") == "networkidle":
            page.wait_for_load_state()
            page.evaluate(STARTED)
        return response
    return visit_and_wait


class Browser:
    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.browser = self.launch()
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()

    def launch(self, **options):
        arguments = ["--ignore-certificate-errors"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        return self.playwright.chromium.launch(executable_path=CHROMIUM, args=arguments, **options)

    @contextlib.contextmanager
    def keeping_pages(self):
        """Another browser, with the back-forward cache, which Playwright disables."""
        other = Browser()
        other.playwright = self.playwright
        other.browser = self.launch(ignore_default_args=["--disable-back-forward-cache"])
        try:
            yield other
        finally:
            other.browser.close()

    @contextlib.contextmanager
    def page(self, width=390, **options):
        """A page in its own context. Console messages, violations of its policy and dialogs are in `page.complaints`."""
        options.setdefault("viewport", {"width": width, "height": HEIGHTS.get(width, 900)})
        context = self.browser.new_context(ignore_https_errors=True, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.complaints = []
        if options.get("java_script_enabled", True):
            page.goto, page.reload = once_started(page, page.goto), once_started(page, page.reload)

        def note(message):
            # Pictures and the approval page have no icon link, so that Chromium requests /favicon.ico.
            is_icon = message.location.get("url", "").endswith("/favicon.ico")
            if message.type in ("error", "warning") and message.text not in NOTICES and not is_icon:
                page.complaints.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: page.complaints.append(str(error)) if str(error) not in NOTICES else None)

        def dismiss(dialog):
            page.complaints.append(f"dialog: {dialog.message[:80]}")
            dialog.dismiss()

        page.on("dialog", dismiss)
        try:
            yield page
        finally:
            context.close()


@contextlib.contextmanager
def paused(page):
    """Stops the timers of a page, which then elapse by `page.clock.run_for(milliseconds)` alone, however slow the machine is."""
    page.clock.install()
    page.clock.pause_at(time.time() + 60)
    try:
        yield
    finally:
        page.clock.resume()


def violations(page):
    """axe's findings, one line each. axe runs through the debugger, to which the page's policy does not apply."""
    debugger = page.context.new_cdp_session(page)
    debugger.send("Runtime.evaluate", {"expression": AXE})
    options = json.dumps({"runOnly": AXE_TAGS, "resultTypes": ["violations"]})
    answer = debugger.send("Runtime.evaluate", {
        "expression": f"axe.run(document, {options}).then((results) => JSON.stringify(results.violations))",
        "awaitPromise": True, "returnByValue": True})
    debugger.detach()
    if "exceptionDetails" in answer:
        return [f"axe did not run: {answer['exceptionDetails'].get('text')}"]
    found = json.loads(answer["result"]["value"])
    return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"][:3]]


STRUCTURE = """() => {
  const problems = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  if (all("h1").length !== 1) problems.push(`${all("h1").length} h1`);
  for (const landmark of ["header", "main", "footer"]) if (all(`body > ${landmark}`).length !== 1) problems.push(`no ${landmark}`);
  const ids = all("[id]").map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`id ${id} twice`);
  for (const image of all("img")) if (!image.hasAttribute("width") || !image.hasAttribute("height")) problems.push(`no size: ${image.src}`);
  // view-transition-name is set by the page's own script.
  for (const element of all("[style]")) if (!/^view-transition-name:/.test(element.getAttribute("style"))) problems.push(`style: ${element.outerHTML.slice(0, 80)}`);
  for (const element of all("*")) for (const { name } of element.attributes) if (name.startsWith("on")) problems.push(`handler ${name}`);
  for (const link of all("a[href]")) if (!/^https?:$/.test(link.protocol)) problems.push(`link to ${link.protocol}`);
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = all("body *").find((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".rail, .summary"));
    problems.push(`scrolls sideways: ${document.documentElement.scrollWidth} ${wide?.outerHTML.slice(0, 100)}`);
  }
  if (!document.documentElement.lang) problems.push("no lang");
  if (/\\{\\{|\\}\\}|\\bundefined\\b|Optional\\(/.test(document.body.innerText)) problems.push("a text was not filled in");
  return problems;
}"""

# The cumulative layout shift without user input, as window.shifted.
SHIFTS = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value;
}).observe({ type: "layout-shift", buffered: true });"""

CONTROLS = """() => {
  const shown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")].filter(shown).length;
}"""

FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  window.reached ??= new Map();
  if (!reached.has(element)) reached.set(element, reached.size);
  let isShown = false;  // by the control itself, or by a parent
  for (let one = element; one.parentElement?.closest("body") && !isShown; one = one.parentElement) isShown = getComputedStyle(one).outlineStyle !== "none";
  const isControl = element.matches("a[href], button, input, select, summary");
  return [reached.get(element), isShown, isControl, isShown ? "" : element.outerHTML.slice(0, 100)];
}"""


def unreached(page, limit=500):
    """The number of controls that the Tab key does not reach, and those that show no focus."""
    expected = page.evaluate(CONTROLS)
    page.evaluate("document.activeElement?.blur?.()")
    reached, controls, last, unseen, rounds = set(), 0, None, [], 0
    for _ in range(limit):
        page.keyboard.press("Tab")
        state = page.evaluate(FOCUSED)
        if state is None:  # the end: if a field has the initial focus, the controls before it come next
            rounds += 1
            if rounds == 2:
                break
            continue
        number, is_shown, is_control, markup = state
        if number == last:  # a date field has several stops
            continue
        if number in reached:
            break
        last = number
        reached.add(number)
        controls += is_control
        if not is_shown:
            unseen.append(markup)
    return max(0, expected - controls), unseen


def wait_until(condition, seconds=PATIENCE / 1000):
    """Whether a condition without an event becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()
