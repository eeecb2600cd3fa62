#!/usr/bin/env python3
"""Draws the posters.   draw.py [id ...]   draw.py --preview DIR [id ...]   draw.py --sums"""
import argparse
import hashlib
import importlib.util
import io
import json
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "draw"))

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from films import FILMS  # noqa: E402
from kit import Kit  # noqa: E402

RESOURCES = os.path.join(HERE, "../Sources/Movies/EmbeddedCatalogue/Resources")
ORIGINALS = os.path.join(RESOURCES, "originals")
LIMIT = {"2000x3000": 650_000, "1000x1500": 270_000}
SAMPLE = {"4:2:0": "2x2", "4:2:2": "2x1", "4:4:4": "1x1"}
TOTAL = 19 * 1024 * 1024


def encodings():
    with open(os.path.join(HERE, "encodings.tsv"), encoding="utf-8") as f:
        rows = [l.rstrip("\n").split("\t") for l in f if not l.startswith("#")]
    return {r[0]: r[1:] for r in rows}


def film_path(i):
    return os.path.join(HERE, "draw", "films", i.replace("-", "_") + ".py")


def svg_of(i, lettering="all"):
    spec = importlib.util.spec_from_file_location("film", film_path(i))
    mod = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mod)
    kit = Kit(FILMS[i], lettering)
    body = mod.draw(FILMS[i], kit)
    return kit.document(body), kit


def box3(a, k=1):
    """A small separable blur with wrap-around; the same on every machine."""
    for _ in range(k):
        a = (np.roll(a, 1, 0) + 2 * a + np.roll(a, -1, 0)) / 4
        a = (np.roll(a, 1, 1) + 2 * a + np.roll(a, -1, 1)) / 4
    return a


def noise(rng, h, w, cell, blur=1):
    """Smooth noise of that cell size, about unit variance."""
    a = box3(rng.standard_normal((math.ceil(h / cell) + 2, math.ceil(w / cell) + 2), dtype=np.float32), blur)
    a /= a.std()
    if cell == 1:
        return a[:h, :w]
    y, x = np.arange(h) / cell, np.arange(w) / cell
    y0, x0 = y.astype(int), x.astype(int)
    fy, fx = (y - y0).astype(np.float32)[:, None], (x - x0).astype(np.float32)[None, :]
    r0 = a[y0][:, x0] * (1 - fx) + a[y0][:, x0 + 1] * fx
    r1 = a[y0 + 1][:, x0] * (1 - fx) + a[y0 + 1][:, x0 + 1] * fx
    return r0 * (1 - fy) + r1 * fy


def texture(px, seed, grain, paper, wear, vignette):
    h, w = px.shape[:2]
    s = w / 1000
    rng = np.random.Generator(np.random.PCG64(seed))
    im = px.astype(np.float32)
    if wear:
        # tiny holes where the ink did not take, a little denser in some places; dark areas only
        m = noise(rng, h, w, 1.3 * s, 2) + noise(rng, h, w, 120 * s, 2) * .45
        hole = np.clip((m - (3.3 - 1.2 * wear)) * 2.2, 0, 1)[..., None]
        lum = im @ np.array([.3, .59, .11], np.float32)
        im += (np.array([214, 202, 178], np.float32) - im) * hole * (np.clip(1.1 - lum / 230, 0, 1)[..., None] * .6)
    if paper:
        fib = noise(rng, h, w, 3 * s, 1) * .5 + noise(rng, h, w, 90 * s, 2) * .8
        im += fib[..., None] * paper * (.35 + im.mean(2, keepdims=True) / 400)
    if grain:
        im += noise(rng, h, w, s, 1 if s < 2 else 2)[..., None] * (grain * (.4 + im.mean(2, keepdims=True) / 300))
    if vignette:
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        r = np.hypot((x / w - .5) / .5, (y / h - .5) / .5) / math.sqrt(2)
        im *= (1 - vignette * np.clip(r - .45, 0, 1) ** 1.6 * 1.6)[..., None]
    return np.clip(im + .5, 0, 255).astype(np.uint8)


def render(i, w, h):
    svg, kit = svg_of(i)
    with tempfile.TemporaryDirectory() as tmp:
        a, b = os.path.join(tmp, "a.svg"), os.path.join(tmp, "a.png")
        with open(a, "w", encoding="utf-8") as f:
            f.write(svg)
        subprocess.run(["rsvg-convert", "--unlimited", "-w", str(w), "-h", str(h), "-b", "white", "-o", b, a], check=True)
        px = np.asarray(Image.open(b).convert("RGB"))
    return px, kit


