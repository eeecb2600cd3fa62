#!/usr/bin/env python3
"""Draws a film's backdrop and the pictures of its gallery: parts of its poster without the lettering, see scenes.tsv.

draw_scenes.py [id ...]   draw_scenes.py --preview DIR [id ...]   draw_scenes.py --sums"""
import argparse
import hashlib
import io
import json
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image, ImageDraw

from draw import FILMS, HERE, RESOURCES, encode, svg_of, texture

SCENES = os.path.join(RESOURCES, "scenes")
COUNT = 3
# By whether it is the backdrop: the size, the largest file.
SIZE = {True: (1280, 720), False: (960, 540)}
LIMIT = {True: 125_000, False: 80_000}
# The highest, which keeps all of them within the limit for the whole set.
QUALITY = 83
TOTAL = 10 * 1024 * 1024
# A part that is shown larger than on the poster would look dirty with all of the poster's grain.
TEXTURE = .5


def framings():
    """Film -> [(x, y, width, lettering)], the backdrop first."""
    out = {}
    with open(os.path.join(HERE, "scenes.tsv"), encoding="utf-8") as f:
        for row in (l.rstrip("\n").split("\t") for l in f if not l.startswith("#")):
            film, number, x, y, width, lettering = row[0], *map(int, row[1:5]), row[5]
            if film not in FILMS or lettering not in ("none", "drawn"):
                raise SystemExit(f"scenes.tsv: {row}")
            if x < 0 or y < 0 or x + width > 1000 or y + width * 9 / 16 > 1500:
                raise SystemExit(f"scenes.tsv: {film} {number} leaves the poster")
            out.setdefault(film, []).append((number, x, y, width, lettering))
    for film, rows in out.items():
        if [r[0] for r in rows] != list(range(COUNT)):
            raise SystemExit(f"scenes.tsv: {film} has not the numbers 0 to {COUNT - 1}")
    return {film: [r[1:] for r in rows] for film, rows in out.items()}


def render(film, framing, size):
    """Drawn from the shapes at that size: nothing is enlarged from pixels."""
    x, y, width, lettering = framing
    svg, kit = svg_of(film, lettering)
    whole = 'viewBox="0 0 1000 1500" width="1000" height="1500"'
    part = f'viewBox="{x} {y} {width} {width * 9 / 16}" width="{size[0]}" height="{size[1]}"'
    assert whole in svg
    with tempfile.TemporaryDirectory() as tmp:
        a, b = os.path.join(tmp, "a.svg"), os.path.join(tmp, "b.png")
        with open(a, "w", encoding="utf-8") as f:
            f.write(svg.replace(whole, part, 1))
        subprocess.run(["rsvg-convert", "--unlimited", "-w", str(size[0]), "-h", str(size[1]), "-b", "white", "-o", b, a],
                       check=True)
        return np.asarray(Image.open(b).convert("RGB")), kit


def textured(px, kit, number, k=1.0):
    p = {name: value * TEXTURE for name, value in kit.post.items()}
    return texture(px, kit.seed + number, p["grain"] * k, p["paper"] * k, p["wear"], p["vignette"])


def scene(film, number, framing):
    """The strongest share of the wanted texture that still leaves a good quality within the limit."""
    first = number == 0
    px, kit = render(film, framing, SIZE[first])
    for k in (1, .85, .7, .55, .4, .3, .2, .1, 0):
        best = encode(textured(px, kit, number, k), "progressive", "4:2:0", LIMIT[first], QUALITY)
        if best and (best[0] >= 76 or k == 0):
            return (k, *best)
    raise SystemExit(f"{film} {number}: too large at quality 72: choose another part of the drawing")


def sums():
    names, total = sorted(x for x in os.listdir(SCENES) if x.endswith(".jpg")), 0
    scenes, table = {}, framings()
    with open(os.path.join(SCENES, "SHA256SUMS"), "w", encoding="utf-8") as out:
        for x in names:
            with open(os.path.join(SCENES, x), "rb") as f:
                data = f.read()
            total += len(data)
            digest = hashlib.sha256(data).hexdigest()
            out.write(f"{digest}  {x}\n")
            width, height = Image.open(io.BytesIO(data)).size
            film, number = x[: -len(".jpg")].rsplit("-", 1)
            scenes.setdefault(film, []).append({
                "file": x, "width": width, "height": height, "sha256": digest,
                "textless": table[film][int(number)][3] == "none"})
    # What the embedded catalogue knows of them.
    with open(os.path.join(SCENES, "manifest.json"), "w", encoding="utf-8") as out:
        json.dump({"scenes": scenes}, out, indent=1)
        out.write("\n")
    print(f"{len(names)} files, {total / 1048576:.2f} MiB")
    if total > TOTAL:
        raise SystemExit("the set is larger than 10 MiB")


def preview(ids, table, out, width):
    """A contact sheet: a row for each film, sixteen rows to a sheet."""
    os.makedirs(out, exist_ok=True)
    height, label = width * 9 // 16, 18
    for start in range(0, len(ids), 16):
        rows = ids[start:start + 16]
        sheet = Image.new("RGB", (COUNT * (width + 8) + 8, len(rows) * (height + label + 6)), "#808080")
        pen = ImageDraw.Draw(sheet)
        for r, film in enumerate(rows):
            pen.text((8, r * (height + label + 6) + 3), film, fill="#000")
            for number, framing in enumerate(table[film]):
                px, kit = render(film, framing, SIZE[number == 0])
                im = Image.fromarray(textured(px, kit, number)).resize((width, height), Image.LANCZOS)
                sheet.paste(im, (8 + number * (width + 8), r * (height + label + 6) + label))
        sheet.save(os.path.join(out, f"sheet{start // 16}.png"))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--preview", metavar="DIR", help="contact sheets there, no pictures")
    p.add_argument("--width", type=int, default=320, help="width of a picture on them")
    p.add_argument("--sums", action="store_true", help="only write SHA256SUMS and manifest.json")
    p.add_argument("ids", nargs="*")
    a = p.parse_args()
    table = framings()
    for i in a.ids:
        if i not in table:
            raise SystemExit(f"no such film in scenes.tsv: {i}")
    if a.preview:
        preview(a.ids or list(table), table, a.preview, a.width)
        return
    if not a.sums:
        os.makedirs(SCENES, exist_ok=True)
        for film in a.ids or table:
            for number, framing in enumerate(table[film]):
                k, quality, data = scene(film, number, framing)
                with open(os.path.join(SCENES, f"{film}-{number}.jpg"), "wb") as f:
                    f.write(data)
                print(f"{film}-{number}  texture {k}  quality {quality}  {math.ceil(len(data) / 1000)} kB", flush=True)
    sums()


if __name__ == "__main__":
    main()
