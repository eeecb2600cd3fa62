"""The HTML and JavaScript of documents, in Chromium on a page of another host, and in the Node.js that Playwright brings."""
import http.server
import json
import pathlib
import re
import subprocess
import tempfile
import threading

import playwright

from documents import PUBLIC, Shell, fences
from web import Browser

NODE = pathlib.Path(playwright.__file__).parent / "driver/node"
IMAGES = """() => Promise.all([...document.images].map(async (image) => {
  image.loading = "eager";
  await image.decode().catch(() => {});
  return { shown: image.naturalWidth > 0, width: image.getBoundingClientRect().width, source: image.currentSrc };
}))"""


class Site(http.server.BaseHTTPRequestHandler):
    """Another host, by its port."""

    address, content = "", b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_):
        pass


def visit(browser, base, markup, script, name, check):
    """A page of another site with this in it; all of its pictures load."""
    Site.content = f"<!DOCTYPE html><title>T</title><link rel=icon href=data:,>{markup}".encode()
    with browser.page(1440) as page:
        page.goto(Site.address)
        if script:
            page.evaluate(f"async () => {{ const base = {json.dumps(base)}, id = 'rashomon-1950', title = 'T';\n{script}\ndocument.body.append(image); }}")
        images = page.evaluate(IMAGES)
        check(f"{name}: pictures", images and all(each["shown"] for each in images), images)
        check(f"{name}: as wide as on the page", all(each["width"] <= 400 for each in images), images)
        check(f"{name}: console", not page.complaints, page.complaints[:3])


def node(folder, text, check, name):
    outcome = subprocess.run([NODE, "--input-type=module", "-e", text], cwd=folder, capture_output=True, text=True, timeout=60)
    check(name, outcome.returncode == 0, outcome.stderr[-600:])
    return outcome.stdout.strip()


def loader(snippet, base, shell, folder, check):
    """Next.js' loader gives URLs that work, and of the configuration's widths."""
    (folder / "loader.mjs").write_text(shell.real(snippet.text))
    url = node(folder, 'import loader from "./loader.mjs"; console.log(loader({ src: "rashomon-1950", width: 342, quality: 75 }))', check, f"{snippet.place}: Node.js")
    out, _, _ = shell.send(f"curl -s -o /dev/null -w '%{{http_code}}' '{url}'")
    check(f"{snippet.place}: its URL", out == "200", f"{url} {out}")


def signer(snippet, base, shell, folder, check):
    """JavaScript's signature is the program's."""
    (folder / "sign.mjs").write_text(snippet.text)
    (folder / "keys").write_text("a key of sixteen bytes at least\n")
    (folder / "keys").chmod(0o600)
    for path, parameters, target in (
            ("/poster/films:heat-1995", {"w": "368", "format": "webp"}, "/poster/films:heat-1995?w=368&format=webp"),
            ("/proxy", {"w": "368", "url": "https://images.example.org/a b.jpg?x=1"}, "/proxy?url=https%3A%2F%2Fimages.example.org%2Fa%20b.jpg%3Fx%3D1&w=368")):
        ours = node(folder, f'import {{ sign }} from "./sign.mjs"; console.log(sign({json.dumps(path)}, {json.dumps(parameters)}, "a key of sixteen bytes at least"))', check,
                    f"{snippet.place}: Node.js")
        out, errors, _ = shell.send(f"onesheet sign --key-file {folder}/keys '{target}'")
        check(f"{snippet.place}: the signature of {path}", ours.rpartition("s=")[2] == out.strip().rpartition("s=")[2], f"{ours} {out} {errors}")


def run(program, origin, root, names, check):
    shell = Shell(program, origin)
    folder = pathlib.Path(tempfile.mkdtemp(dir=shell.folder))
    base = shell.real(PUBLIC)
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    Site.address = f"http://127.0.0.1:{site.server_port}/"
    try:
        shell.serve(f"onesheet serve --public-url {base} --origin films={origin}/{{key}}.jpg --allow-url {origin}/")
        with Browser() as browser:
            for name in names:
                for snippet in fences(root / name, name):
                    if snippet.reason:
                        continue
                    text = shell.real(snippet.text)
                    if snippet.word == "html":
                        visit(browser, base, re.sub(r'(?<=["\s,])/poster/', f"{base}/poster/", text), "", snippet.place, check)
                    elif snippet.word == "js" and "export default function onesheetLoader" in text:
                        loader(snippet, base, shell, folder, check)
                    elif snippet.word == "js" and "export function sign" in text:
                        signer(snippet, base, shell, folder, check)
                    elif snippet.word == "js" and "new Image(" in text:
                        visit(browser, base, "", text, snippet.place, check)
                    elif snippet.word == "js" and "module.exports" in text:
                        (folder / "next.config.cjs").write_text(text)
                        node(folder, 'import config from "./next.config.cjs"; if (!config.images) throw new Error("no images")', check, f"{snippet.place}: Node.js")
                    elif snippet.word == "js":
                        (folder / "any.mjs").write_text(text)
                        outcome = subprocess.run([NODE, "--check", folder / "any.mjs"], capture_output=True, text=True)
                        check(f"{snippet.place}: syntax", outcome.returncode == 0, outcome.stderr)
    finally:
        shell.close()
