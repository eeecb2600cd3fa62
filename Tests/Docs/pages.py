"""The HTML and JavaScript of documents, in Chromium on a page of another host, and in Playwright's Node.js; JSX with esbuild."""
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
    """A page of another origin, by its port."""

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
    """Opens a page of another site with the markup and the script; all pictures must load."""
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


# The arguments of a custom loader from <Image> of Next.js 13 to 16: widths are those of deviceSizes and imageSizes; with sizes all of them, without it the next ones to
# the width and to twice the width; an additional src has the last one. quality is undefined unless <Image> has one.
NEXT = """
function widths(images, { width, sizes }) {
  const devices = [...images.deviceSizes].sort((a, b) => a - b);
  const all = [...devices, ...images.imageSizes].sort((a, b) => a - b);
  const parts = [...(sizes ?? "").matchAll(/(?:^|\\s)(1?\\d?\\d)vw/g)].map((each) => Number(each[1]));
  if (parts.length) return all.filter((each) => each >= devices[0] * Math.min(...parts) / 100);
  if (sizes) return all;
  return [...new Set([width, 2 * width].map((least) => all.find((each) => each >= least) ?? all.at(-1)))];
}
export const urls = (loader, images, props) => widths(images, props).map((width) => loader({ src: props.src, quality: props.quality, width }));
"""
# A page of the App Router without React: elements are objects, components are not called.
PAGE = """
import { urls } from "./next.mjs";
import page from "./page.mjs";
import loader from "./loader.mjs";
import config from "./next.config.mjs";
const images = [];
(function walk(element) {
  if (Array.isArray(element)) return element.forEach(walk);
  if (!element?.type) return;
  if (element.type === "Image") images.push(element.props);
  walk(element.children);
})(await page());
const wrong = images.filter((each) => typeof each.src !== "string" || !each.width || !each.height || !each.alt);
console.log(JSON.stringify({ films: images.length, wrong, urls: [...new Set(images.flatMap((each) => urls(loader, config.images, each)))] }));
"""


def statuses(shell, urls):
    """The number of responses by status and media type."""
    quoted = " ".join(f"-o /dev/null '{url}'" for url in urls)
    out, _, _ = shell.send(f"curl -s --parallel --parallel-max 4 -w '%{{http_code}} %{{content_type}}\\n' {quoted}")
    found = {}
    for line in out.split("\n"):
        if line:
            found[line] = found.get(line, 0) + 1
    return found


def loader(snippet, images, shell, folder, check):
    """The URLs of Next.js' loader work, for ids in any spelling and for each width that <Image> requests."""
    (folder / "next.mjs").write_text(NEXT)
    (folder / "loader.mjs").write_text(shell.real(snippet.text))
    asked = [{"src": "rashomon-1950", "width": 230}, {"src": "rashomon-1950", "width": 230, "quality": 75}, {"src": "films:heat-1995", "width": 230, "sizes": "230px"},
             {"src": "metropolis-1927", "width": 230, "sizes": "(max-width: 600px) 50vw, 230px"}]
    text = (f'import loader from "./loader.mjs"; import {{ urls }} from "./next.mjs"; '
            f'console.log({json.dumps(asked)}.flatMap((each) => urls(loader, {json.dumps(images)}, each)).join("\\n"))')
    urls = node(folder, text, check, f"{snippet.place}: Node.js").split()
    found = statuses(shell, urls)
    check(f"{snippet.place}: URLs of the loader", len(urls) >= 8 and found == {"200 image/jpeg": len(urls)}, f"{urls} {found}")


def jsx(snippet, shell, folder, check):
    """Converts JSX to a module with objects as elements; returns whether that succeeds."""
    source, module = folder / "page.jsx", folder / "page.mjs"
    source.write_text(shell.real(snippet.text))
    (folder / "image.mjs").write_text('export default "Image";\n')
    words = ["esbuild", source, "--bundle", "--format=esm", "--jsx-factory=element", "--jsx-fragment=element", f"--alias:next/image={folder}/image.mjs", f"--outfile={module}",
             "--define:process.env.POSTERS=undefined", '--banner:js=const element = (type, props, ...children) => ({ type, props: props ?? {}, children });']
    outcome = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return check(f"{snippet.place}: esbuild", outcome.returncode == 0, outcome.stderr[-600:])


def nextjs(name, snippets, shell, folder, check):
    """The tutorial's site without Next.js: renders its page with the films of a server that allows only its widths, and requests the URLs of its pictures there."""
    files = {each.file: each for each in snippets if each.file}
    page = next(each for each in snippets if each.word == "jsx")
    (folder / "next.mjs").write_text(NEXT)
    (folder / "loader.mjs").write_text(shell.real(files["onesheet-loader.js"].text))
    (folder / "next.config.mjs").write_text(shell.real(files["next.config.mjs"].text))
    if not jsx(page, shell, folder, check):
        return
    made = json.loads(node(folder, PAGE, check, f"{page.place}: Node.js") or "{}")
    check(f"{name}: 20 posters", made.get("films") == 20 and not made["wrong"], made)
    found = statuses(shell, made.get("urls", []))
    check(f"{name}: pictures of the page", found == {"200 image/jpeg": 80}, f"{found}")
    refused = statuses(shell, [made["urls"][0].replace("w=154", "w=640")])
    check(f"{name}: a width of Next.js' defaults is refused", [each[:3] for each in refused] == ["400"], refused)


def signer(snippet, base, shell, folder, check):
    """JavaScript's signature equals the program's."""
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
                        loader(snippet, {"deviceSizes": [342, 500, 780, 1280], "imageSizes": [92, 154, 185]}, shell, folder, check)
                    elif snippet.word == "jsx":
                        jsx(snippet, shell, folder, check)
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
        name = "docs/tutorials/nextjs.md"
        shell.serve("onesheet serve --widths 154,342,500,780")
        nextjs(name, fences(root / name, name), shell, folder, check)
    finally:
        shell.close()
