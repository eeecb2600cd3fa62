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
        half = 235 if ch != "I" else 62
        o = kit.outline(ch, 300, "geo-black").fit(vx - half, 0, half * 2, 1)

        def f(x, y):
            s = kit.lerp(s0, s1, y)
            return vx + (x - vx) * s, kit.lerp(y0, y1, y)
        out += o.scale(1, 1).flat(.02 if 0 else 4).map(f).svg(cream) if ch in "VTIE" else kit.outline(ch, 300, "geo-black").fit(vx - half, 0, half * 2, 300).flat(4).map(
            lambda x, y: f(x, y / 300)).svg(cream)
    # the bouquet, coming apart
    bx, by = 622, 1150
    for x, y, r, a in ((590, 905, 26, 20), (700, 1010, 21, 70), (380, 820, 18, -30), (780, 860, 22, 120), (330, 1090, 15, 10), (446, 1010, 12, 40), (640, 700, 15, -50)):
        pass
    out += kit.credits(x=500, y=1452, size=24, fill=cream, width=800)
    kit.finish(grain=4, paper=3, wear=.15, vignette=.25)
    return out
