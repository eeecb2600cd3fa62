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
    s = "LA GRANDE ILLUSION"
    path = [(-60, 1052), (200, 972), (480, 892), (760, 782), (1060, 612)]
    size = kit.fit_size(s, 1010, "grotesk", .015)
    track_gap = None
    # footprints
    walk = [(250, 1330), (330, 1230), (300, 1120), (372, 1020), (446, 930), (470, 820), (560, 720), (596, 590), (690, 480), (700, 400)]
    rib = kit.ribbon_pts(walk, [46] * len(walk), 12)
    half = len(rib) // 2
    out += kit.text_on(s, path, size, "grotesk", navy, track=.015, start=64)
    for side in (0, 1):
        pts = rib[:half] if not side else rib[half:][::-1]
        acc = 17 * side
        for p, q in zip(pts, pts[1:]):
            acc += math.hypot(q[0] - p[0], q[1] - p[1])
            if acc > 34:
                acc -= 34
                a = math.degrees(math.atan2(q[1] - p[1], q[0] - p[0]))
                col = "#8ba3b3"
                out += kit.g(kit.path("M-9 -4C-4 -7 8 -7 11 0C8 7 -4 7 -9 4Z", col), f"translate({p[0]} {p[1]}) rotate({a})")
    # two men
    for x, y, c, k in ((664, 380, navy, 1), (722, 366, red, .92)):
        out += kit.poly([(x - 8, y), (x + 12, y), (x - 150, y + 66), (x - 170, y + 58)], "#b9c9d3") if False else kit.ribbon([(x, y), (x - 70, y + 26), (x - 140, y + 50)], [16, 22, 8], "#c3d0d8")
        m = "M-20 -84C-20 -96 20 -96 20 -84L24 -34L12 -30L13 0L3 0L0 -28L-4 0L-14 0L-12 -30L-24 -34ZM0 -122a13 14 0 1 0 .1 0ZM-15 -114L15 -114L13 -124C4 -132 -4 -132 -13 -124Z"
        out += kit.path(m, c, f'transform="translate({x} {y}) scale({k})"')
    # the forest behind them
    for i in range(30):
        x, y = kit.rng.uniform(-30, 300) , kit.rng.uniform(1300, 1480)
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
