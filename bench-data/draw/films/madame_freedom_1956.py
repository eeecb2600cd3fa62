"""Seen from the ceiling: the skirt of her hanbok turns into a record, and she dances."""


def draw(film, kit):
    pink, wine, ink, lime, cream = "#f0b9b0", "#a3183f", "#2a1018", "#c9cf5a", "#fbefdc"
    out = kit.bg(pink)
    cx, cy, R = 500, 742, 452
    # the skirt: scalloped rim, grooves, a gleam
    rim = [kit.polar(cx, cy, R + (10 if i % 2 else -8), i * 7.5 - 12) for i in range(48)]
    dd = kit.d_smooth(rim)
    out += kit.g(kit.path(dd, wine), filter=kit.shadow(14, 22, 20, ink, .3))
    g = ""
    for i in range(27):
        r = 126 + i * 12.2
        g += kit.ring(cx, cy, r, 4 if i % 7 else 11, kit.mix(wine, ink, .62))
    g += kit.rays(cx, cy, 130, R + 30, 24, kit.mix(wine, ink, .6), a0=-12, duty=.05)
    for a in (-52, 128):
        for k, o in ((26, .22), (15, .26), (6, .34)):
            g += kit.poly([(cx, cy), kit.polar(cx, cy, 600, a - k), kit.polar(cx, cy, 600, a + k)], "#f3a08f", f'fill-opacity="{o}"')
    out += kit.clip(dd, g)
    # the jacket: two sleeves flung out, the body small from above
    def sleeve(s):
        m = lambda p: [(cx + s * (x - cx), y) for x, y in p]
        d = (f"M{cx} 640L{cx + s * 150} 640C{cx + s * 230} 636 {cx + s * 300} 600 {cx + s * 342} 556L{cx + s * 378} 610C{cx + s * 372} 690 {cx + s * 300} 772 {cx + s * 206} 784"
             f"C{cx + s * 150} 790 {cx + s * 100} 776 {cx} 782Z")
        t = kit.smooth(m([(846, 556), (872, 516), (906, 484), (922, 496), (914, 516), (938, 520), (928, 542), (900, 560), (884, 590)]), cream)
        t += kit.g(kit.path(d, lime), filter=kit.shadow(4, 8, 6, ink, .35))
        t += kit.poly(m([(822, 574), (842, 556), (878, 610), (874, 640)]), cream)
        t += kit.ribbon(m([(612, 650), (622, 710), (604, 772)]), [2, 4, 2], kit.mix(lime, ink, .35))
        return t
    out += kit.g(sleeve(1) + sleeve(-1), transform=f"rotate(-24 {cx} {cy}) translate({cx * .06} {cy * .06}) scale(.94)")
    body = ""
    body += kit.smooth([(cx - 96, 706), (cx, 630), (cx + 96, 706), (cx + 80, 780), (cx, 806), (cx - 80, 780)], lime)
    body += kit.ribbon([(cx - 52, 786), (cx, 742), (cx + 54, 786)], [16, 15, 16], cream)
    # the head: parting, bun, hairpin
    body += kit.circle(cx, 712, 66, ink)
    body += kit.ribbon([(cx, 772), (cx + 2, 730), (cx, 690)], [5, 3, 1], cream)
    body += kit.circle(cx, 664, 36, ink) + kit.ring(cx, 664, 25, 3, "#5c2a38")
    body += kit.ribbon([(cx - 66, 668), (cx + 62, 657)], [8, 11], cream) + kit.circle(cx + 64, 657, 14, cream) + kit.circle(cx + 64, 657, 8, wine)
    out += kit.g(body, transform=f"rotate(-24 {cx} {cy})")
    # the ribbon of the jacket, flying
    out += kit.ribbon([(556, 782), (640, 870), (640, 980), (730, 1060), (760, 1180)], [12, 26, 22, 34, 6], cream)
    out += kit.ribbon([(548, 788), (566, 890), (524, 990), (560, 1090)], [10, 24, 20, 4], cream)
    # the title in the corners
    for ch, x, y in (("자", 58, 62), ("유", 730, 62), ("부", 58, 1196), ("인", 730, 1196)):
        out += kit.outline(ch, 300, "ko-hanna").fit(x, y, 212, 212).svg(ink)
    out += kit.para(["MADAME", "FREEDOM"], 500, 132, 46, "sign2", wine, 1.1, "middle", .04)
    out += kit.para(["한형모", "감독 작품"], 500, 1316, 32, "ko", wine, 1.4, "middle", .08)
    out += kit.text("1956", 500, 1408, 40, "sign2", wine, "middle", .04)
    out += kit.credits(x=500, y=1460, size=21, fill=ink, lang="ko", lines=[[("출연", "김정림"), ("", "박암")]])
    kit.finish(grain=5, paper=5, wear=.2)
    return out
