"""A stray bullet ricochets between the letters of its own title and finds the man who stands in the first of them."""
import math


def draw(film, kit):
    wall, ink, red, brass = "#cfc8b4", "#1a1a1c", "#d5301f", "#b98427"
    out = kit.bg(kit.linear([(0, "#d8d2c0"), (1, "#b9b29f")]))
    for ch, (y, h) in {"오": (60, 440), "발": (526, 404), "탄": (956, 384)}.items():
        out += kit.outline(ch, 300, "ko-black").fit(58, y, 884, h).svg(ink)
    # the path
    pts = [(-10, 1150), (846, 1306), (130, 1000), (786, 752), (170, 560), (372, 372)]
    out += kit.path(kit.d_poly(pts, False), "none", f'stroke="{red}" stroke-width="9" stroke-linejoin="bevel"')
    for (x, y) in pts[1:-1]:
        star = [kit.polar(x, y, (kit.rng.uniform(34, 74) if i % 2 else kit.rng.uniform(12, 20)), i * 18 + kit.rng.uniform(-6, 6)) for i in range(20)]
        out += kit.poly(star, wall) + kit.blob(x, y, 17, 17, red)
    # the bullet
    (x0, y0), (x1, y1) = pts[-2:]
    a = math.degrees(math.atan2(y1 - y0, x1 - x0))
    out += kit.g(kit.path("M-46 -20H18C50 -18 74 -8 86 0C74 8 50 18 18 20H-46Z", brass) + kit.rect(-46, -20, 9, 40, "#7d5714") + kit.rect(-18, -20, 6, 40, "#7d5714"),
                 transform=f"translate({x1} {y1}) rotate({a:.1f}) scale(.8)")
    # the man in the ring
    out += kit.path("M-16 -108C-32 -104 -36 -90 -36 -70L-40 -30L-32 -28L-30 2L-26 60L-12 60L-2 6L14 58L28 54L18 0L22 -28L30 -30L28 -72C28 -92 24 -104 10 -108L8 -116"
                    "C16 -122 18 -130 16 -138L26 -140L26 -144L16 -146C14 -166 -20 -166 -22 -146L-32 -142L-30 -138L-22 -138C-22 -128 -18 -120 -12 -116Z", ink,
                    'transform="translate(506 252) scale(.62)"')
    out += kit.text("AIMLESS BULLET", 942, 1440, 44, "typewriter", ink, "end", track=-.02)
    out += kit.credits(x=58, y=1440, size=24, fill=ink, anchor="start", lang="ko", width=460)
    kit.finish(grain=5, paper=5, wear=.45, vignette=.25)
    return out
