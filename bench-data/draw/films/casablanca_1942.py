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
        side = kit.mix(ink, night, .55)
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
    # the plane, from behind
    plane = kit.path("M-210 -20C-214 -26 -206 -30 -198 -28L-24 -6L24 -6L198 -28C206 -30 214 -26 210 -20L30 14L-30 14Z", ink)
    for sg in (-1, 1):
        plane += kit.circle(sg * 78, -4, 20, ink) + kit.ring(sg * 78, -4, 36, 1.6, ink) + kit.path(f"M{sg*64} -58C{sg*70} -74 {sg*80} -74 {sg*84} -58L{sg*82} -28L{sg*66} -28Z", ink)
        plane += kit.circle(sg * 206, -25, 4, amber)
    plane += kit.rect(-74, -48, 148, 9, ink) + kit.path("M-30 2C-30 -40 30 -40 30 2C30 40 -30 40 -30 2Z", ink) + kit.path("M-9 -44L9 -44L14 -20L-14 -20Z", ink)
    out += kit.g(plane, "translate(560 404) rotate(-9) scale(.82)")
    out += kit.text_fit("CASABLANCA", 58, 66, 884, 150, "avant", ivory)
    out += kit.credits(y=1456, size=22, fill=fog, width=884)
    kit.finish(grain=4.5, paper=4, wear=.2, vignette=.2)
    return out
