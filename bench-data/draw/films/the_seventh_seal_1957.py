"""A scythe mows the chessboard black. One white knight stands in front of the blade."""


def draw(film, kit):
    bone, ink, red = "#ebe2cc", "#15130f", "#b3261c"
    out = kit.bg(bone)
    for r in range(8):
        for c in range(5):
            if (r + c) % 2:
                out += kit.cut([(c * 200, r * 200 - 100), (c * 200 + 200, r * 200 - 100), (c * 200 + 200, r * 200 + 100), (c * 200, r * 200 + 100)], ink, amt=1.5, step=90)
    px, py, R = 1060, 1186, 1010
    # what has been mown
    swath = [(px, py)] + [kit.polar(px, py, R, a) for a in range(-180, -70, 3)]
    out += kit.poly(swath, ink)
    # blades of woodcut light along the arc
    d = ""
    for i in range(70):
        r, a = kit.rng.uniform(330, 985), kit.rng.uniform(-176, -98)
        if 740 < r < 890 or 590 < r < 665 and -166 < a < -105:
            continue
        n_ = kit.rng.uniform(5, 13)
        d += kit.d_poly(kit.ribbon_pts([kit.polar(px, py, r, a), kit.polar(px, py, r, a + n_ / 2), kit.polar(px, py, r, a + n_)], [0, 5, 0], 5))
    out += kit.path(d, kit.mix(ink, bone, .3))
    out += kit.text_arc("THE SEVENTH SEAL", px, py, 766, -139, 117, "gothic-antique", bone, track=.03)
    out += kit.text_arc("DET SJUNDE INSEGLET", px, py, 610, -139, 40, "oldstyle", bone, track=.26)
    # handle and blade
    scythe = kit.ribbon([(1080, 1238), (860, 1252), (640, 1270), (470, 1284)], [34, 30, 26, 24], kit.mix(red, ink, .45))
    scythe += kit.cut([(700, 1240), (724, 1239), (728, 1288), (704, 1290)], bone, amt=1)
    blade = "M528 1240L500 1342C420 1384 300 1396 190 1372C120 1356 60 1320 22 1262C76 1300 150 1316 230 1312C330 1308 430 1276 528 1240Z"
    scythe += kit.path(blade, red)
    scythe += kit.path("M500 1342C420 1384 300 1396 190 1372C120 1356 60 1320 22 1262C70 1318 130 1342 200 1352C310 1366 420 1358 505 1322Z", "#e8533a")
    out += kit.g(scythe, transform="translate(0 -60)")
    # the knight
    out += KNIGHT(kit, bone, ink, 106, 1484, .74)
    out += kit.credits(x=938, y=1120, size=26, fill=bone, anchor="end", width=520,
                       lines=[[("", "Max von Sydow")], [("", "Gunnar Björnstrand")], [("", "Bengt Ekerot")], [("directed by", "Ingmar Bergman")],
                              [("", "Svensk Filmindustri"), ("", "1957")]])
    kit.finish(grain=4, paper=4, wear=.35, vignette=.12)
    return out


def KNIGHT(kit, fill, ink, x, y, s):
    body = ("M-78 0V-24L-62 -36C-58 -80 -10 -96 -6 -128C-30 -112 -52 -106 -70 -92C-84 -82 -100 -96 -94 -112C-84 -134 -70 -150 -58 -168C-56 -184 -46 -196 -34 -202"
            "L-28 -224L-10 -206C44 -204 74 -150 68 -92C66 -70 62 -54 64 -36L78 -24V0Z")
    t = kit.path(body, fill) + kit.path("M-46 -160l16 -6l-6 14Z", ink) + kit.path("M-78 -24H78V-18H-78Z", ink)
    t += kit.path("M-4 -190C40 -180 52 -130 46 -84C44 -66 42 -54 44 -42L56 -42C54 -60 58 -74 60 -92C64 -140 44 -186 -4 -190Z", ink)
    return kit.g(t, transform=f"translate({x} {y}) scale({s})")
