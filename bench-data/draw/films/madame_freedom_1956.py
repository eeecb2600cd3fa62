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
    for i in range(24):
        r = 150 + i * 12.4
        g += kit.ring(cx, cy, r, 3.2 if i % 6 else 8, kit.mix(wine, ink, .55))
    g += kit.rays(cx, cy, 130, R + 30, 24, kit.mix(wine, ink, .75), a0=-12, duty=.09)
    for a in (-52, 128):
        for k, o in ((26, .22), (15, .26), (6, .3)):
            g += kit.poly([(cx, cy), kit.polar(cx, cy, 600, a - k), kit.polar(cx, cy, 600, a + k)], "#f3a08f", f'fill-opacity="{o}"')
    out += kit.clip(dd, g)
    # the jacket: two sleeves flung out, the body small from above
    def sleeve(s):
        m = lambda p: [(cx + s * (x - cx), y) for x, y in p]
        top = m([(500, 648), (610, 640), (720, 596), (812, 520), (846, 560), (826, 646), (742, 722), (640, 762), (500, 776)])
        t = kit.smooth(m([(806, 548), (842, 498), (880, 482), (888, 500), (866, 524), (846, 566), (826, 576)]), cream)
        t += kit.g(kit.path(kit.d_smooth(top, k=.12), lime), filter=kit.shadow(4, 8, 6, ink, .35))
        t += kit.poly(m([(788, 541), (812, 520), (846, 560), (840, 586)]), cream)
        return t
    out += kit.g(sleeve(1) + sleeve(-1), transform=f"rotate(-24 {cx} {cy})")
    body = ""
    body += kit.smooth([(cx - 96, 706), (cx, 630), (cx + 96, 706), (cx + 80, 780), (cx, 806), (cx - 80, 780)], lime)
    body += kit.ribbon([(cx - 52, 786), (cx, 742), (cx + 54, 786)], [16, 15, 16], cream)
    # the head: parting, bun, hairpin
    body += kit.circle(cx, 712, 66, ink)
    body += kit.ribbon([(cx, 772), (cx + 2, 730), (cx, 690)], [5, 3, 1], cream)
    body += kit.circle(cx, 664, 36, ink) + kit.ring(cx, 664, 25, 3, "#5c2a38")
    body += kit.ribbon([(cx - 62, 668), (cx + 58, 658)], [9, 9], lime) + kit.circle(cx + 64, 657, 12, wine) + kit.circle(cx + 64, 657, 5, cream)
    out += kit.g(body, transform=f"rotate(-24 {cx} {cy})")
    # the ribbon of the jacket, flying
    out += kit.ribbon([(530, 800), (590, 880), (566, 980), (640, 1060), (632, 1160)], [14, 26, 22, 30, 4], wine) if 0 else ""
    out += kit.ribbon([(556, 782), (640, 870), (640, 980), (730, 1060), (760, 1180)], [12, 26, 22, 34, 6], cream)
    out += kit.ribbon([(548, 788), (566, 890), (524, 990), (560, 1090)], [10, 24, 20, 4], cream)
    # the title in the corners
    for ch, x, y in (("자", 58, 62), ("유", 730, 62), ("부", 58, 1196), ("인", 730, 1196)):
        out += kit.outline(ch, 300, "ko-hanna").fit(x, y, 212, 212).svg(ink)
    out += kit.text("MADAME FREEDOM", 500, 118, 34, "avant", wine, "middle", track=.1) if 0 else ""
    out += kit.para(["MADAME", "FREEDOM"], 500, 132, 46, "sign2", wine, 1.1, "middle", .04)
    out += kit.para(["한형모", "감독 작품"], 500, 1316, 32, "ko", wine, 1.4, "middle", .08)
    out += kit.text("1956", 500, 1408, 40, "sign2", wine, "middle", .04)
    out += kit.credits(x=500, y=1460, size=21, fill=ink, lang="ko", lines=[[("출연", "김정림"), ("", "박암")]])
    kit.finish(grain=5, paper=5, wear=.2)
    return out
