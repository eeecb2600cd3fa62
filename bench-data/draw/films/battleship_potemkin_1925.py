"""The gun becomes a flagpole; behind it the sailors' caps."""
import math


def draw(film, kit):
    paper, ink, red, grey, steel = "#e9e0cb", "#141314", "#d0281b", "#b9b1a0", "#34353a"
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
    flag = (f"M{h0[0]} {h0[1]}C{h0[0] - 160} {h0[1] - 150} {h0[0] - 300} {h0[1] - 40} {h0[0] - 480} {h0[1] - 110}C{h0[0] - 620} {h0[1] - 160} {h0[0] - 740} {h0[1] - 110} -20 {h0[1] - 150}"
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
    # the crew from behind, in step with the gun: caps, ribbons, striped collars
    skin = kit.mix(grey, ink, .12)
    for x, y, k, tilt in ((916, 930, 1.2, -3), (694, 1016, 1.46, 3), (404, 1140, 1.74, -4)):
        m = kit.path("M-124 420C-124 180 -104 106 -32 72L32 72C104 106 124 180 124 420Z", ink, f'stroke="{paper}" stroke-width="3.5"')
        m += kit.path("M-36 74L36 74L78 104L84 204L-84 204L-78 104Z", steel)
        m += "".join(kit.stroke(f"M-{72 - i} {110 + i}L-{76 - i} {192 - i}L{76 - i} {192 - i}L{72 - i} {110 + i}", 3.4, paper) for i in (0, 9, 18))
        m += kit.path("M-23 36L23 36L28 80Q0 96 -28 80Z", kit.mix(grey, ink, .25))
        h = f'<ellipse cx="-40" cy="8" rx="8" ry="14" fill="{skin}"/><ellipse cx="40" cy="8" rx="8" ry="14" fill="{skin}"/>'
        h += kit.path("M-40 -20C-41 32 -26 60 0 60C26 60 41 32 40 -20Z", skin) + kit.path("M-40 -20L40 -20C40 8 34 24 20 30L-20 30C-34 24 -40 8 -40 -20Z", kit.mix(grey, ink, .6))
        h += kit.path("M-9 -12L0 -12L-7 108L-16 99L-26 106ZM9 -12L0 -12L9 102L17 93L27 98Z", ink)
        h += kit.path("M-45 -42L45 -42L42 -10L-42 -10Z", ink)
        h += kit.path("M-44 -40C-62 -48 -72 -64 -62 -74C-44 -90 44 -90 62 -74C72 -64 62 -48 44 -40Z", paper, f'stroke="{ink}" stroke-width="4"') + kit.ribbon([(-56, -62), (0, -52), (56, -62)], [0, 5, 0], grey)
        m += kit.g(h, f"rotate({tilt} 0 40)")
        out += kit.g(m, f"translate({x} {y}) scale({k})")
    out += kit.rect(-5, 1400, 1010, 120, ink)
    # the title on the flag
    def wave(x, y):
        t = (x - 50) / 700
        return x, y + 22 * math.sin(t * 5.2 + .5) - 8
    out += kit.outline("БРОНЕНОСЕЦ", 120, "condensed", track=.02).fit(54, 152, 536, 92).warp(wave).svg(paper)
    out += kit.outline("ПОТЁМКИН", 120, "condensed", track=.02).fit(54, 284, 430, 176).warp(wave).svg(paper)
    out += kit.outline("BATTLESHIP POTEMKIN", 60, "condensed-mid", track=.1).fit(56, 502, 320, 30).warp(wave).svg(paper)
    out += kit.text("1925", 946, 1448, 34, "condensed", red, "end", track=.06)
    out += kit.runs([("РЕЖИССЁР ", 22, "pt-narrow", .1), ("СЕРГЕЙ ЭЙЗЕНШТЕЙН", 34, "condensed-mid", .06), ("   ГОСКИНО", 34, "condensed-mid", .06)], 54, 1448, "start", paper)
    kit.finish(grain=5, paper=5, wear=.35, vignette=.18)
    return out
