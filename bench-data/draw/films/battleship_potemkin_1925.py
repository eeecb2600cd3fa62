"""The gun becomes a flagpole; behind it the sailors' caps."""


def draw(film, kit):
    paper, ink, red, grey, steel = "#e9e0cb", "#141314", "#d0281b", "#b9b1a0", "#34353a"
    import math
    out = kit.bg(paper)
    # the sky in slanting stripes of grey
    for i in range(9):
        x = -500 + i * 190
        out += kit.poly([(x, 1510), (x + 74, 1510), (x + 1190, -10), (x + 1116, -10)], kit.mix(paper, grey, .4))
    # the barrel runs from the lower left to the upper right
    ax, ay, bx, by = -120, 1440, 866, 116
    L = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / L, (by - ay) / L
    nx, ny = -uy, ux  # to the right of the barrel, downwards

    def at(s, o):
        return ax + ux * s + nx * o, ay + uy * s + ny * o

    # the flag: hoist along the barrel, flies to the left
    h0, h1 = at(L * .93, -30), at(L * .50, -30)
    flag = (f"M{h0[0]} {h0[1]}C{h0[0] - 160} {h0[1] - 90} {h0[0] - 300} {h0[1] + 70} {h0[0] - 480} {h0[1] - 10}C{h0[0] - 620} {h0[1] - 70} {h0[0] - 740} {h0[1] - 30} -20 {h0[1] - 70}"
            f"L-20 660C60 700 120 640 200 650C280 660 330 740 {h1[0]} {h1[1]}Z")
    out += kit.path(flag, red)
    fold = "".join(kit.path(f"M{x} {y}C{x - 60} {y + 150} {x - 100} {y + 300} {x - 40} {y + 560}C{x - 130} {y + 300} {x - 130} {y + 120} {x} {y}Z", kit.mix(red, ink, .28)) for x, y in ((640, 40), (280, 20)))
    out += kit.clip(flag, fold)

    def gun(s0, s1, w0, w1, fill):
        return kit.poly([at(s0, -w0), at(s1, -w1), at(s1, w1), at(s0, w0)], fill)

    out += gun(-100, L * .34, 152, 140, ink) + gun(L * .34, L * .62, 112, 98, ink) + gun(L * .62, L * .985, 84, 66, ink) + gun(L * .955, L, 82, 82, ink)
    for s0, s1, a, b in ((-100, L * .335, 96, 88), (L * .345, L * .615, 70, 62), (L * .625, L * .95, 53, 42)):
        out += kit.poly([at(s0, a), at(s1, b), at(s1, b * 1.3), at(s0, a * 1.3)], steel)
        out += kit.poly([at(s0, -a * .9), at(s1, -b * .9), at(s1, -b * .72), at(s0, -a * .72)], paper)
    for s in (L * .34, L * .62):
        out += kit.poly([at(s, -140 if s < L * .5 else -98), at(s + 6, -140 if s < L * .5 else -98), at(s + 6, 140 if s < L * .5 else 98), at(s, 140 if s < L * .5 else 98)], grey)
    # the muzzle
    mx, my = at(L, 0)
    a = math.degrees(math.atan2(ny, nx))
    out += f'<ellipse cx="{mx:.1f}" cy="{my:.1f}" rx="82" ry="36" transform="rotate({a:.2f} {mx:.1f} {my:.1f})" fill="{steel}"/>'
    out += f'<ellipse cx="{mx:.1f}" cy="{my:.1f}" rx="50" ry="21" transform="rotate({a:.2f} {mx:.1f} {my:.1f})" fill="{ink}" stroke="{paper}" stroke-width="5"/>'
    # the crew from behind: caps, ribbons, striped collars
    rows = [(1010, 104, 560), (1112, 116, 380), (1222, 130, 150), (1340, 146, -60)]
    for r, (y, step, start) in enumerate(rows):
        x = start
        while x < 1080:
            k = step / 130
            m = kit.path("M-76 150C-78 70 -52 44 -24 38L24 38C52 44 78 70 76 150Z", ink)
            m += kit.path("M-42 44L42 44L50 100L-50 100Z", kit.mix(ink, steel, .9)) + kit.line(-46, 92, 46, 92, 4, paper) + kit.line(-45, 83, 45, 83, 2.5, paper)
            m += kit.path("M-20 10L20 10L24 48L-24 48Z", kit.mix(grey, ink, .35))
            m += kit.path("M-34 -12C-34 26 -20 36 0 36C20 36 34 26 34 -12Z", kit.mix(ink, steel, .4))
            m += kit.path("M-36 -26L36 -26L35 0L-35 0Z", ink)
            m += kit.path("M-36 -26C-66 -34 -62 -62 -34 -66L34 -66C62 -62 66 -34 36 -26Z", paper)
            m += kit.path("M4 0L14 0L22 62L10 58ZM-4 0L-12 0L-10 66L-20 62Z", ink)
            out += kit.g(m, f"translate({x:.1f} {y}) scale({k:.3f})")
            x += step * 1.18
    out += kit.rect(-5, 1400, 1010, 120, ink)
    # the title on the flag
    def wave(x, y):
        t = (x - 50) / 700
        return x, y + 22 * math.sin(t * 5.2 + .5) - 8
    out += kit.outline("БРОНЕНОСЕЦ", 120, "condensed", track=.02).fit(54, 126, 566, 100).warp(wave).svg(paper)
    out += kit.outline("ПОТЁМКИН", 120, "condensed", track=.02).fit(54, 262, 448, 196).warp(wave).svg(paper)
    out += kit.outline("BATTLESHIP POTEMKIN", 60, "condensed-mid", track=.1).fit(56, 500, 320, 30).warp(wave).svg(paper)
    out += kit.text("1925", 946, 1448, 34, "condensed", red, "end", track=.06)
    out += kit.runs([("РЕЖИССЁР ", 22, "pt-narrow", .1), ("СЕРГЕЙ ЭЙЗЕНШТЕЙН", 34, "condensed-mid", .06), ("   ГОСКИНО", 34, "condensed-mid", .06)], 54, 1448, "start", paper)
    kit.finish(grain=5, paper=5, wear=.35, vignette=.18)
    return out
