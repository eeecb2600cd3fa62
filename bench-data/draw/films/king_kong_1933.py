"""Between two skyscrapers there is no sky: there is fur, fingers and one amber eye. One window is lit."""


def draw(film, kit):
    fur, wine, plum, coral, amber, cream = "#0f0b10", "#4a1a34", "#2b1026", "#ee6a45", "#f6b53c", "#ffeccb"
    out = kit.bg(kit.linear([(0, coral), (1, "#b23a45")], y1=900))
    # the beast
    out += kit.path("M60 1500L70 420C90 220 190 70 330 10C430 -30 580 -30 680 20C810 80 920 220 940 420L960 1500Z", fur)
    tufts = ""
    for i in range(60):  # ragged crown
        a = -178 + i * 3
        x, y = 500 + 432 * kit.polar(0, 0, 1, a)[0], 420 + 420 * kit.polar(0, 0, 1, a)[1]
        tufts += kit.ribbon([(x, y + 40), (x + (x - 500) * .05, y - 30 - kit.rng.random() * 26)], [44, 0], fur)
    ex, ey = 492, 470
    for i in range(230):
        x, y = kit.rng.uniform(250, 720), kit.rng.uniform(30, 1100)
        dx, dy = (x - ex), (y - ey)
        d = (dx * dx + dy * dy) ** .5
        if d < 225:
            continue
        k = kit.rng.uniform(44, 84) / d
        tufts += kit.ribbon([(x, y), (x + dx * k * .5 + 5, y + dy * k * .5 + 4), (x + dx * k, y + dy * k + 14)], [0, 7, 0], wine if kit.rng.random() < .8 else "#7a2a3c")
    out += tufts
    out += kit.path(f"M{ex-172} {ey+18}C{ex-100} {ey-112} {ex+84} {ey-132} {ex+184} {ey-16}C{ex+104} {ey+108} {ex-84} {ey+124} {ex-172} {ey+18}Z", amber)
    out += kit.circle(ex + 12, ey - 8, 88, "#c9611f") + kit.circle(ex + 12, ey - 8, 52, fur)
    out += kit.circle(ex + 60, ey - 44, 13, cream)
    out += kit.path(f"M{ex-230} {ey-10}C{ex-140} {ey-170} {ex+90} {ey-190} {ex+230} {ey-90}L{ex+190} {ey+2}C{ex+104} {ey-84} {ex-70} {ey-84} {ex-172} {ey+20}Z", fur)
    out += kit.ribbon([(ex - 200, ey - 70), (ex - 60, ey - 150), (ex + 90, ey - 160), (ex + 220, ey - 100)], [0, 13, 15, 0], coral)
    for k in (0, 1, 2):
        out += kit.ribbon([(ex - 150 + k * 18, ey + 76 + k * 30), (ex, ey + 140 + k * 32), (ex + 150 - k * 16, ey + 64 + k * 30)], [0, 9, 0], coral if k == 0 else wine)

    # towers
    def tower(edges, side, lit=None):
        s = ""
        for k, (x, top) in enumerate(edges):
            x0, x1 = (-5, x) if side < 0 else (x, 1005)
            c = (plum, kit.mix(plum, wine, .5), wine)[k]
            s += kit.rect(x0, top, x1 - x0, 1510 - top, c)
            e = x1 - 8 if side < 0 else x0
            s += kit.rect(e, top, 8, 1510 - top, coral if k == len(edges) - 1 else kit.mix(coral, wine, .5)) + kit.rect(x0, top, x1 - x0, 8, kit.mix(coral, wine, .3))
        return s
    out += tower([(176, -5)], -1)
    out += tower([(318, 250)], -1)
    out += tower([(846, 60)], 1)
    out += tower([(690, 400)], 1)

    def windows(xs, y0, y1, w, h, step, skip=()):
        s = ""
        for i, x in enumerate(xs):
            y = y0
            while y + h < y1:
                if (i, int((y - y0) / step)) not in skip:
                    s += kit.rect(x, y, w, h, kit.mix(coral, plum, .72 if kit.rng.random() < .8 else .35))
                y += step
        return s
    out += windows((26, 74, 122), 40, 250, 26, 48, 76) + windows((26, 84, 142, 200, 258), 300, 1110, 30, 52, 84)
    out += windows((872, 918, 964), 100, 390, 24, 48, 76) + windows((722, 780, 838, 896, 954), 446, 1110, 30, 52, 84, skip={(1, 2), (1, 3), (2, 2), (2, 3)})
    out += kit.g(kit.circle(806, 674, 170, kit.radial([(0, amber, .6), (1, amber, 0)], 806, 674, 170))
                 + kit.rect(762, 614, 88, 136, cream) + kit.rect(762, 750, 88, 8, coral)
                 + kit.path("M800 660a10 10.5 0 1 1 .1 0ZM790 664L810 664L836 630L842 634L816 682L813 700L824 748L778 748L788 700L784 682L760 640L766 636Z", plum), "translate(18 0)")
    # the hand round the corner
    for i in range(4):
        y, tip = 790 + i * 74, (176, 138, 150, 196)[i]
        out += kit.ribbon([(500, y - 40), (390, y - 34), (290, y - 6), (tip + 20, y + 22)], [96, 86, 78, 58], fur)
        out += kit.circle(tip + 22, y + 21, 29, fur)
        out += kit.ribbon([(410, y - 74), (330, y - 54), (250, y - 22), (tip + 26, y - 6)], [0, 5, 6, 0], coral)
        out += kit.path(f"M{tip-8} {y+22}C{tip-6} {y+4} {tip+20} {y} {tip+34} {y+10}C{tip+38} {y+20} {tip+36} {y+30} {tip+30} {y+38}C{tip+14} {y+42} {tip-6} {y+38} {tip-8} {y+22}Z", wine)
    out += kit.rect(-5, 1118, 1010, 400, fur)
    out += kit.text_fit("KING", 58, 1160, 426, 196, "condensed", coral) + kit.text_fit("KONG", 516, 1160, 426, 196, "condensed", coral)
    out += kit.credits(y=1452, size=23, fill=amber, width=884)
    kit.finish(grain=4, paper=3, wear=.3, vignette=.2)
    return out
