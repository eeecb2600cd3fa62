"""The title is the skyscraper: six storeys of letters, and a man hanging by his hands from the F."""


def draw(film, kit):
    sky, cream, ink, red, blue = "#7fc0c9", "#f7ecd0", "#1d2330", "#d8432b", "#5aa3b2"
    out = kit.bg(sky)
    for x, y, s in ((120, 250, 1.0), (880, 560, 1.25), (70, 700, .8)):  # flat clouds
        out += kit.path(f"M{x - 110 * s} {y}a{40 * s} {40 * s} 0 0 1 {50 * s} {-44 * s}a{58 * s} {58 * s} 0 0 1 {104 * s} {-6 * s}a{40 * s} {40 * s} 0 0 1 {56 * s} {50 * s}Z", cream, 'opacity=".55"')
    top, foot = 66, 1248
    hw = lambda y: kit.lerp(150, 400, (y - top) / (foot - top))
    quad = lambda y0, y1, k=1.0, dx=0: [(500 - hw(y0) * k + dx, y0), (500 + hw(y0) * k + dx, y0), (500 + hw(y1) * k + dx, y1), (500 - hw(y1) * k + dx, y1)]
    # the tower, its shaded side
    out += kit.poly([(500 + hw(top), top), (500 + hw(top) + 54, top + 26), (500 + hw(foot) + 150, foot), (500 + hw(foot), foot)], blue)
    out += kit.poly(quad(top, foot), cream)
    out += kit.rect(494, -5, 10, 80, ink) + kit.poly([(504, 4), (590, 18), (504, 40)], red)
    out += kit.poly([(332, 60), (668, 60), (676, 76), (324, 76)], ink)
    # six storeys
    hs = [1.17 ** i for i in range(6)]
    k = (foot - top - 26 - 6 * 14) / sum(hs)
    y, boxes = top + 26, {}
    for ch, h in zip("SAFETY", hs):
        h *= k
        o = kit.outline(ch, 200, "grotesk").fit(-100, y, 200, h)
        at = lambda x, yy: (500 + x / 100 * (hw(yy) - 22), yy)
        out += o.warp(at, 4).svg(ink)
        if kit.lettering == "none":  # a tower without a title has windows, and a ledge to hang from
            for a, b in ((.08, .5), (.66, .98)):
                for x in (-94, -54, -14, 26, 66):
                    out += kit.poly([at(x, y + h * a), at(x + 28, y + h * a), at(x + 28, y + h * b), at(x, y + h * b)], kit.mix(ink, blue, .5))
            out += kit.poly([at(-108, y + h * .565), at(108, y + h * .565), at(108, y + h * .6), at(-108, y + h * .6)], ink)
        boxes[ch] = (y, h)
        y += h + 14
        out += kit.poly(quad(y - 9, y - 5), red if ch != "Y" else cream)
    # the man, hanging from the middle arm of the F
    fy, fh = boxes["F"]
    x, y = 585, fy + fh * .6
    m = ""
    for s in (-1, 1):
        m += kit.ribbon([(s * 17, -2), (s * 15, 22), (s * 11, 46)], [9, 9, 12], red)
    m += kit.path("M-17 42L17 42L15 86L-13 88Z", red)
    m += kit.ribbon([(-7, 84), (-12, 112), (-26, 134)], [14, 12, 9], red) + kit.ribbon([(7, 84), (18, 106), (12, 136)], [14, 12, 9], red)
    m += kit.ribbon([(-26, 132), (-36, 138)], [9, 7], ink) + kit.ribbon([(12, 134), (22, 142)], [9, 7], ink)
    m += kit.circle(0, 30, 13, ink)
    m += kit.circle(-17, -3, 6, red) + kit.circle(17, -3, 6, red)
    out += kit.g(m, f"translate({x} {y}) scale(.92) rotate(5)")
    # his hat falls
    out += kit.g(kit.path("M-44 0A44 10 0 0 0 44 0A44 10 0 0 0 -44 0Z", cream) + kit.path("M-24 -2L-22 -28Q0 -34 22 -28L24 -2Q0 6 -24 -2Z", cream) + kit.path("M-24 -3L-23 -14Q0 -8 23 -14L24 -3Q0 5 -24 -3Z", red), "translate(852 366) rotate(28) scale(1.1)")
    for i in range(3):
        out += kit.ribbon([(806 + i * 22, 300 - i * 6), (800 + i * 22, 262 - i * 8), (790 + i * 22, 216 - i * 8)], [4, 3, 0], cream)
    # the street
    out += kit.rect(-5, foot, 1010, 300, red)
    out += kit.rect(-5, foot, 1010, 12, ink)
    out += kit.text_fit("LAST!", 58, 1290, 560, 126, "grotesk", cream)
    for i in range(17):
        px = 28 + i * 58 + kit.rng.uniform(-14, 14)
        s = kit.rng.uniform(.8, 1.05)
        out += kit.path(f"M{px - 7 * s} {foot + 2}L{px - 6 * s} {foot - 26 * s}Q{px} {foot - 32 * s} {px + 6 * s} {foot - 26 * s}L{px + 7 * s} {foot + 2}Z", ink) + kit.circle(px, foot - 37 * s, 7 * s, ink)
        if i % 3:
            out += kit.rect(px - 11 * s, foot - 42 * s, 22 * s, 3.4, ink) + kit.rect(px - 6 * s, foot - 49 * s, 12 * s, 8 * s, ink)
    out += kit.text("HAROLD LLOYD", 944, 1330, 38, "condensed-mid", cream, "end", track=.06) + kit.text("MILDRED DAVIS", 944, 1371, 38, "condensed-mid", cream, "end", track=.06)
    out += kit.text("HAL ROACH  1923", 944, 1415, 38, "condensed-mid", ink, "end", track=.06)
    out += kit.credits(x=58, y=1462, size=22, fill=cream, width=884, anchor="start", lines=[[("directed by", "Fred C. Newmeyer & Sam Taylor")]])
    kit.finish(grain=4, paper=4, wear=.2, vignette=.1)
    return out
