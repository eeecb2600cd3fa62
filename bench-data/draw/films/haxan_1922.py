"""The broom is the stake: she is tied to the handle, and the twigs are already burning."""


def draw(film, kit):
    bone, ink, red, gold = "#e9dcbf", "#191310", "#c4301c", "#e8932c"
    out = kit.bg(bone)
    cx = 500
    # cut sky, heavier towards the edges
    sky = kit.hatch(-5, 460, 1010, 1050, ink, pitch=15, angle=90, weight=lambda x, y: max(0, min(1, (abs(x - cx) - 330 + (y - 900) * .12) / 260)) * max(0, min(1, (y - 500) / 330)), length=260)
    out += kit.clip(kit.d_poly([(-5, 430), (1005, 430), (1005, 1510), (-5, 1510)]), sky)
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

    for x, top, w, l in ((20, 1260, 90, -10), (980, 1250, 90, 10), (150, 1120, 90, -30), (258, 990, 110, -40), (392, 930, 100, -30), (612, 920, 104, 34), (740, 1000, 112, 40), (850, 1110, 90, 30), (500, 1010, 120, 0)):
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
    # her: a white shift, roped to the handle, the hair falls over the face
    white = "#f8f1de"
    for s in (-1, 1):  # arms, tied behind
        out += kit.path(kit.d_poly(kit.ribbon_pts([(cx + s * 58, 516), (cx + s * 92, 590), (cx + s * 84, 664), (cx + s * 20, 700)], [44, 42, 36, 24])), white, f'stroke="{ink}" stroke-width="9" stroke-linejoin="round"')
    out += kit.path("M464 480C424 494 418 540 436 600C444 640 440 690 424 752L396 880C450 902 550 902 604 880L576 752C560 690 556 640 564 600C582 540 576 494 536 480Z", white, f'stroke="{ink}" stroke-width="9" stroke-linejoin="round"')
    for x0, y0, x1 in ((452, 700, 424), (476, 660, 462), (502, 690, 500), (526, 660, 540), (548, 700, 578), (488, 760, 482), (514, 770, 520)):
        out += kit.ribbon([(x0, y0), ((x0 + x1) / 2, 780), (x1, 880)], [0, 7, 9], ink)
    for y in (560, 586, 612, 716, 740):
        w = 80 if y < 650 else 90
        out += kit.path(f"M{cx - w} {y - 6}Q{cx} {y + 20} {cx + w} {y - 6}L{cx + w} {y + 8}Q{cx} {y + 36} {cx - w} {y + 8}Z", ink)
    out += kit.rect(cx - 24, 380, 48, 40, ink)
    out += kit.smooth([(456, 452), (462, 396), (500, 374), (540, 398), (546, 452), (524, 506), (478, 506)], ink)
    out += kit.ribbon([(484, 420), (448, 470), (450, 550), (428, 640), (440, 690)], [50, 46, 38, 20, 0], ink) + kit.ribbon([(512, 420), (552, 470), (546, 530), (568, 610), (554, 650)], [50, 46, 34, 18, 0], ink)
    out += kit.ribbon([(500, 400), (492, 480), (502, 560), (488, 600)], [70, 84, 40, 0], ink)
    for x0, x1 in ((474, 452), (492, 482), (508, 512), (528, 548)):
        out += kit.ribbon([(500 + (x0 - 500) * .5, 396), (x0, 446), (x1, 530)], [0, 4, 0], white)
    for y in (868, 890, 912):
        out += kit.path(f"M{cx - 60 - (y - 868) * .4} {y}Q{cx} {y + 20} {cx + 60 + (y - 868) * .4} {y}L{cx + 66 + (y - 868) * .4} {y + 15}Q{cx} {y + 36} {cx - 66 - (y - 868) * .4} {y + 15}Z", red)
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
    out += "".join(kit.path(f"M{x} 96C{x - 24} 96 {x - 26} 70 {x - 12} 52C{x - 8} 62 {x - 2} 62 {x} 54C{x + 2} 42 {x - 2} 32 {x + 8} 18C{x + 12} 42 {x + 28} 54 {x + 24} 76C{x + 22} 88 {x + 14} 96 {x} 96Z", red) for x in (276, 342))
    out += kit.text("EN FILM AV", 58, 378, 22, "condensed-mid", ink, track=.2) + kit.text("BENJAMIN CHRISTENSEN", 58, 412, 30, "condensed-mid", ink, track=.1)
    out += kit.text("SVENSK FILMINDUSTRI", 942, 378, 22, "condensed-mid", ink, "end", track=.2) + kit.text("SVERIGE 1922", 942, 412, 30, "condensed-mid", ink, "end", track=.1)
    kit.finish(grain=5, paper=5, wear=.4, vignette=.2)
    return out
