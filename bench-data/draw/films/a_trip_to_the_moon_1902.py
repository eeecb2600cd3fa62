"""The moon is a plaster prop hung in a studio on two ropes, and the shell has cracked it."""


def draw(film, kit):
    night, deep, moon, shade, gold, ink = "#21407a", "#16294f", "#f3e7c4", "#e2cf9c", "#e7a92f", "#0d1730"
    cx, cy, r = 500, 560, 372
    out = kit.bg(kit.linear([(0, deep), (.6, night), (1, night)]))
    for x, y, q in ((92, 150, 17), (170, 420, 10), (884, 118, 12), (930, 380, 19), (60, 700, 13), (118, 960, 10), (906, 900, 12), (430, 78, 9), (590, 118, 11), (948, 660, 8)):
        pts = [kit.polar(x, y, q if i % 2 == 0 else q * .36, -90 + 36 * i) for i in range(10)]
        out += kit.line(x, -5, x, y - q, 1.4, kit.mix(night, moon, .3)) + kit.poly(pts, gold)
    # the ropes
    for sx in (-1, 1):
        x = cx + sx * 205
        top = cy - (r * r - 205 * 205) ** .5
        out += kit.rect(x - 4, -5, 8, top + 34, gold)
        out += "".join(kit.line(x - 4, y, x + 4, y - 8, 2, ink) for y in range(8, int(top) + 26, 16))
    # the moon, one sheet of paper over another
    hole = (346, 470)
    out += kit.g(kit.poly(kit.cut_pts([kit.polar(cx, cy, r, i * 10) for i in range(36)], 3, 30), moon), filter=kit.shadow(14, 22, 18, ink, .55))
    disc = kit.d_poly([kit.polar(cx, cy, r - 2, i * 6) for i in range(60)])
    body = kit.path(f"M{cx + 120} {cy - r}A{r} {r} 0 0 1 {cx - 110} {cy + r * .96}A{r * 1.25} {r * 1.25} 0 0 0 {cx + 120} {cy - r}Z", shade)
    for x, y, q in ((660, 330, 62), (770, 560, 88), (590, 590, 40), (520, 800, 74), (700, 780, 44), (250, 720, 50), (480, 300, 30), (330, 850, 26), (820, 720, 26)):
        body += kit.blob(x, y, q, q * .86, kit.mix(shade, "#b89c5c", .45), 11, .05)
        body += kit.blob(x + q * .13, y + q * .12, q * .82, q * .7, kit.mix(shade, "#b89c5c", .12), 11, .05)
    out += kit.clip(disc, body)
    # cracks and the hole
    for a, ln, bend in ((-160, 132, 14), (-112, 220, -26), (-62, 290, 30), (-18, 240, -24), (28, 330, 34), (66, 210, -20), (200, 96, 12)):
        pts = [kit.polar(*hole, 60, a), kit.polar(*hole, 60 + ln * .28, a + bend * .5), kit.polar(*hole, 60 + ln * .55, a - bend * .35),
               kit.polar(*hole, 60 + ln * .8, a + bend * .3), kit.polar(*hole, 60 + ln, a)]
        out += kit.clip(disc, kit.poly(kit.ribbon_pts(pts, [20, 12, 9, 6, 0], 3), deep))
    jag = [kit.polar(*hole, (112, 74, 122, 82, 104, 70, 128, 80, 116, 72, 108, 78)[i], i * 30 + 8) for i in range(12)]
    out += kit.poly(jag, deep)
    # the shell
    shell = kit.path("M-70 250L-70 -30C-70 -110 -34 -166 0 -190C34 -166 70 -110 70 -30L70 250Z", ink)
    shell += kit.path("M-70 250L-70 -30C-70 -110 -34 -166 0 -190C-22 -130 -30 -80 -30 -30L-30 250Z", "#4a72b8")
    shell += kit.rect(-78, 214, 156, 44, gold) + kit.rect(-70, 40, 140, 9, gold)
    shell += "".join(kit.circle(x, y, 5, gold) for x in (-48, -16, 16, 48) for y in (70, 186))
    shell += kit.circle(0, 128, 27, gold) + kit.circle(0, 128, 19, moon)
    out += kit.clip(kit.d_poly([(-10, 440), (hole[0] - 60, 400), (hole[0] + 96, 470), (hole[0] + 70, 600), (500, 1010), (-10, 1010)]),
                    kit.g(shell, f"translate({hole[0] - 66} {hole[1] + 100}) rotate(36)"))
    # plaster falling
    for x, y, s, a in ((440, 1010, 34, 10), (380, 1075, 20, 50), (505, 1094, 15, 80), (560, 1000, 13, 20), (420, 960, 11, 0)):
        out += kit.poly([kit.polar(x, y, s * f, a + t) for f, t in ((1, 0), (.8, 95), (1.1, 170), (.7, 260))], moon)
    # the scientists, in pointed hats
    floor = 1262
    for x, h, lean, what in ((86, 150, 6, ""), (178, 172, 3, "scope"), (282, 146, 8, ""), (640, 160, -6, "umbrella"), (748, 178, -3, ""), (838, 150, -8, ""), (922, 168, -4, "")):
        out += kit.path(f"M{x - 46} {floor + 4}C{x - 40} {floor - h * .4} {x - 26 + lean} {floor - h * .62} {x + lean * 1.5 - 3} {floor - h * .64}"
                        f"C{x + 26 + lean} {floor - h * .62} {x + 40} {floor - h * .4} {x + 46} {floor + 4}Z", ink)
        hx, hy = x + lean * 2, floor - h * .72
        out += kit.circle(hx, hy, 19, ink)
        out += kit.poly([(hx - 27, hy - 6), (hx + 27, hy - 10), (hx + lean * 4, hy - 98)], ink)
        out += kit.poly([(hx - 24, hy - 14), (hx + 24, hy - 18), (hx + 21, hy - 27), (hx - 21, hy - 23)], gold)
        if what == "scope":
            out += kit.line(hx + 6, hy + 2, hx + 96, hy - 72, 13, ink) + kit.line(hx + 70, hy - 51, hx + 108, hy - 82, 20, gold)
        if what == "umbrella":
            out += kit.line(x - 20, hy + 40, x - 62, hy - 92, 6, ink)
            out += kit.path(f"M{x - 150} {hy - 70}A94 94 0 0 1 {x + 18} {hy - 122}Q{x - 4} {hy - 112} {x - 22} {hy - 108}Q{x - 44} {hy - 112} {x - 66} {hy - 94}Q{x - 92} {hy - 96} {x - 108} {hy - 80}Q{x - 130} {hy - 84} {x - 150} {hy - 70}Z", ink)
    out += kit.rect(-5, floor, 1010, 260, ink)
    out += kit.text_fit("A TRIP TO THE MOON", 60, 1294, 880, 104, "retro", gold)
    out += kit.credits(y=1456, size=24, fill=moon, width=880, lines=[[("", "Le Voyage dans la Lune"), ("par", film.director), ("", film.company), ("", film.country), ("", film.year)]])
    kit.finish(grain=5, paper=5, wear=.2, vignette=.2)
    return out
