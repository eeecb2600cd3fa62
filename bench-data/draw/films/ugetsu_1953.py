"""The moon over the lake is reflected as a potter's jar; a boat crosses the reflection."""
import math


def draw(film, kit):
    night, lake, moon, mist, clay = "#16222e", "#22384a", "#e9e2c8", "#5c7484", "#c5793f"
    out = kit.bg(kit.linear([(0, night), (.36, "#2b4254"), (.45, "#4b6576"), (.4501, lake), (1, "#0f1923")]))
    hz = 675
    cx = 470
    out += kit.circle(cx, 318, 330, kit.radial([(0, moon, .38), (.45, moon, .16), (1, moon, 0)], cx, 318, 330))
    out += kit.circle(cx, 318, 172, moon)
    # far shore and mist
    out += kit.smooth([(-60, hz + 4), (-40, 590), (90, 560), (210, 600), (330, 590), (470, 640), (640, 664), (700, hz + 4)], "#1f303d")
    out += kit.smooth([(560, hz + 4), (700, 640), (820, 590), (930, 604), (1060, 560), (1080, hz + 4)], "#2a3f4e")
    for x, y, w, t in ((-80, 628, 620, 30), (380, 655, 700, 26), (150, 590, 330, 16), (640, 600, 420, 18), (250, 330, 400, 13), (420, 380, 330, 10)):
        out += kit.ribbon([(x, y), (x + w * .3, y - t * .25), (x + w * .7, y + t * .2), (x + w, y)], [0, t, t * .8, 0], "#8ea2aa", 'opacity=".62"')
    # the jar, in ripples
    prof = [(0, 72), (26, 84), (44, 66), (92, 62), (130, 110), (200, 206), (290, 252), (390, 236), (490, 176), (570, 124), (600, 116), (618, 130)]
    jar = [(cx + w, 712 + y) for y, w in prof] + [(cx - w, 712 + y) for y, w in prof[::-1]]
    strips = ""
    y, i = 706, 0
    while y < 1340:
        h = 15 + (y - 700) * .012
        gap = 4 + (y - 700) * .011
        off = kit.rng.uniform(-1, 1) * (5 + (y - 700) * .012)
        # width of the jar at this line
        yy = y + h / 2 - 712
        w = 0
        for (a, b), (c, e) in zip(prof, prof[1:]):
            if a <= yy <= c:
                w = b + (e - b) * (yy - a) / (c - a)
        if w:
            col = kit.mix(moon, clay, max(0, min(1, (yy - 40) / 520)) ** 1.1 * .8)
            x0, x1 = cx - w + off, cx + w + off
            strips += kit.ribbon([(x0 - 10, y + h / 2), (x0 + 14, y + h / 2 - 1), (cx + off, y + h / 2 + 1.5), (x1 - 14, y + h / 2), (x1 + 10, y + h / 2)], [0, h, h * 1.04, h, 0], col)
        y += h + gap
    out += strips
    for _ in range(26):  # other ripples
        y = 700 + 760 * kit.rng.random() ** 1.3
        x, w = kit.rng.uniform(-80, 980), 60 + (y - 690) * .3
        if abs(x + w / 2 - cx) > 290 or y > 1350:
            out += kit.ribbon([(x, y), (x + w / 2, y + 1), (x + w, y)], [0, 2 + (y - 690) * .005, 0], mist, 'opacity=".6"')
    # the boat crosses at the jar's shoulder
    bx, by = 470, 880
    boat = "#0b1219"
    out += kit.path(f"M{bx - 250} {by - 44}C{bx - 190} {by - 8} {bx - 90} {by - 2} {bx} {by}C{bx + 110} {by} {bx + 220} {by - 16} {bx + 300} {by - 56}"
                    f"C{bx + 270} {by + 6} {bx + 190} {by + 36} {bx + 100} {by + 38}H{bx - 120}C{bx - 190} {by + 34} {bx - 236} {by - 4} {bx - 250} {by - 44}Z", boat)
    # a standing ferrywoman with her pole; others crouch
    out += kit.path(f"M{bx + 186} {by}C{bx + 176} {by - 60} {bx + 180} {by - 104} {bx + 198} {by - 126}C{bx + 190} {by - 140} {bx + 192} {by - 160} {bx + 208} {by - 162}"
                    f"C{bx + 226} {by - 162} {bx + 230} {by - 142} {bx + 222} {by - 128}C{bx + 240} {by - 104} {bx + 244} {by - 60} {bx + 242} {by}Z", boat)
    out += kit.poly([(bx + 170, by - 154), (bx + 208, by - 182), (bx + 248, by - 154), (bx + 208, by - 148)], boat)
    out += kit.line(bx + 150, by - 250, bx + 330, by + 120, 7, boat) + kit.ribbon([(bx + 226, by - 112), (bx + 252, by - 90), (bx + 236, by - 72)], [18, 16, 12], boat)
    for x, s in ((-120, 1), (-28, -1), (60, 1)):
        out += kit.path("M-44 6C-46 -34 -34 -56 -12 -64C-20 -84 -6 -98 8 -94C22 -90 24 -72 16 -64C36 -52 44 -30 46 6Z", boat,
                        f'transform="translate({bx + x} {by}) scale({s} 1)"')
    # title
    out += kit.vtext("雨月物語", 866, 96, 132, "ja-brush", moon, track=.02)
    out += kit.text("UGETSU", 66, 126, 44, "serif", moon, track=.34)
    out += kit.text("1953", 66, 166, 28, "serif-italic", "#a9b6b8", track=.1)
    out += kit.credits(x=66, y=1450, size=22, fill="#a9b6b8", width=870, anchor="start", lang="ja")
    kit.finish(grain=4.5, paper=4, wear=.1, vignette=.3)
    return out
