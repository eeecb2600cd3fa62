#!/usr/bin/env python3
"""Records wall.trace: fetches from a running server what browsers on its wall of posters would fetch.

    onesheet serve --port 8080 &
    python3 record.py http://127.0.0.1:8080 > wall.trace

The visitors are made up; the page, the posters and their bytes are the server's own. README.md says the rest.
"""

import random
import re
import sys
import urllib.request

VISITORS = 120
AT_ONCE = 8
# Width of the window in CSS pixels, device pixels for each, whether it takes WebP, how common it is.
SCREENS = [
    (360, 3, True, 20), (390, 3, True, 25), (412, 2.625, True, 15), (768, 2, True, 6), (1366, 1, True, 10),
    (1536, 1.25, True, 8), (1920, 1, True, 10), (2560, 2, True, 4), (1280, 1, False, 2),
]


def fetch(url, takes_webp):
    accept = "image/webp,image/png,image/*;q=0.8" if takes_webp else "image/jpeg,image/png"
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request) as answer:
        return answer.headers.get_content_subtype(), len(answer.read())


def shown_width(window):
    """The page's `sizes`, in CSS pixels."""
    return window * 0.44 if window <= 650 else window * 0.30 if window <= 900 else 230


def visit(dice, images, fame):
    """Yields paths and whether WebP is taken, each path once: the browser has a cache of its own."""
    window, pixels, takes_webp, _ = dice.choices(SCREENS, [screen[3] for screen in SCREENS])[0]
    columns = 2 if window <= 650 else 3 if window <= 900 else min(7, max(3, (window - 96) // 215))
    needed = shown_width(window) * pixels
    seen, opened = 0, set()
    while seen < len(images):
        rows = 3 if seen == 0 else dice.choice([1, 2, 3])
        for sources in images[seen:seen + rows * columns]:
            fits = [path for path, width in sources if width >= needed]
            yield (fits or [sources[-1][0]])[0], takes_webp
        seen = min(len(images), seen + rows * columns)
        if dice.random() < 0.25:
            # A poster that is opened is the link's own path: the picture at its full size.
            path = dice.choices(images[:seen], fame[:seen])[0][0][0].split("?")[0]
            if path not in opened:
                opened.add(path)
                yield path, takes_webp
        if dice.random() < 0.18:
            return


def main(base):
    dice = random.Random(1895)
    page = urllib.request.urlopen(base + "/").read().decode()
    images = []
    for sources in re.findall(r'srcset="([^"]+)"', page):
        images.append([(path, int(width[:-1])) for path, width in (part.split() for part in sources.split(", "))])
    fame = [1 / rank for rank in dice.sample(range(1, len(images) + 1), len(images))]
    print("# key (poster/width/format) and bytes; see README.md")
    waiting = [visit(dice, images, fame) for _ in range(VISITORS)]
    present = [waiting.pop() for _ in range(AT_ONCE)]
    while present:
        visitor = dice.choice(present)
        # A few pictures of one visitor follow each other, as a screenful does.
        for _ in range(dice.randint(1, 8)):
            path, takes_webp = next(visitor, (None, None))
            if path is None:
                present.remove(visitor)
                if waiting:
                    present.append(waiting.pop())
                break
            subtype, size = fetch(base + path, takes_webp)
            poster, _, width = path.removeprefix("/poster/").partition("?w=")
            print(f"{poster}/{width or 'full'}/{subtype} {size}")


main(sys.argv[1].rstrip("/"))
