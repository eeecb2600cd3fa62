"""A stray bullet ricochets between the letters of its own title and finds no one; below, a man walks on."""


def draw(film, kit):
    wall, ink, chalk, brass = "#8d9088", "#17181a", "#efe9d8", "#e0a32e"
    out = kit.bg(kit.linear([(0, "#9da097"), (1, wall)]))
    boxes = {"오": (60, 60, 560, 400), "발": (380, 492, 560, 420), "탄": (60, 944, 560, 420)}
    for ch, (x, y, w, h) in boxes.items():
        out += kit.outline(ch, 300, "ko-black").fit(x, y, w, h).svg(ink)
    # the path
    pts = [(1010, 30), (604, 300), (930, 566), (430, 640), (700, 884), (88, 1010), (520, 1330), (742, 1130)]
    out += kit.path(kit.d_poly(pts, False), "none", f'stroke="{chalk}" stroke-width="7" stroke-linejoin="bevel"')
    for (x, y) in pts[1:-1]:
        star = [kit.polar(x, y, (kit.rng.uniform(26, 52) if i % 2 else kit.rng.uniform(10, 16)), i * 18 + kit.rng.uniform(-6, 6)) for i in range(20)]
        out += kit.poly(star, chalk) + kit.blob(x, y, 11, 11, ink)
    # the bullet
    (x0, y0), (x1, y1) = pts[-2:]
    import math
    a = math.degrees(math.atan2(y1 - y0, x1 - x0))
    out += kit.g(kit.path("M-46 -22H18C56 -20 84 -8 96 0C84 8 56 20 18 22H-46Z", brass) + kit.rect(-46, -22, 10, 44, "#9c6a17") + kit.rect(-14, -22, 7, 44, "#9c6a17"),
                 transform=f"translate({x1} {y1}) rotate({a:.1f})")
    # the man
    out += kit.path("M-16 -108C-32 -104 -36 -90 -36 -70L-40 -30L-32 -28L-30 2L-26 60L-12 60L-2 6L14 58L28 54L18 0L22 -28L30 -30L28 -72C28 -92 24 -104 10 -108L8 -116"
                    "C16 -122 18 -130 16 -138L26 -140L26 -144L16 -146C14 -166 -20 -166 -22 -146L-32 -142L-30 -138L-22 -138C-22 -128 -18 -120 -12 -116Z", ink,
                    'transform="translate(880 1296) scale(1.1)"')
    out += kit.text("AIMLESS BULLET", 940, 1434, 44, "typewriter", ink, "end", track=-.02)
    out += kit.credits(x=60, y=1434, size=24, fill=ink, anchor="start", lang="ko", width=460)
    kit.finish(grain=5, paper=5, wear=.45, vignette=.25)
    return out
