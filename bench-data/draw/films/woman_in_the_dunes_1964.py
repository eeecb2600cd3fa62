"""The dune is a sleeping body and an hourglass; its sand runs on to the roof of a house at the bottom of the pit."""


def draw(film, kit):
    sky, sand, ink, shade, lamp = "#f1e9d8", "#dcae5c", "#17120d", "#b9853a", "#f6d27a"
    out = kit.bg(sky)
    # the dune, a reclining line
    top = [(-40, 470), (60, 420), (150, 372), (240, 356), (330, 388), (430, 446), (520, 440), (620, 330), (720, 248), (800, 244), (880, 300), (960, 390), (1040, 450)]
    low = [(-40, 760), (60, 790), (160, 816), (250, 842), (340, 880), (430, 940), (494, 1020), (506, 1020), (570, 940), (660, 876), (750, 838), (840, 810), (940, 786), (1040, 762)]
    out += kit.rect(-5, 740, 1010, 780, ink)
    body = kit.d_smooth(top, closed=False) + "L" + kit.d_smooth(low[::-1], closed=False)[1:] + "Z"
    out += kit.path(body, sand)
    # ripples between the two lines
    def res(pts, m=41):
        p = kit.ribbon_pts(pts, [0] * len(pts), 20)
        p = p[:len(p) // 2]
        return [p[int(i * (len(p) - 1) / (m - 1))] for i in range(m)]
    A, B = res(top), res(low)
    s = ""
    for k in range(1, 17):
        t = (k / 17) ** .92
        line = [(kit.lerp(a[0], b[0], t), kit.lerp(a[1], b[1], t) + kit.rng.uniform(-1, 1)) for a, b in zip(A, B)]
        ws = [max(0, (9 - 3 * t) * (.35 + .65 * abs(((i * .07 + k * .31) % 2) - 1))) for i in range(len(line))]
        s += kit.poly(kit.ribbon_pts(line, ws, 3), shade)
    out += kit.clip(body, s)
    # shadowed flank of the body
    # stream and heap
    out += kit.poly([(493, 1010), (507, 1010), (504, 1252), (496, 1252)], sand)
    heap = [(-40, 1520), (-40, 1440), (120, 1418), (280, 1380), (400, 1320), (470, 1264), (500, 1240), (530, 1264), (600, 1320), (720, 1376), (880, 1416), (1040, 1436), (1040, 1520)]
    # the house
    out += kit.poly([(392, 1290), (500, 1214), (612, 1290), (604, 1302), (398, 1302)], kit.mix(ink, sand, .35))
    out += kit.rect(414, 1300, 176, 120, kit.mix(ink, sand, .2))
    out += kit.rect(468, 1312, 64, 70, lamp)
    out += kit.path("M486 1384C488 1362 484 1352 492 1346C486 1340 488 1326 500 1326C512 1326 514 1340 508 1346C516 1352 512 1362 514 1384Z", ink)
    out += kit.path(kit.d_smooth([(-40, 1560), (-40, 1440), (120, 1424), (280, 1398), (390, 1372), (470, 1376), (560, 1372), (650, 1384), (760, 1402), (900, 1424), (1040, 1436), (1040, 1560)], k=.12), sand)
    out += kit.smooth([(440, 1262), (500, 1206), (560, 1262), (500, 1252)], sand)
    # the ladder that ends too soon
    x = 836
    for o in (0, 34):
        out += kit.ribbon([(x + o, 812), (x + o - 3, 900), (x + o + 3, 990 - o * .6)], [4, 4, 3], sand)
    for i in range(6):
        out += kit.rect(x - 3, 838 + i * 26, 40, 5, sand)
    # lettering
    out += kit.vtext("砂の女", 150, 930, 118, "ja-antique", sky, track=.06)
    out += kit.text("WOMAN IN THE DUNES", 60, 112, 34, "grotesk-mid", ink, track=.16)
    out += kit.text("勅使河原宏 監督作品  1964", 60, 158, 24, "ja", shade, track=.1)
    out += kit.credits(x=940, y=1474, size=21, fill=ink, anchor="end", lang="ja", lines=[[("出演", "岡田英次"), ("", "岸田今日子")]])
    kit.finish(grain=5, paper=5, wear=.1)
    return out
