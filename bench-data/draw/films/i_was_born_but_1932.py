"""Two small boys stand up straight; their big father bows before a pair of trousers as tall as the poster."""


def draw(film, kit):
    sky, cream, ink, grey, red, skin = "#8fc1bd", "#f3e6c8", "#20242b", "#5c6670", "#d9492e", "#e7bd92"
    out = kit.bg(sky)
    out += kit.rect(-5, 1290, 1010, 220, cream)
    # the power of the boss
    legs = [(-20, -20), (330, -20), (318, 400), (296, 1120), (300, 1232), (-20, 1232)]
    out += kit.clip(kit.d_poly(legs), kit.poly(legs, grey) + "".join(
        kit.ribbon([(24 + i * 44, -20), (22 + i * 42, 600), (20 + i * 41, 1240)], [4, 4, 4], cream) for i in range(8)))
    out += kit.path("M-20 1226L306 1226C322 1250 388 1262 436 1284C462 1298 470 1320 462 1334L-20 1334Z", ink)
    out += kit.rect(-20, 1334, 486, 13, "#0f1115") + kit.ribbon([(330, 1262), (376, 1274), (420, 1292)], [0, 7, 0], cream)
    # the father
    out += kit.path("M590 1316L598 1130L606 900L706 900L712 1130L704 1316Z", ink)
    out += kit.path("M560 1318C560 1296 596 1292 610 1282L712 1282L712 1318Z", "#0f1115")
    out += kit.line(654, 960, 652, 1288, 4, grey)
    out += kit.path("M606 1010C560 950 520 950 470 964C452 930 446 884 452 850C500 804 590 786 656 808C712 826 728 900 712 1040L606 1040Z", ink)
    out += kit.path("M470 966L448 900L426 912L440 966Z", cream)  # collar
    out += kit.smooth([(446, 892), (420, 878), (384, 892), (370, 928), (382, 972), (412, 990), (442, 972), (452, 930)], skin)
    out += kit.path("M452 884C424 858 378 872 362 910C356 932 360 948 366 960C384 930 420 920 446 926Z", ink)
    out += kit.ribbon([(560, 868), (548, 980), (520, 1090)], [66, 56, 44], ink) + kit.ribbon([(522, 1084), (516, 1106)], [34, 30], cream)
    out += kit.stroke("M566 900C560 960 550 1000 532 1060", 3.5, grey)
    out += kit.circle(512, 1126, 22, skin)
    out += kit.path("M452 1146L464 1218C500 1234 536 1234 560 1218L572 1146Z", ink) + kit.path("M455 1160L459 1184C500 1196 540 1196 565 1184L569 1160Z", red)
    out += kit.smooth([(418, 1146), (440, 1136), (512, 1132), (584, 1136), (606, 1146), (584, 1158), (512, 1162), (440, 1158)], ink)
    out += kit.smooth([(452, 1146), (512, 1139), (572, 1146), (512, 1153)], grey) + kit.circle(512, 1124, 22, skin)

    # the boys
    def boy(x, s, cap):
        b = kit.path("M-46 -10L-40 -96L40 -96L46 -10L6 -10L0 -70L-6 -10Z", ink)
        b += kit.rect(-40, -18, 28, 12, skin) + kit.rect(12, -18, 28, 12, skin) + kit.rect(-48, -7, 38, 13, "#0f1115") + kit.rect(10, -7, 38, 13, "#0f1115")
        b += kit.path("M-58 -232C-40 -250 40 -250 58 -232L52 -90L-52 -90Z", ink)
        b += kit.ribbon([(-52, -222), (-72, -160), (-60, -96)], [26, 22, 18], ink) + kit.ribbon([(52, -222), (72, -160), (60, -96)], [26, 22, 18], ink)
        b += kit.circle(-59, -88, 12, skin) + kit.circle(59, -88, 12, skin)
        b += kit.path("M-40 -224L40 -224L42 -128C42 -116 -42 -116 -42 -128Z", cap) + kit.path("M-42 -224L42 -224L40 -172C10 -160 -10 -160 -40 -172Z", kit.mix(cap, ink, .25))
        b += kit.rect(-19, -258, 38, 28, skin)
        b += kit.smooth([(-46, -300), (-36, -332), (0, -346), (36, -332), (46, -300), (36, -266), (0, -252), (-36, -266)], ink)
        b += kit.circle(-47, -294, 10, skin) + kit.circle(47, -294, 10, skin)
        b += kit.path("M-52 -296C-58 -360 58 -360 52 -296C30 -304 -30 -304 -52 -296Z", cap) + kit.path("M-53 -308Q0 -322 53 -308L52 -294Q0 -308 -52 -294Z", kit.mix(cap, ink, .55))
        return kit.g(b, f"translate({x} 1390) scale({s})")
    out += boy(800, 1, red) + boy(916, .78, "#c99a3e")
    out += kit.vtext("生れては", 880, 66, 128, "ja-antique", ink) + kit.vtext("みたけれど", 730, 66, 128, "ja-antique", ink)
    out += kit.vtext("小津安二郎 監督作品", 622, 72, 27, "ja", ink, track=.1)
    out += kit.text("I Was Born, But…", 60, 1408, 50, "grotesk-mid", ink)
    out += kit.credits(x=60, y=1450, size=22, fill=ink, anchor="start", width=560, lines=[[("directed by", "Yasujirō Ozu"), ("", "松竹"), ("", "日本"), ("", "1932")]])
    kit.finish(grain=4, paper=5, wear=.15, vignette=.1)
    return out
