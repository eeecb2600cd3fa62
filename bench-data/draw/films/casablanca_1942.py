"""The keyboard is the runway: the last plane has left it and climbs into the fog."""


def draw(film, kit):
    night, fog, ivory, ink, amber = "#27454d", "#e3d3ac", "#f3ead2", "#14181b", "#d9662b"
    out = kit.bg(kit.linear([(0, night), (.26, "#5d7f7c"), (.5, fog), (1, fog)]))
    hor, near, vx, K = 610, 1300, 640, 9.0

    def P(u, v, z=0):
        s = 1 / (1 + K * v)
        return vx + (u - vx) * s, hor + (near - hor - z) * s
    # a lamp behind the fog
    out += kit.circle(vx, hor, 420, kit.radial([(0, "#fff6da", .95), (.35, "#fbe3ae", .55), (1, "#e3d3ac", 0)], vx, hor, 420))
    # white keys
    w, x0 = 200, -3040
    n_ = 36
    end = 6
    out += kit.poly([P(x0, 0), P(x0 + n_ * w, 0), P(x0 + n_ * w, end), P(x0, end)], ivory)
    for i in range(n_ + 1):
        a, b = P(x0 + i * w - 3.5, 0), P(x0 + i * w + 3.5, 0)
        c, d = P(x0 + i * w + 3.5, end), P(x0 + i * w - 3.5, end)
        out += kit.poly([a, b, c, d], ink)
    # black keys
    for i in range(n_):
        if (i + 5) % 7 in (2, 6):
            continue
        u = x0 + (i + 1) * w
        u0, u1, v0, z = u - 58, u + 58, .11, 74
        side = kit.mix(ink, night, .8)
        out += kit.poly([P(u0, v0), P(u1, v0), P(u1, end), P(u0, end)], ink)
        out += kit.poly([P(u0, v0), P(u1, v0), P(u1 - 12, v0 + .015, z), P(u0 + 12, v0 + .015, z)], side)
        out += kit.poly([P(u0 + 12, v0 + .015, z), P(u1 - 12, v0 + .015, z), P(u1 - 12, end, z), P(u0 + 12, end, z)], ink)
        out += kit.poly([P(u0 + 24, v0 + .03, z), P(u0 + 34, v0 + .03, z), P(u0 + 34, end, z), P(u0 + 24, end, z)], kit.mix(ink, fog, .3))
    # fronts of the keys
    out += kit.rect(-5, near, 1010, 215, "#cdbf9b")
    for i in range(n_ + 1):
        x = x0 + i * w
        out += kit.rect(x - 3.5, near, 7, 215, ink)
    out += kit.rect(-5, near, 1010, 5, "#fffaf0")
    out += kit.rect(-5, 1376, 1010, 140, ink)
    # fog over the far end
    out += kit.rect(-5, hor - 130, 1010, 320, kit.linear([(0, "#f2e2b8", 0), (.42, "#f2e2b8", 1), (.55, "#f2e2b8", .8), (1, "#f2e2b8", 0)], y1=hor - 130, y2=hor + 190))
    # the plane
    plane = ("M-150 10C-140 -6 -100 -14 -40 -16L90 -20L120 -64L140 -64L134 -16C138 -8 132 2 110 6L20 22C-60 30 -140 30 -150 10Z"
             "M-40 8L60 34L74 30L20 2ZM-66 16C-80 16 -84 34 -66 36L-20 34L-16 22ZM96 -10L150 -2L154 -10L120 -20Z")
    out += kit.g(kit.path(plane, ink) + "".join(kit.rect(-90 + i * 24, -8, 12, 8, fog) for i in range(6)) + kit.line(-80, 4, -86, 46, 4, ink), "translate(330 420) rotate(12) scale(1.05)")
    out += kit.text_fit("CASABLANCA", 58, 66, 884, 150, "retro", ivory)
    out += kit.credits(y=1456, size=22, fill=fog, width=884)
    kit.finish(grain=4.5, paper=4, wear=.2, vignette=.2)
    return out
