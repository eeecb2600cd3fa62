"""A city built like an altar on the backs of a marching pattern of men; the sun is a ten-hour clock."""


def draw(film, kit):
    night, rust, brick, gold, cream = "#12121a", "#c2461d", "#5e1f1a", "#e0a435", "#f4e4bf"
    cx, cy = 500, 402
    out = kit.bg(brick)
    out += kit.rays(cx, cy, 0, 1500, 28, kit.radial([(0, gold), (.45, rust), (.8, brick)], cx, cy, 1150), duty=.5, a0=-93.2, a1=266.8)
    for i, (r, c) in enumerate(((268, night), (256, gold), (238, night), (228, cream))):
        out += kit.circle(cx, cy, r, c)
    for i in range(10):  # ten hours, as in the film
        a = -90 + 36 * i
        (x1, y1), (x2, y2) = kit.polar(cx, cy, 172, a), kit.polar(cx, cy, 212, a)
        out += kit.line(x1, y1, x2, y2, 15, night)
        for j in range(1, 5):
            (x1, y1), (x2, y2) = kit.polar(cx, cy, 200, a + 7.2 * j), kit.polar(cx, cy, 212, a + 7.2 * j)
            out += kit.line(x1, y1, x2, y2, 4, night)

    def tower(x, w, top, base, body, light, steps=3, lines=5, setback=.24, rise=.2):
        """Setbacks on both sides, lit from the middle; x is the centre."""
        s, h = "", base - top
        for k in range(steps):
            ww = w * (1 - setback * (steps - 1 - k))
            yy = top + h * rise * k
            s += kit.rect(x - ww / 2, yy, ww, base - yy, body)
            s += kit.rect(x - ww / 2, yy, ww, 5, light)
            s += kit.rect(x - ww / 2, yy + 9, ww, 2, light)
        for k in range(lines):
            o = (k - (lines - 1) / 2) * w / (lines + 1)
            k0 = next(q for q in range(steps) if abs(o) < w * (1 - setback * (steps - 1 - q)) / 2 - 4)
            yy = top + h * rise * k0 + 26
            s += kit.rect(x + o - 1.6, yy, 3.2, base - yy, light)
        return s

    base = 1090
    for sgn in (-1, 1):  # far
        for x, w, top in ((430, 150, 520), (300, 130, 610), (180, 120, 560)):
            out += tower(cx + sgn * x, w, top, base, kit.mix(rust, brick, .35), gold, 3, 3)
    for sgn in (-1, 1):  # middle
        for x, w, top in ((476, 150, 700), (352, 140, 640), (236, 130, 730)):
            out += tower(cx + sgn * x, w, top, base, brick, rust, 3, 4)
    # the tower in the middle, a needle on shoulders
    out += kit.poly([(cx - 7, 330), (cx, 96), (cx + 7, 330)], night)
    for k, (w, top) in enumerate(((34, 300), (74, 352), (120, 420), (172, 520), (236, 650), (312, 800))):
        out += kit.rect(cx - w / 2, top, w, base - top, night) + kit.rect(cx - w / 2, top, w, 6, gold)
    for k, (o, top) in enumerate(((0, 360), (22, 400), (45, 450), (68, 550), (92, 680), (118, 690), (140, 830))):
        for sgn in (-1, 1):
            out += kit.rect(cx + sgn * o - 1.7, top, 3.4, base - top, gold if k % 3 else cream)
    for sgn in (-1, 1):  # near, dark
        for x, w, top in ((455, 190, 850), (300, 150, 900), (195, 110, 960)):
            out += tower(cx + sgn * x, w, top, base, night, rust, 3, 5, .2, .14)
    # bridges of light
    for y, t in ((906, 5), (1000, 5)):
        out += kit.path(f"M-10 {y + 42}Q500 {y - 52} 1010 {y + 42}", "none", f'stroke="{cream}" stroke-width="{t}"')
        out += kit.path(f"M-10 {y + 54}Q500 {y - 40} 1010 {y + 54}", "none", f'stroke="{rust}" stroke-width="{t - 2}"')
    # below: the shift
    out += kit.rect(-5, base, 1010, 420, night) + kit.rect(-5, base, 1010, 7, gold) + kit.rect(-5, base + 12, 1010, 2.5, gold)
    man = ("M0 -40a9.5 10.5 20 1 0 19 4a9.5 10.5 20 1 0 -19 -4ZM-17 -8C-18 -30 -8 -38 4 -30C10 -25 13 -16 13 -4L12 14L15 54L6 54"
           "L1 22L-7 54L-16 54L-12 20ZM5 -20L12 16L8 18L0 -14Z")
    for i in range(13):
        x, y = 38 * i + 12, base + 72
        for sgn in (-1, 1):
            out += kit.path(man, cream if i == 9 and sgn < 0 else rust if i % 2 else kit.mix(rust, brick, .45),
                            f'transform="translate({x if sgn > 0 else 1000 - x} {y}) scale({sgn} 1)"')
    out += kit.rect(cx - 5, base + 14, 10, 114, gold)
    out += kit.rect(-5, base + 128, 1010, 300, night)
    # the title: tall letters, their feet dissolving into lines
    t = kit.outline("METROPOLIS", 200, "geo-black", track=.02).fit(58, 1236, 884, 160)
    out += kit.clip(t.d, kit.rect(0, 1200, 1000, 96, cream) + "".join(
        kit.rect(0, 1300 + i * 9.6, 1000, 7.4 - i * .55, cream) for i in range(11)))
    out += kit.credits(y=1452, size=22, fill=gold, width=884)
    kit.finish(grain=4, paper=4, wear=.3, vignette=.3)
    return out
