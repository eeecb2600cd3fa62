"""일 – Sunday, as red as in the calendar – is all the room the two have: they sit in its last letter."""


def draw(film, kit):
    dust, red, ink, pale = "#d8cdb8", "#cf2f22", "#1c1a19", "#efe6d2"
    out = kit.bg(kit.linear([(0, "#e2d8c4"), (1, "#c9bca4")]))
    # the letter: sun, post, and a stair of three bars
    cx, cy = 372, 366
    out += kit.circle(cx, cy, 306, red)
    out += kit.circle(cx, cy, 150, "#ded4bf")
    out += kit.outline("휴", 200, "ko-black").fit(cx - 74, cy - 78, 148, 156).svg(ink)
    out += kit.cut([(762, 60), (934, 60), (934, 694), (762, 694)], red, amt=2)
    l = [(66, 742), (934, 742), (934, 1010), (226, 1010), (226, 1252), (934, 1252), (934, 1364), (66, 1364), (66, 914), (774, 914), (774, 838), (66, 838)]
    out += kit.cut(l, red, amt=2)
    # the two of them
    base = 1252
    out += kit.g(MAN(kit, ink), transform=f"translate(398 {base})")
    out += kit.g(WOMAN(kit, ink, pale), transform=f"translate(800 {base})")
    # wind: leaves
    for x, y, a, r in ((560, 1186, 20, 10), (620, 1232, -30, 8), (886, 1120, 60, 9), (300, 1100, 10, 8), (660, 1070, -50, 9)):
        out += kit.g(kit.path(f"M{-r * 1.6} 0Q0 {-r} {r * 1.6} 0Q0 {r} {-r * 1.6} 0Z", ink), transform=f"translate({x} {y}) rotate({a})")
    out += kit.text("A DAY OFF", 66, 1438, 44, "helv", ink, track=.02)
    out += kit.text("1968", 934, 1438, 44, "helv", red, "end", track=.02)
    out += kit.credits(x=66, y=1470, size=20, fill=ink, anchor="start", lang="ko", lines=[[("감독", "이만희"), ("출연", "신성일"), ("", "전지연")]])
    kit.finish(grain=5, paper=5, wear=.25, vignette=.15)
    return out


def MAN(kit, ink):
    """Seated on the ground, knees up, bent forward."""
    return (kit.path("M-50 0C-60 -44 -56 -96 -30 -120C-16 -132 8 -130 18 -118C28 -106 32 -94 34 -84L66 -98C82 -104 92 -96 94 -82L106 -10L118 0Z", ink)
            + kit.stroke("M4 -88C14 -60 30 -50 52 -58L78 -72", 4, "#d8cdb8", 'stroke-linecap="round"')
            + kit.poly([(-16, -118), (-6, -150), (16, -146), (18, -112)], ink)
            + kit.smooth([(-12, -146), (-10, -172), (8, -184), (28, -178), (34, -158), (28, -138), (10, -132)], ink))


def WOMAN(kit, ink, pale):
    return (kit.path("M44 0C50 -40 48 -92 24 -112C12 -120 -8 -120 -18 -110C-30 -98 -34 -74 -32 -58L-72 -66C-82 -66 -88 -58 -90 -46L-112 -6V0H-66L-62 -22L-58 0Z", ink)
            + kit.path("M30 -110C40 -130 34 -178 2 -180C-26 -180 -34 -156 -28 -138C-24 -126 -16 -122 -10 -118Z", ink)
            + kit.path("M-30 -126C-10 -108 20 -110 36 -124L40 -102C18 -86 -14 -88 -34 -104Z", pale))
