"""The broom is the stake: she is tied to the handle, and the twigs are already burning."""


def draw(film, kit):
    bone, ink, red, gold = "#e9dcbf", "#191310", "#c4301c", "#e8932c"
    out = kit.bg(bone)
    cx = 500
    # cut sky, heavier towards the edges
    sky = kit.hatch(-5, 330, 1010, 1180, ink, pitch=15, angle=90, weight=lambda x, y: max(0, min(1, (abs(x - cx) - 330 + (y - 900) * .12) / 260)), length=260)
    out += kit.clip(kit.d_poly([(-5, 330), (1005, 330), (1005, 1510), (-5, 1510)]), sky)
    # smoke behind: two dark wings
    # bristles
    def twigs(n, fill, w, spread, bottom):
        s = ""
        for i in range(n):
            t = (i + .5) / n * 2 - 1
            t += kit.rng.uniform(-.03, .03)
            y1 = bottom - abs(t) ** 1.5 * 190 + kit.rng.uniform(-70, 30)
            pts = [(cx + t * 54, 872), (cx + t * 92, 940), (cx + t * spread * .62 + kit.rng.uniform(-12, 12), 1110), (cx + t * spread + kit.rng.uniform(-22, 22), y1)]
            s += kit.ribbon(pts, [w, w * 1.1, w, w * .15], fill)
        return s

    def flame(x, base, top, w, c, lean=0):
        return kit.path(f"M{x - w} {base}C{x - w * 1.15} {base - (base - top) * .42} {x - w * .2 + lean * .3} {top + (base - top) * .42} {x - w * .34 + lean * .6} {top + (base - top) * .16}"
                        f"C{x + w * .1 + lean * .8} {top + (base - top) * .2} {x + w * .12 + lean} {top + (base - top) * .1} {x + lean} {top}"
                        f"C{x + w * .62 + lean} {top + (base - top) * .26} {x + w * .4 + lean * .5} {top + (base - top) * .42} {x + w * .62} {top + (base - top) * .36}"
                        f"C{x + w * 1.1} {top + (base - top) * .66} {x + w * 1.1} {base - (base - top) * .2} {x + w} {base}Z", c)

    for x, top, w, l in ((150, 1120, 90, -30), (258, 990, 110, -40), (392, 930, 100, -30), (612, 920, 104, 34), (740, 1000, 112, 40), (850, 1110, 90, 30), (500, 1010, 120, 0)):
        out += flame(x, 1520, top, w, red, l)
    out += twigs(40, ink, 22, 400, 1470)
    for x, top, w, l in ((200, 1290, 70, -10), (330, 1180, 84, -24), (470, 1240, 80, 10), (590, 1150, 84, 10), (708, 1230, 80, 20), (810, 1300, 66, 10)):
        out += flame(x, 1530, top, w, red, l)
    out += twigs(15, ink, 13, 350, 1440)
    for x, top, w, l in ((270, 1350, 44, 0), (400, 1310, 54, -8), (536, 1330, 58, 8), (650, 1300, 52, 10), (756, 1370, 40, 4)):
        out += flame(x, 1540, top, w, gold, l)
    # handle
    out += kit.poly(kit.cut_pts([(cx - 21, -10), (cx + 19, -10), (cx + 24, 890), (cx - 24, 890)], 3, 90), ink)
    out += kit.ribbon([(cx + 8, 40), (cx + 10, 300), (cx + 11, 500)], [0, 5, 0], bone)
    # her
    out += kit.path("M478 486C430 500 420 560 428 620C430 700 414 790 392 872C440 900 560 900 608 872C586 790 570 700 572 620C580 560 570 500 522 486Z", ink)
    fold = "".join(kit.ribbon([(x0, 640), ((x0 + x1) / 2, 740), (x1, 868)], [0, 6, 3], bone) for x0, x1 in ((452, 426), (474, 462), (500, 500), (526, 540), (548, 576)))
    out += fold
    out += kit.ribbon([(438, 520), (410, 590), (430, 660), (470, 690)], [26, 30, 26, 14], ink) + kit.ribbon([(562, 520), (590, 590), (570, 660), (530, 690)], [26, 30, 26, 14], ink)
    for y in (556, 584, 612, 706, 734):  # rope
        out += kit.path(f"M{418 if y < 650 else 420} {y}Q500 {y + 22} {582 if y < 650 else 580} {y}L{582 if y < 650 else 580} {y + 11}Q500 {y + 33} {418 if y < 650 else 420} {y + 11}Z", bone)
    # head bowed, hair falling
    out += kit.smooth([(458, 420), (474, 376), (512, 366), (544, 392), (552, 440), (528, 492), (490, 500), (462, 472)], ink)
    out += kit.ribbon([(520, 380), (566, 430), (560, 520), (582, 590), (560, 650)], [40, 50, 44, 30, 2], ink) + kit.ribbon([(480, 384), (444, 440), (452, 520), (436, 580)], [34, 40, 30, 0], ink)
    out += kit.smooth([(470, 440), (480, 420), (506, 424), (518, 452), (508, 486), (488, 494), (472, 474)], bone)
    for y in (842, 866, 890):
        out += kit.path(f"M{cx - 60 - (y - 842) * .2} {y}Q{cx} {y + 20} {cx + 60 + (y - 842) * .2} {y}L{cx + 62 + (y - 842) * .2} {y + 15}Q{cx} {y + 36} {cx - 62 - (y - 842) * .2} {y + 15}Z", red)
    # title, the handle goes through the X
    y, h = 104, 200
    H = kit.outline("H", 200, "gothic-antique").fit(58, y, 150, h)
    A = kit.outline("A", 200, "gothic-antique").fit(226, y, 168, h)
    X = kit.outline("X", 200, "gothic-antique").fit(412, y, 176, h)
    A2 = kit.outline("A", 200, "gothic-antique").fit(606, y, 168, h)
    N = kit.outline("N", 200, "gothic-antique").fit(790, y, 152, h)
    for o in (H, A, A2, N):
        out += o.svg(ink)
    out += kit.g(X.svg(bone, f'stroke="{bone}" stroke-width="16"') + X.svg(red))
    out += flame(278, 92, 20, 18, red, 6) + flame(342, 92, 20, 18, red, 6)
    out += kit.text("EN FILM AV", 58, 378, 22, "condensed-mid", ink, track=.2) + kit.text("BENJAMIN CHRISTENSEN", 58, 412, 30, "condensed-mid", ink, track=.1)
    out += kit.text("SVENSK FILMINDUSTRI", 942, 378, 22, "condensed-mid", ink, "end", track=.2) + kit.text("SVERIGE 1922", 942, 412, 30, "condensed-mid", ink, "end", track=.1)
    kit.finish(grain=5, paper=5, wear=.4, vignette=.2)
    return out
