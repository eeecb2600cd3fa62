"""Debian's Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): Playwright supports only its own build of Firefox.

usage: with Firefox() as firefox, firefox.page() as page: page.go(address); page.click("a")      needs: requirements.txt, Debian's firefox-esr
"""
import contextlib, json, pathlib, shutil, subprocess, tempfile

from websockets.sync.client import connect

from web import HEIGHTS, PATIENCE, START_SECONDS, wait_until

FIREFOX = "/usr/bin/firefox-esr"
# Besides those that Firefox sets for remote control: clicks go to the page's process, so that they need no painted page.
PREFERENCES = 'user_pref("remote.events.async.mouse.enabled", false);'
# Messages about pictures and icons that were loading while their page was left, directly or by the service worker.
NOTICES = ("Image corrupt or truncated.", "A ServiceWorker intercepted the request and encountered an unexpected error.")
KEYS = {"Enter": "\uE007", "Tab": "\uE004", "Escape": "\uE00C"}
# The middle of an element after some frames, if a click would reach it; else null.
TARGET = """async (selector) => {
  const element = document.querySelector(selector);
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  for (let count = 0; count < 3; count++) await new Promise(requestAnimationFrame);
  const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
  const point = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return width && height && element.contains(document.elementFromPoint(...point)) ? point : null;
}"""


class BiDiError(Exception):
    """A command that Firefox refused, or an exception of a script."""


class Firefox:
    """A headless Firefox with its own profile."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="onesheet-firefox-"))
        (self.folder / "user.js").write_text(PREFERENCES)
        with open(self.folder / "output", "wb") as output:
            options = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", self.folder]
            self.process = subprocess.Popen([FIREFOX, *options], stdout=output, stderr=output)
        try:
            if not wait_until(self.server, START_SECONDS):
                raise RuntimeError(f"{FIREFOX} did not start: {(self.folder / 'output').read_text(errors='replace')[-500:]}")
            self.connection = connect(self.server(), max_size=None, open_timeout=START_SECONDS)
            self.number, self.pages = 0, {}
            self.send("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
            self.send("session.subscribe", events=["log.entryAdded"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.send("browser.close")
            self.process.wait(PATIENCE / 1000)
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def server(self):
        """The address of sessions, which Firefox writes to its profile; None while it is not complete."""
        with contextlib.suppress(OSError, ValueError):
            return "ws://{ws_host}:{ws_port}/session".format_map(json.loads((self.folder / "WebDriverBiDiServer.json").read_text()))

    def send(self, method, **parameters):
        """The result of a command."""
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.recv(timeout=START_SECONDS))
            if message["type"] == "event":
                self.note(message["params"])
            elif message["type"] == "error":
                raise BiDiError(f"{method}: {message['error']}: {message['message']}")
            elif message["id"] == self.number:
                return message["result"]

    def note(self, entry):
        if entry["level"] in ("error", "warn") and not str(entry["text"]).endswith(NOTICES) and (page := self.pages.get(entry["source"].get("context"))):
            page.complaints.append(entry["text"])

    @contextlib.contextmanager
    def page(self, width=390):
        """A page with its own cookies and storage."""
        user = self.send("browser.createUserContext")["userContext"]
        try:
            yield Page(self, user, width)
        finally:
            self.send("browser.removeUserContext", userContext=user)


class Page:
    """A tab. Errors and warnings in its console are in `complaints`."""

    def __init__(self, firefox, user, width):
        self.firefox, self.user, self.width, self.complaints = firefox, user, width, []
        self.context = firefox.send("browsingContext.create", type="tab", userContext=user)["context"]
        firefox.pages[self.context] = self
        self.send("browsingContext.setViewport", viewport={"width": width, "height": HEIGHTS.get(width, 900)})

    def send(self, method, **parameters):
        return self.firefox.send(method, context=self.context, **parameters)

    def tab(self):  # with the same cookies and storage
        return Page(self.firefox, self.user, self.width)

    def go(self, address):
        self.send("browsingContext.navigate", url=address, wait="complete")

    def reload(self):
        self.send("browsingContext.reload", wait="complete")

    def move(self, steps):  # a negative number goes back
        self.send("browsingContext.traverseHistory", delta=steps)

    def evaluate(self, function, *values):
        """The result of the page's function, which may be asynchronous; it and the values are JSON."""
        declaration = f"async (values) => JSON.stringify(await ({function})(...JSON.parse(values))) ?? 'null'"
        result = self.firefox.send("script.callFunction", functionDeclaration=declaration, awaitPromise=True, target={"context": self.context},
                                   arguments=[{"type": "string", "value": json.dumps(values)}])
        if result["type"] == "exception":
            raise BiDiError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def wait(self, function, *values):
        """Evaluates a function until its result is true, also in following pages; None when it is not in time."""
        results = [None]

        def is_true():
            with contextlib.suppress(BiDiError):  # such as of a page that is being replaced
                results.append(self.evaluate(function, *values))
            return results[-1]

        return results[-1] if wait_until(is_true) else None

    def click(self, selector):
        if not (point := self.wait(TARGET, selector)):
            raise BiDiError(f"nothing to click: {selector} on {self.evaluate('() => location.href')}")
        self.act("pointer", {"type": "pointerMove", "x": point[0], "y": point[1]}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def press(self, key):
        self.act("key", *({"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")))

    def act(self, kind, *actions):
        self.send("input.performActions", actions=[{"type": kind, "id": kind, "actions": actions}])

    def cookies(self):
        result = self.firefox.send("storage.getCookies", partition={"type": "context", "context": self.context})
        return {each["name"]: each["value"]["value"] for each in result["cookies"]}
