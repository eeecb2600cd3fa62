"""The black bob, seen from behind, is the box: the lid is ajar and there is a keyhole at the nape."""


def draw(film, kit):
    pink, ink, skin, red, silver = "#e7a9a4", "#131014", "#f6e6d8", "#c4122f", "#f4cfc6"
    out = kit.bg(pink)
    out += kit.circle(500, 730, 452, silver)
    title, out = out, ""
    # back and shoulders
    out += kit.path("M392 930C392 1050 380 1092 300 1130C180 1176 96 1206 60 1330L30 1510L970 1510L940 1330C904 1206 820 1176 700 1130C620 1092 608 1050 608 930Z", skin)
    out += kit.ribbon([(500, 1206), (503, 1250), (499, 1308)], [0, 9, 0], kit.mix(skin, pink, .6))
    # pearls
    for i in range(21):
        t = (i - 10) / 10
        x, y = 500 + t * 104, 1022 + 118 * (1 - t * t) ** .8
        out += kit.circle(x, y + 3, 11.5, kit.mix(skin, pink, .9)) + kit.circle(x, y, 11, "#fffaf2")
    # the box
    hair = "M190 560L810 560C830 700 838 840 812 960C806 996 792 1010 766 1000C690 968 634 946 596 990C566 1026 530 1064 500 1084C470 1064 434 1026 404 990C366 946 310 968 234 1000C208 1010 194 996 188 960C162 840 170 700 190 560Z"
    out += kit.poly([(188, 560), (804, 464), (806, 568), (190, 568)], red)
    out += kit.path(hair, ink)
    lid = "M186 556C176 330 312 186 500 186C688 186 824 330 814 556Z"
    out += kit.g(kit.path(lid, ink) + kit.ribbon([(262, 420), (318, 300), (440, 236)], [0, 15, 0], kit.mix(ink, pink, .55)), "rotate(-9 186 556)")
    out += kit.ribbon([(214, 640), (206, 760), (216, 880)], [0, 12, 0], kit.mix(ink, pink, .55))
    out += kit.circle(188, 556, 17, skin) + kit.circle(188, 556, 7, ink)
    # keyhole
    out += kit.path("M500 690a58 58 0 0 1 30 108L556 912L444 912L470 798A58 58 0 0 1 500 690Z", red)
    # the dress
    out += kit.path("M-10 1520L84 1226C112 1234 140 1234 168 1224C250 1296 380 1316 500 1316C620 1316 750 1296 832 1224C860 1234 888 1234 916 1226L1010 1520Z", ink)
    out = title + kit.g(out, "translate(0 88)")
    out += kit.text_fit("PANDORA’S BOX", 62, 62, 876, 96, "deco", ink)
    out += kit.text("Die Büchse der Pandora", 64, 200, 33, "didone-italic", ink)
    out += kit.credits(y=1470, size=20, fill=silver, width=640)
    kit.finish(grain=4, paper=4, wear=.15, vignette=.12)
    return out
