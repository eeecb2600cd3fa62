#!/usr/bin/env python3
"""Compares crops by attention with those of libvips' smartcrop.

usage: attention.py PROGRAM FOLDER [--limit N] [--side PIXELS] [--sheet FILE]

PROGRAM is onesheet, FOLDER has pictures. onesheet scales each one down, whole and cropped by `--position attention` to some
aspect ratios; the position of a crop is found by its pixels. pyvips (in the environment) crops the same whole picture. Prints
the share of crops with an overlap (intersection over union) of at least 0.7, and the crops that differ most. --sheet writes these
side by side. Exit status 0 if at least 90 % overlap.
"""
import argparse, os, random, subprocess, sys, tempfile

import numpy, pyvips

# File names are reused, and libvips would cache the first files.
pyvips.cache_set_max(0)

RATIOS = ((1, 1), (2, 3), (3, 4), (16, 9), (192, 80), (1440, 320))
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif")
LEAST_OVERLAP, LEAST_SHARE = 0.7, 0.9


def render(program, source, target, *options):
    return subprocess.run([program, "render", source, target, *options], capture_output=True).returncode == 0


def pixels(path):
    picture = pyvips.Image.new_from_file(path).copy_memory()
    array = picture.numpy()
    return picture, array if array.ndim == 3 else array[..., None]


def place(part, whole):
    """The upper left corner of a part, found by its pixels; None if it is not in the picture."""
    for y in range(whole.shape[0] - part.shape[0] + 1):
        for x in range(whole.shape[1] - part.shape[1] + 1):
            if numpy.array_equal(part, whole[y:y + part.shape[0], x:x + part.shape[1]]):
                return x, y
    return None


def overlap(one, other, width, height):
    across, down = max(0, width - abs(one[0] - other[0])), max(0, height - abs(one[1] - other[1]))
    return across * down / (2 * width * height - across * down)


def crops(program, source, side, folder):
    """The overlap, the ratio, both corners and the size of each crop of a picture, and the size of the picture."""
    whole_path, part_path = os.path.join(folder, "whole.png"), os.path.join(folder, "part.png")
    for ratio in RATIOS:
        across, down = ratio
        if not render(program, source, whole_path, "--width", str(side), "--height", str(side), "--effort", "full"):
            return
        picture, whole = pixels(whole_path)
        width, height = min(picture.width, picture.height * across // down), min(picture.height, picture.width * down // across)
        if min(width, height) < 16 or (width, height) == (picture.width, picture.height):
            continue
        # The picture that onesheet crops: as wide or as high as the crop.
        fitted = ("--width", str(width)) if height < picture.height else ("--height", str(height))
        if not render(program, source, whole_path, *fitted, "--effort", "full"):
            continue
        picture, whole = pixels(whole_path)
        if not render(program, source, part_path, "--width", str(width), "--height", str(height), "--fit", "cover",
                      "--position", "attention", "--effort", "full"):
            continue
        part = pixels(part_path)[1]
        own = place(part, whole)
        if own is None:
            print(f"{source} {across}:{down}: the crop is not found in the picture", file=sys.stderr)
            continue
        height, width = part.shape[:2]
        cut = picture.smartcrop(width, height, interesting="attention")
        other = -cut.xoffset, -cut.yoffset
        yield overlap(own, other, width, height), source, ratio, own, other, (width, height), fitted


def sheet(differences, program, path):
    """The crops of onesheet above those of libvips."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        whole = os.path.join(folder, "whole.png")
        for _, source, _, own, other, (width, height), fitted in differences:
            render(program, source, whole, *fitted, "--effort", "full")
            picture = pyvips.Image.new_from_file(whole).colourspace("srgb").flatten().copy_memory()
            cuts = [picture.crop(*corner, width, height) for corner in (own, other)]
            rows += [cut.thumbnail_image(240, height=240).gravity("centre", 240, 240) for cut in cuts]
    if rows:
        pyvips.Image.arrayjoin(rows, across=2).write_to_file(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--limit", type=int, default=200, help="number of pictures, chosen at random with a fixed seed")
    parser.add_argument("--side", type=int, default=400)
    parser.add_argument("--sheet")
    options = parser.parse_args()
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(options.folder) for name in names
                   if name.lower().endswith(ENDINGS))
    random.Random(22).shuffle(paths)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths[:options.limit]:
            found += crops(options.program, path, options.side, folder)
    if not found:
        raise SystemExit("there are no pictures")
    values = [crop[0] for crop in found]
    share = sum(value >= LEAST_OVERLAP for value in values) / len(values)
    print(f"{len(values)} crops: {100 * share:.1f} % overlap by at least {LEAST_OVERLAP}, on average {sum(values) / len(values):.3f}")
    differences = sorted(found)[:20]
    for value, source, ratio, own, other, *_ in differences:
        print(f"{value:.2f}  {ratio[0]}:{ratio[1]}  onesheet at {own}, libvips at {other}  {source}")
    if options.sheet:
        sheet(differences, options.program, options.sheet)
    return 0 if share >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
