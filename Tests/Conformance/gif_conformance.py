#!/usr/bin/env python3
"""Compares the first frame of GIFs with Pillow's, pixel by pixel, and fails on any difference.

usage: gif_conformance.py PROGRAM [CORPUS]

PROGRAM is onesheet. The GIFs are written here: every number of colours, interlaced or not, with and without a transparent index,
with a local palette, at an offset on the canvas, and beyond the canvas; and by Pillow, from formulas and from the posters of CORPUS.
Browsers and OneSheet leave the rest of the canvas transparent, whereas Pillow fills it with the colour of index 0 unless there is a
transparent index: that part is expected to be transparent.
"""
import concurrent.futures, itertools, os, random, struct, subprocess, sys, tempfile
import numpy as np
from PIL import Image, ImageSequence


def packed(indices, bits):
    """LZW codes (GIF89a, appendix F) in sub-blocks, after the minimum code size."""
    clear, data, held, count = 1 << bits, bytearray(), 0, 0
    length, following, table = bits + 1, clear + 2, {}

    def put(code):
        nonlocal held, count
        held |= code << count
        count += length
        while count >= 8:
            data.append(held & 255)
            held >>= 8
            count -= 8

    put(clear)
    code = None
    for index in indices:
        if code is None:
            code = index
        elif (code, index) in table:
            code = table[code, index]
        else:
            put(code)
            table[code, index] = following
            if following == 1 << length and length < 12:
                length += 1
            following += 1
            if following == 4096:
                put(clear)
                length, following, table = bits + 1, clear + 2, {}
            code = index
    put(code)
    if following == 1 << length and length < 12:
        length += 1
    put(clear + 1)
    if count:
        data.append(held & 255)
    blocks = bytearray([bits])
    for start in range(0, len(data), 255):
        block = data[start:start + 255]
        blocks += bytes([len(block)]) + block
    return bytes(blocks + b"\0")


def palette(colours, seed):
    return np.random.default_rng(seed).integers(0, 256, (colours, 3), dtype=np.uint8)


def written(seed, colours, interlaced, transparent, own_palette, place):
    """A GIF, and the position of its picture on the canvas."""
    chance = random.Random(seed)
    width, height = chance.choice([(1, 1), (7, 5), (16, 16), (61, 47), (130, 90)])
    left, top, right, bottom = {"fills": (0, 0, 0, 0), "inside": (5, 3, 4, 9), "beyond": (6, 2, -3, -1)}[place]
    canvas = max(1, left + width + right), max(1, top + height + bottom)
    runs = chance.choice([1, 3, 40])
    indices = np.array([chance.randrange(colours) for _ in range(-(-width * height // runs))]).repeat(runs)
    indices = indices[:width * height].reshape(height, width)
    bits = max(1, (colours - 1).bit_length())
    shared, own = palette(colours, seed), palette(colours, seed + 1)
    screen = struct.pack("<HHBBB", *canvas, 0x80 | bits - 1, 0, 0) + shared.tobytes()
    control = bytes([0x21, 0xF9, 4, 1, 0, 0, colours // 2, 0]) if transparent else b""
    flags = (0x40 if interlaced else 0) | (0x80 | bits - 1 if own_palette else 0)
    picture = struct.pack("<BHHHHB", 0x2C, left, top, width, height, flags) + (own.tobytes() if own_palette else b"")
    rows = indices
    if interlaced:
        rows = np.concatenate([indices[start::step] for start, step in [(0, 8), (4, 8), (2, 4), (1, 2)]])
    codes = packed(rows.ravel().tolist(), max(2, bits))
    return b"GIF89a" + screen + control + picture + codes + b";", (left, top, left + width, top + height)


def reference(path, part, transparent):
    with Image.open(path) as image:
        pixels = np.array(next(iter(ImageSequence.Iterator(image))).convert("RGBA"))
    if part and not transparent:
        outside = np.ones(pixels.shape[:2], bool)
        outside[part[1]:part[3], part[0]:part[2]] = False
        pixels[outside] = 0
    return pixels


def judge(program, folder, name, part, transparent):
    path = os.path.join(folder, name)
    outcome = subprocess.run([program, "render", path, path + ".png", "--format", "png"], capture_output=True, text=True, timeout=120)
    if outcome.returncode != 0:
        return f"{name}: {outcome.stderr.strip()}"
    with Image.open(path + ".png") as image:
        ours = np.array(image.convert("RGBA"))
    theirs = reference(path, part, transparent)
    # Colours of transparent pixels are not compared.
    ours[ours[..., 3] == 0] = 0
    theirs[theirs[..., 3] == 0] = 0
    if ours.shape != theirs.shape:
        return f"{name}: {ours.shape[1]}×{ours.shape[0]} instead of {theirs.shape[1]}×{theirs.shape[0]}"
    count = int((ours != theirs).any(axis=2).sum())
    return f"{name}: {count} of {ours.shape[0] * ours.shape[1]} pixels differ" if count else None


def by_pillow(folder, corpus):
    """Files that Pillow writes: animated, optimised, with its own palettes."""
    y, x = np.mgrid[0:120, 0:160]
    gradient = Image.fromarray(np.dstack([x, 2 * y, (x + y) // 2]).astype("uint8"))
    animation = [gradient.rotate(30 * turn).convert("P", palette=Image.ADAPTIVE, colors=32) for turn in range(3)]
    animation[0].save(os.path.join(folder, "pillow-animation.gif"), save_all=True, append_images=animation[1:])
    names = ["pillow-animation.gif"]
    posters = []
    base = os.path.join(corpus or "", "posters", "film-art")
    if corpus and os.path.isdir(base):
        posters = [os.path.join(base, name) for name in sorted(os.listdir(base)) if name.endswith((".jpg", ".png"))][:4]
    pictures = [gradient] + [Image.open(poster).convert("RGB") for poster in posters]
    for index, (picture, colours, interlace) in enumerate(itertools.product(pictures, [2, 37, 256], [0, 1])):
        picture.thumbnail((900, 900))
        name = f"pillow-{index}.gif"
        picture.quantize(colours).save(os.path.join(folder, name), interlace=interlace, optimize=colours == 37)
        names.append(name)
    return names


def main():
    program, corpus = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else None)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        kinds = itertools.product([2, 4, 8, 64, 256], [False, True], [False, True], [False, True], ["fills", "inside", "beyond"])
        for seed, kind in enumerate(kinds):
            colours, interlaced, transparent, own_palette, place = kind
            data, part = written(seed, *kind)
            name = f"{seed:03}-{colours}-{place}" + "".join(
                word for flag, word in [(interlaced, "-interlaced"), (transparent, "-transparent"), (own_palette, "-own")] if flag)
            with open(os.path.join(folder, name + ".gif"), "wb") as file:
                file.write(data)
            jobs.append(pool.submit(judge, program, folder, name + ".gif", part, transparent))
        for name in by_pillow(folder, corpus):
            jobs.append(pool.submit(judge, program, folder, name, None, False))
        differences = [job.result() for job in jobs]
    found = [difference for difference in differences if difference]
    print("\n".join(found + [f"{len(differences) - len(found)} of {len(differences)} GIFs are decoded as by Pillow {Image.__version__}"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
