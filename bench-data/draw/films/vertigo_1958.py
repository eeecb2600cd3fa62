"""Looking down the shaft of the bell tower; the letters of the title stand on its storeys, falling away after a bouquet."""


def draw(film, kit):
    cream, rose = "#f2ead4", "#e2506a"
    greens = ["#2f8f6b", "#1f7a5c", "#17664e", "#115342", "#0d4136", "#0a312b", "#082420", "#061816"]
    vx, vy, q = 500, 1030, .735
    S = [q ** k for k in range(9)]
    P = lambda x, y, s: (vx + (x - vx) * s, vy + (y - vy) * s)
    out = kit.bg(greens[0])
    corners = [(-10, -10), (1010, -10), (1010, 1510), (-10, 1510)]
    for k in range(8):
        a = [P(*c, S[k]) for c in corners]
        b = [P(*c, S[k + 1]) for c in corners]
        g = greens[k]
        # four walls, each in its own light
        out += kit.poly([a[0], a[1], b[1], b[0]], g)
        out += kit.poly([a[1], a[2], b[2], b[1]], kit.mix(g, "#000000", .3))
        out += kit.poly([a[2], a[3], b[3], b[2]], kit.mix(g, "#000000", .48))
        out += kit.poly([a[3], a[0], b[0], b[3]], kit.mix(g, "#f2ead4", .13))
        # stairs on the left and right walls
        m = 15
        for side, col in ((0, kit.mix(g, cream, .34)), (1, kit.mix(g, "#000000", .55))):
            up = (k + side) % 2
            for i in range(m):
                f = (i + .5) / m
                y = kit.lerp(-10, 1510, f)
                s0, s1 = S[k], S[k + 1]
                t0 = .22 + .56 * (f if up else 1 - f)
                ss = s0 + (s1 - s0) * t0
                x = -10 if side == 0 else 1010
                yb = kit.lerp(-10, 1510, f + .62 / m)
                se = s0 + (s1 - s0) * min(1, t0 + .2)
                out += kit.poly([P(x, y, ss), P(x, yb, ss), P(x, yb, se), P(x, y, se)], col)
        out += kit.path(kit.d_poly(b) , "none", f'stroke="{kit.mix(g, cream, .5)}" stroke-width="{max(1.5, 7 * S[k]):.1f}"')
    e = [P(*c, S[8]) for c in corners]
    out += kit.poly(e, "#040e0d")
    # the letters, on the far wall, each one a storey down
    for k, ch in enumerate("VERTIGO"):
        s0, s1 = kit.lerp(S[k], S[k + 1], .14), kit.lerp(S[k], S[k + 1], .86)
        y0, y1 = P(0, -10, s0)[1], P(0, -10, s1)[1]
        half = 62 if ch == "I" else 235
        o = kit.outline(ch, 300, "geo-black").fit(vx - half, 0, half * 2, 300)
        out += o.warp(lambda x, y: (vx + (x - vx) * kit.lerp(s0, s1, y / 300), kit.lerp(y0, y1, y / 300))).svg(cream)
    # the bouquet, coming apart as it falls
    def petal(x, y, r, a, c):
        return kit.g(kit.path(f"M0 {-r}C{r * .9:.1f} {-r * .7:.1f} {r * .8:.1f} {r * .5:.1f} 0 {r}C{-r * .5:.1f} {r * .3:.1f} {-r * .7:.1f} {-r * .6:.1f} 0 {-r}Z", c),
                     transform=f"translate({x} {y}) rotate({a})")
    dark = kit.mix(rose, "#300818", .45)
    for x, y, r, a in ((842, 214, 34, 40), (764, 420, 27, -35), (810, 610, 22, 110), (688, 700, 19, 20), (640, 842, 16, -60), (706, 905, 13, 80), (590, 940, 11, 10), (560, 1010, 9, 60)):
        out += petal(x, y, r, a, rose) + petal(x + r * .12, y + r * .1, r * .5, a + 20, dark)
    # seen from above: lace, then roses
    bx, by, r = 506, 1112, 62
    out += kit.circle(bx, by, r, cream) + "".join(kit.circle(*kit.polar(bx, by, r, k * 22.5 + 11.25), 12.5, cream) for k in range(16))
    out += "".join(kit.circle(*kit.polar(bx, by, r * 1.02, k * 22.5 + 11.25), 4, greens[5]) for k in range(16))
    for n_, rr, size in ((8, .58, .27), (1, 0, .34)):
        for k in range(n_):
            x, y = kit.polar(bx, by, r * rr, k * 45 + 8)
            c = (rose, kit.mix(rose, cream, .38))[k % 2]
            out += kit.circle(x, y, r * size, c) + kit.ring(x, y, r * size * .55, 2.4, dark) + kit.circle(x + 1, y, r * size * .2, dark)
    out += kit.credits(x=500, y=1452, size=24, fill=cream, width=800)
    kit.finish(grain=4, paper=3, wear=.15, vignette=.25)
    return out
