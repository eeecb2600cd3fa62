"""Between two skyscrapers there is no sky: there is fur, fingers and one amber eye. One window is lit."""


def draw(film, kit):
    fur, wine, plum, coral, amber, cream = "#0f0b10", "#4a1a34", "#2b1026", "#ee6a45", "#f6b53c", "#ffeccb"
    out = kit.bg(kit.linear([(0, coral), (1, "#b23a45")], y1=900))
    # the beast
    out += kit.path("M250 1500L250 300C280 190 350 120 420 96C470 80 540 80 590 98C660 122 720 200 750 310L750 1500Z", fur)
    tufts = ""
    for i in range(150):
        x, y = kit.rng.uniform(290, 710), kit.rng.uniform(130, 1080)
        dx, dy = (x - 500) * .12, 34 + kit.rng.random() * 46
        if abs(y - 470) < 150 and y < 600:
            continue
        tufts += kit.ribbon([(x, y), (x + dx * .6, y + dy * .5), (x + dx * 1.4, y + dy)], [0, 6, 0], wine)
    for i in range(44):  # ragged crown
        a = -170 + i * 3.7
        x, y = 500 + 250 * kit.polar(0, 0, 1, a)[0], 330 + 245 * kit.polar(0, 0, 1, a)[1]
        tufts += kit.ribbon([(x, y + 34), (x + (x - 500) * .05, y - 26 - kit.rng.random() * 18)], [30, 0], fur)
    out += tufts
    ex, ey = 500, 486
    out += kit.path(f"M{ex-150} {ey+14}C{ex-90} {ey-96} {ex+70} {ey-116} {ex+156} {ey-14}C{ex+90} {ey+92} {ex-70} {ey+106} {ex-150} {ey+14}Z", amber)
    out += kit.circle(ex + 10, ey - 8, 74, "#c9611f") + kit.circle(ex + 10, ey - 8, 40, fur)
    out += kit.path(f"M{ex-180} {ey-20}C{ex-120} {ey-130} {ex+80} {ey-150} {ex+190} {ey-60}L{ex+160} {ey-4}C{ex+90} {ey-78} {ex-60} {ey-76} {ex-150} {ey+16}Z", fur)
    for k in (1, 2, 3):
        out += kit.ribbon([(ex - 140 + k * 14, ey + 56 + k * 26), (ex, ey + 112 + k * 26), (ex + 140 - k * 12, ey + 46 + k * 26)], [0, 8, 0], wine)
    out += kit.ribbon([(ex - 170, ey - 92), (ex + 10, ey - 166), (ex + 180, ey - 116)], [0, 10, 0], wine)
    # the woman in the pupil
    out += kit.path(f"M{ex+10} {ey-32}a5.5 5.5 0 1 1 -.1 0ZM{ex+4} {ey-19}L{ex+16} {ey-19}L{ex+15} {ey-4}L{ex+22} {ey+20}L{ex-2} {ey+20}L{ex+5} {ey-4}Z", cream)

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
    out += tower([(196, -5)], -1)
    out += tower([(350, 250)], -1)
    out += tower([(806, 60)], 1)
    out += tower([(664, 400)], 1)

    def windows(xs, y0, y1, w, h, step, skip=()):
        s = ""
        for i, x in enumerate(xs):
            y = y0
            while y + h < y1:
                if (i, int((y - y0) / step)) not in skip:
                    s += kit.rect(x, y, w, h, kit.mix(coral, plum, .72 if kit.rng.random() < .8 else .35))
                y += step
        return s
    out += windows((28, 78, 128), 40, 250, 26, 48, 76) + windows((28, 84, 140, 196, 252), 300, 1110, 30, 52, 84)
    out += windows((846, 896, 946), 100, 390, 26, 48, 76) + windows((706, 762, 818, 874, 930), 446, 1110, 30, 52, 84, skip={(1, 2), (1, 3), (2, 2), (2, 3)})
    out += kit.circle(806, 674, 170, kit.radial([(0, amber, .6), (1, amber, 0)], 806, 674, 170))
    out += kit.rect(762, 614, 88, 136, cream) + kit.rect(762, 750, 88, 8, coral)
    out += kit.path("M800 660a10 10.5 0 1 1 .1 0ZM790 664L810 664L836 630L842 634L816 682L813 700L824 748L778 748L788 700L784 682L760 640L766 636Z", plum)
    # the hand round the corner
    for i in range(4):
        y = 806 + i * 66
        out += kit.ribbon([(470, y - 30), (380, y - 26), (300, y), (232 + (i == 3) * 26 + (i == 0) * 12, y + 22)], [84, 76, 68, 50], fur)
        out += kit.ribbon([(362, y - 50), (300, y - 30), (262, y - 14)], [0, 7, 0], wine)
        out += kit.smooth([(226 + (i == 3) * 26 + (i == 0) * 12 + dx, y + 20 + dy) for dx, dy in ((-16, 4), (-4, -14), (18, -12), (22, 6), (4, 16))], wine)
    out += kit.rect(-5, 1118, 1010, 400, fur)
    out += kit.text_fit("KING", 58, 1160, 426, 196, "condensed", coral) + kit.text_fit("KONG", 516, 1160, 426, 196, "condensed", coral)
    out += kit.credits(y=1452, size=23, fill=amber, width=884)
    kit.finish(grain=4, paper=3, wear=.3, vignette=.2)
    return out
