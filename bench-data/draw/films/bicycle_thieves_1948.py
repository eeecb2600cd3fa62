"""The bicycle's shadow still lies on the street; the bicycle is gone. A father and his boy."""


def draw(film, kit):
    street, shade, ink, cream, blue = "#db7d55", "#4a1d2b", "#1d1418", "#f6e6c6", "#2f6f86"
    out = kit.bg(kit.linear([(0, kit.mix(street, cream, .18)), (.6, street), (1, kit.mix(street, shade, .12))]))
    # cobbles, a few only, in arcs
    d = ""
    for i in range(9):
        for j in range(5):
            x, y = 60 + i * 118 + (j % 2) * 60 + kit.rng.uniform(-16, 16), 1040 + j * 100 + kit.rng.uniform(-14, 14)
            w = kit.rng.uniform(26, 52)
            d += f"M{x:.0f} {y:.0f}q{w / 2:.0f} -12 {w:.0f} 0"
    out += kit.stroke(d, 4, kit.mix(street, shade, .22), 'stroke-linecap="round"')

    # the shadow: a bicycle in side view, wheels on y = 0, laid on the street
    def wheel(cx):
        s = kit.ring(cx, 100, 96, 13, shade)
        for i in range(11):
            a = 16.4 * i + 5
            (x1, y1), (x2, y2) = kit.polar(cx, 100, 94, a), kit.polar(cx, 100, 94, a + 180)
            s += kit.line(x1, y1, x2, y2, 2.6, shade)
        return s + kit.circle(cx, 100, 13, shade)
    L = lambda *p, w=13: "".join(kit.line(*p[i], *p[i + 1], w, shade, 'stroke-linecap="round"') for i in range(len(p) - 1))
    rear, front, bb, seat, head = (0, 100), (330, 100), (128, 92), (88, 238), (272, 250)
    bike = wheel(0) + wheel(330)
    bike += L(rear, bb, head, (268, 262)) + L(bb, (80, 268)) + L(seat, rear, w=9) + L(seat, head) + L(front, (292, 196), (262, 292), w=12)
    bike += L((262, 292), (300, 306), (334, 286), w=12) + L((262, 292), (250, 312), w=12)
    bike += kit.path("M36 276Q74 266 124 282Q126 292 112 292L50 298Q34 292 36 276Z", shade)
    bike += kit.ring(128, 92, 30, 8, shade) + L((128, 92), (152, 56), (170, 56), w=9) + L((128, 92), (104, 128), (86, 128), w=9)
    bike += L((2, 82), (128, 62), w=4) + L((2, 112), (128, 122), w=4)
    bike += kit.path("M-112 130Q-96 216 8 214L8 204Q-84 206 -102 128Z", shade) + L((-70, 196), (20, 210), (64, 214), w=6)
    # x along the ground line, y into the picture
    out += kit.g(bike, transform="matrix(1.55 .1 -1.1 -2.22 384 1072)")
    # father and son, and their own shadows, fastened to their feet

    man = ("M-24 -330C-44 -322 -52 -300 -52 -260L-58 -150L-40 -146L-40 -96L-44 0L-8 0L-2 -100L8 -100L18 0L52 0L46 -96L46 -160L58 -150L62 -262"
           "C62 -300 54 -322 30 -330L20 -346C38 -358 40 -374 38 -392L56 -394L58 -401L38 -404C36 -432 -28 -434 -32 -404L-54 -399L-52 -392L-32 -391"
           "C-32 -372 -26 -358 -14 -346Z")
    boy = ("M-18 -172C-34 -168 -38 -152 -38 -134L-46 -84L-30 -82L-28 -56L-26 0L-6 0L-2 -52L6 -52L10 0L30 0L30 -56L34 -84L46 -88L40 -136"
           "C38 -156 32 -168 18 -172L14 -180C32 -190 34 -214 24 -226C10 -242 -18 -240 -28 -224C-36 -208 -30 -188 -14 -180Z")
    pair = ((man, 806), (boy, 908))
    for p, x in pair:
        out += kit.path(p, shade, f'transform="matrix(.76 .05 .53 1.08 {x} 1396)"')
    for p, x in pair:
        out += kit.path(p, ink, f'transform="translate({x} 1400) scale(.74)"')
    out += kit.ribbon([(850, 1294), (864, 1308), (876, 1334)], [13, 12, 10], ink)
    out += kit.path("M-22 -172Q0 -160 22 -172L24 -158Q0 -146 -24 -158Z", cream, 'transform="translate(908 1400) scale(.74)"')
    # title
    out += kit.text("Bicycle", 58, 186, 172, "script-slab", cream)
    out += kit.text("Thieves", 58, 330, 172, "script-slab", cream)
    out += kit.para(["LADRI DI", "BICICLETTE", "1948"], 942, 104, 36, "condensed", shade, 1.22, "end", .12)
    out += kit.credits(x=60, y=1440, size=24, fill=cream, anchor="start", width=560,
                       lines=[[("", "Lamberto Maggiorani")], [("", "Enzo Staiola")], [("un film di", "Vittorio De Sica"), ("", "Italia")]])
    kit.finish(grain=5, paper=5, wear=.15, vignette=.15)
    return out