def textured(px, kit, k=1.0):
    p = dict(kit.post)
    return texture(px, kit.seed, p["grain"] * k, p["paper"] * k, p["wear"], p["vignette"])


def original(i, size, coding, sampling):
    """The strongest share of the wanted texture that still leaves a good quality within the limit."""
    px, kit = render(i, *map(int, size.split("x")))
    for k in (1, .85, .7, .55, .4, .3, .2, .1, 0):
        best = encode(textured(px, kit, k), coding, sampling, LIMIT[size])
        if best and (best[0] >= 76 or k == 0):
            return (k, *best)
    raise SystemExit(f"{i}: too large at quality 72: simplify the drawing (hatching, halftone, fine lines)")


def encode(px, coding, sampling, limit, highest=92):
    ppm = b"P6 %d %d 255\n" % (px.shape[1], px.shape[0]) + px.tobytes()
    mode = ["-progressive"] if coding == "progressive" else ["-optimize"]

    chroma = 14 if sampling == "4:4:4" else 0  # full-size colour planes: spend less on each

    def at(q):
        return subprocess.run(["cjpeg", "-quality", f"{q},{q - chroma}", "-sample", SAMPLE[sampling], *mode], input=ppm,
                              capture_output=True, check=True).stdout
    lo, hi, best = 72, highest, None
    while lo <= hi:
        q = (lo + hi + 1) // 2
        data = at(q)
        if len(data) <= limit:
            best, lo = (q, data), q + 1
        else:
            hi = q - 1
    return best


def sums():
    names, total = sorted(x for x in os.listdir(ORIGINALS) if x.endswith(".jpg")), 0
    posters = {}
    with open(os.path.join(ORIGINALS, "SHA256SUMS"), "w", encoding="utf-8") as out:
        for x in names:
            with open(os.path.join(ORIGINALS, x), "rb") as f:
                data = f.read()
            total += len(data)
            digest = hashlib.sha256(data).hexdigest()
            out.write(f"{digest}  {x}\n")
            width, height = Image.open(io.BytesIO(data)).size
            posters[x[: -len(".jpg")]] = {"file": x, "width": width, "height": height, "sha256": digest}
    # What the embedded catalogue knows of its posters.
    with open(os.path.join(ORIGINALS, "manifest.json"), "w", encoding="utf-8") as out:
        json.dump({"posters": posters}, out, indent=1)
        out.write("\n")
    print(f"{len(names)} files, {total / 1048576:.2f} MiB")
    if total > TOTAL:
        raise SystemExit("the set is larger than 19 MiB")


def preview(ids, out, width):
    os.makedirs(out, exist_ok=True)
    small = []
    for i in ids:
        im = Image.fromarray(textured(*render(i, 1000, 1500))).resize((width, width * 3 // 2), Image.LANCZOS)
        im.save(os.path.join(out, i + ".png"))
        small.append(im.resize((300, 450), Image.LANCZOS))
        print(i)
    if len(small) > 1:
        cols = min(6, len(small))
        sheet = Image.new("RGB", (cols * 312 + 12, math.ceil(len(small) / cols) * 462 + 12), "#808080")
        for k, im in enumerate(small):
            sheet.paste(im, (12 + k % cols * 312, 12 + k // cols * 462))
        sheet.save(os.path.join(out, "sheet.png"))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--preview", metavar="DIR", help="small PNGs and a contact sheet there, no originals")
    p.add_argument("--width", type=int, default=600, help="width of the previews")
    p.add_argument("--svg", metavar="DIR", help="write the SVGs there")
    p.add_argument("--sums", action="store_true", help="only write SHA256SUMS and manifest.json")
    p.add_argument("ids", nargs="*")
    a = p.parse_args()
    ids = a.ids or [i for i in FILMS if os.path.exists(film_path(i))]
    for i in ids:
        if i not in FILMS:
            raise SystemExit(f"no such film: {i}")
    if a.svg:
        os.makedirs(a.svg, exist_ok=True)
        for i in ids:
            with open(os.path.join(a.svg, i + ".svg"), "w", encoding="utf-8") as f:
                f.write(svg_of(i)[0])
    elif a.preview:
        preview(ids, a.preview, a.width)
    elif a.sums:
        sums()
    else:
        table = encodings()
        os.makedirs(ORIGINALS, exist_ok=True)
        for i in ids:
            size, coding, sampling = table[i]
            k, quality, data = original(i, size, coding, sampling)
            with open(os.path.join(ORIGINALS, i + ".jpg"), "wb") as f:
                f.write(data)
            print(f"{i}  {size} {coding} {sampling}  texture {k}  quality {quality}  {len(data) / 1000:.0f} kB", flush=True)
        sums()


if __name__ == "__main__":
    main()
