"""The camera has put on a cap and boots: a tripod strides over the city and what it looks at becomes a shout."""


def draw(film, kit):
    cream, ink, red, blue = "#ecdcba", "#16161a", "#d8391f", "#8fa3a3"
    out = kit.bg(cream)
    out += kit.poly([(-10, 1510), (-10, 640), (1010, 1180), (1010, 1510)], blue)

    def quad(o, q):
        """Bend lettering into the four-cornered field q (top left, top right, bottom right, bottom left)."""
        x0, y0, x1, y1 = o.box

        def f(x, y):
            u, v = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)
            return tuple((q[0][k] * (1 - u) + q[1][k] * u) * (1 - v) + (q[3][k] * (1 - u) + q[2][k] * u) * v for k in (0, 1))
        return o.warp(f, 4)

    # the beam
    lx, ly = 452, 520
    a = (1010, -120)
    out += kit.poly([(lx, ly - 20), a, (1010, 900), (lx, ly + 60)], red)
    up = lambda x, t: (x, kit.lerp(kit.lerp(ly - 20, a[1], (x - lx) / (1010 - lx)), kit.lerp(ly + 60, 900, (x - lx) / (1010 - lx)), t))
    for s, t0, t1, x0 in (("ЧЕЛОВЕК", .2, .415, 612), ("С КИНО", .45, .655, 612), ("АППАРАТОМ", .69, .9, 612)):
        out += quad(kit.outline(s, 200, "grotesk"), [up(x0, t0), up(966, t0), up(966, t1), up(x0, t1)]).svg(cream)
    # the city, small and leaning
    city = ""
    x = -60
    while x < 1080:
        w, h = kit.rng.choice((52, 66, 84, 110)), kit.rng.choice((70, 110, 150, 190, 230))
        c = kit.rng.choice((ink, ink, cream, red if kit.rng.random() < .25 else cream))
        city += kit.rect(x, 1330 - h, w, h + 300, c)
        d = cream if c == ink else ink
        for r in range(int(h / 26) - 1):
            for q in range(int(w / 19)):
                city += kit.rect(x + 9 + q * 19, 1330 - h + 16 + r * 26, 9, 13, d)
        x += w + 3
    out += kit.g(city, "rotate(7 500 1330)")
    out += kit.poly([(-10, 1268), (1010, 1392), (1010, 1510), (-10, 1510)], ink)
    # the tripod
    hip = (330, 640)
    for foot in ((92, 1266), (452, 1316), (846, 1330)):
        out += kit.poly([(hip[0] - 20, hip[1]), (hip[0] + 20, hip[1]), (foot[0] + 13, foot[1]), (foot[0] - 13, foot[1])], ink)
        out += kit.line(*(kit.lerp(h, f, .06) for h, f in zip(hip, foot)), *(kit.lerp(h, f, .86) for h, f in zip(hip, foot)), 5, cream)
        mx, my = kit.lerp(hip[0], foot[0], .55), kit.lerp(hip[1], foot[1], .55)
        out += kit.circle(mx, my, 24, ink) + kit.circle(mx, my, 8, red)
        fx, fy = foot
        out += kit.path(f"M{fx-24} {fy-62}L{fx+24} {fy-62}L{fx+26} {fy-20}C{fx+60} {fy-16} {fx+96} {fy-2} {fx+98} {fy+28}L{fx-28} {fy+28}Z", red)
        out += kit.rect(fx - 30, fy + 26, 132, 12, cream) + kit.rect(fx - 27, fy - 70, 54, 16, ink)
    # camera, cap, crank
    cam = kit.rect(150, 380, 330, 262, ink) + kit.rect(172, 402, 286, 218, "none", f'stroke="{cream}" stroke-width="4"')
    cam += kit.rect(250, 636, 130, 40, ink)
    cam += kit.circle(372, 512, 172, ink) + kit.ring(372, 512, 152, 8, cream) + kit.circle(372, 512, 128, cream)
    cam += kit.circle(372, 512, 88, ink) + kit.ring(372, 512, 64, 5, cream) + kit.circle(372, 512, 40, red) + kit.circle(392, 492, 14, cream)
    cam += kit.path("M244 512A128 128 0 0 1 500 512Q372 400 244 512Z", ink)  # the eyelid
    cam += kit.path("M112 372C112 300 180 250 300 250C420 250 486 296 488 356L560 374L560 392L112 392Z", ink)
    cam += kit.circle(300, 248, 15, ink) + kit.line(112, 366, 488, 352, 4, cream)
    cam += kit.rect(96, 486, 60, 20, ink) + kit.line(104, 496, 62, 600, 18, ink) + kit.circle(60, 606, 25, red)
    out += kit.g(cam, "rotate(-9 330 560)")
    out += kit.text("MAN WITH A", 58, 112, 62, "condensed", ink, track=.02) + kit.text("MOVIE CAMERA", 58, 176, 62, "condensed", ink, track=.02)
    out += kit.credits(x=60, y=1448, size=26, fill=cream, anchor="start", width=880, lines=[[("", "Дзига Вертов"), ("directed by", "Dziga Vertov"), ("", "VUFKU"), ("", "СССР"), ("", "1929")]])
    kit.finish(grain=4.5, paper=5, wear=.35, vignette=.1)
    return out
