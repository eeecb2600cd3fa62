"""Snow on both sides; the frontier is nothing but a line of lettering, and two pairs of footprints walk through it."""


def draw(film, kit):
    import math
    snow, shade, navy, red, pine = "#f3f0e8", "#d5dfe4", "#1d2c46", "#cf3a2b", "#27415a"
    out = kit.bg(snow)
    line = [(-60, 1010), (200, 930), (480, 850), (760, 740), (1060, 570)]
    lower = kit.d_smooth(line, closed=False) + "L1010 1510L-10 1510Z"
    out += kit.path(lower, shade)
    # drifts
    for pts in ([(560, 180), (740, 150), (1010, 190)], [(-10, 470), (160, 440), (330, 470)], [(620, 1080), (800, 1040), (1010, 1060)], [(80, 1240), (260, 1210), (420, 1240)]):
        out += kit.ribbon(pts, [0, 9, 0], shade if pts[0][1] < 900 else "#bccbd4")
    # footprints
    walk = [(250, 1330), (330, 1230), (300, 1120), (372, 1020), (446, 930), (470, 820), (560, 720), (596, 590), (690, 480), (700, 400)]
    rib = kit.ribbon_pts(walk, [46] * len(walk), 12)
    half = len(rib) // 2
    title = kit.outline("LA GRANDE ILLUSION", 200, "grotesk", track=.01).fit(-6, 0, 1080).rotate(-22.2, 0, 0).move(-12, 966)
    out += title.svg(navy)
    prints = ""
    for side in (0, 1):
        pts = rib[:half] if not side else rib[half:][::-1]
        acc = 17 * side
        for p, q in zip(pts, pts[1:]):
            acc += math.hypot(q[0] - p[0], q[1] - p[1])
            if acc > 34:
                acc -= 34
                a = math.degrees(math.atan2(q[1] - p[1], q[0] - p[0]))
                prints += kit.path("M-10 -4C-5 -8 9 -8 12 0C9 8 -5 8 -10 4Z", "COL", f'transform="translate({p[0]:.1f} {p[1]:.1f}) rotate({a:.1f})"')
    out += prints.replace("COL", "#7d97a9") + kit.clip(title.d, prints.replace("COL", snow))
    # two men
    for x, y, c in ((676, 384, navy), (726, 372, red)):
        out += kit.ribbon([(x, y), (x - 70, y + 22), (x - 150, y + 44)], [12, 20, 6], "#c3d0d8")
        m = kit.path("M-12 -66C-10 -74 10 -74 12 -66L15 -40L19 -26L9 -24L17 -3L9 1L0 -22L-7 1L-15 -1L-9 -24L-17 -26Z", c)
        m += kit.ribbon([(-12, -62), (-21, -44), (-15, -32)], [8, 8, 6], c) + kit.ribbon([(12, -62), (20, -46), (24, -34)], [8, 8, 6], c)
        m += kit.circle(0, -83, 10, c) + kit.path("M-14 -86C-12 -100 12 -100 14 -86Z", c) + kit.rect(-9, -62, 18, 22, kit.mix(c, snow, .3))
        out += kit.g(m, f"translate({x} {y}) scale(.95)")
    # the forest behind them
    trees = sorted([(kit.rng.uniform(-20, 240) * (1 if k % 3 else .7), kit.rng.uniform(1240, 1500)) for k in range(26)], key=lambda p: p[1])
    for x, y in trees:
        h = kit.rng.uniform(130, 190)
        x -= (1500 - y) * .25
        out += kit.path(f"M{x} {y-h}L{x+16} {y-h*.66}L{x+9} {y-h*.66}L{x+27} {y-h*.36}L{x+16} {y-h*.36}L{x+38} {y}L{x-38} {y}L{x-16} {y-h*.36}L{x-27} {y-h*.36}L{x-9} {y-h*.66}L{x-16} {y-h*.66}Z", kit.mix(navy, pine, kit.rng.random()))
    out += kit.text("GRAND ILLUSION", 942, 1346, 40, "grotesk", navy, "end", track=.02)
    out += kit.text("un film de JEAN RENOIR", 942, 1392, 30, "serif-italic", navy, "end")
    out += kit.credits(x=942, y=1448, size=20, fill=navy, anchor="end", width=560, lines=[[("", n) for n in film.cast] + [("", "1937")]])
    kit.finish(grain=4, paper=6, wear=.1)
    return out
