"""He sits and looks at the sea. The cushion beside him is empty. Almost everything else is air."""


def draw(film, kit):
    paper, sea, sea2, haze, ink, red, straw = "#eee6d4", "#8fa9a6", "#7b9896", "#d9dccd", "#2a2b2c", "#b5432e", "#d8c69a"
    out = kit.bg(kit.linear([(0, paper), (.5, "#efe7d6"), (.66, haze)]))
    # far islands, sea, one boat
    out += kit.smooth([(-60, 960), (-20, 900), (60, 878), (140, 892), (230, 866), (330, 900), (430, 934), (480, 965), (200, 990)], "#b3bfb6")
    out += kit.smooth([(560, 965), (640, 940), (760, 918), (880, 930), (960, 902), (1060, 900), (1080, 1000), (800, 1000)], "#c2cabf")
    out += kit.rect(-5, 950, 1010, 330, kit.linear([(0, "#a9bcb5"), (.3, sea), (1, sea2)], y1=950, y2=1240))
    for i in range(16):
        y = 962 + i * i * .95
        x, w = kit.rng.uniform(-80, 860), 90 + i * 16
        out += kit.ribbon([(x, y), (x + w / 2, y + 1.5), (x + w, y)], [0, 1.2 + i * .17, 0], "#c9d5cb", 'opacity=".75"')
    out += kit.path("M640 978l62 0l-9 12l-44 0ZM668 977l0 -17l16 0l0 17ZM662 977l0 -34l2.4 0l0 34Z", ink)
    out += kit.ribbon([(700, 989), (790, 993), (900, 990)], [3, 2, 0], paper)
    # the veranda: a post, a beam, boards
    out += kit.rect(-5, 1232, 1010, 275, straw)
    for i, y in enumerate((1232, 1296, 1376)):
        out += kit.rect(-5, y, 1010, 3.5 + i, "#a98f5e")
    out += kit.rect(-5, 1226, 1010, 9, ink)
    out += kit.rect(92, -5, 20, 1240, ink) + kit.rect(-5, 104, 1010, 14, ink)
    # the empty cushion
    out += kit.smooth([(556, 1316), (568, 1292), (640, 1284), (744, 1284), (812, 1292), (828, 1316), (816, 1336), (690, 1345), (566, 1337)], red)
    out += kit.ribbon([(562, 1318), (690, 1327), (822, 1317)], [0, 2.4, 0], "#7f2a1d")
    # the man: one back, one head
    out += kit.smooth([(262, 1318), (280, 1296), (390, 1288), (500, 1296), (520, 1318), (505, 1337), (390, 1344), (276, 1337)], kit.mix(red, ink, .25))
    out += kit.path("M284 1316C270 1296 290 1272 316 1254C314 1196 318 1146 346 1124C362 1112 372 1108 378 1100L408 1100"
                    "C414 1108 424 1112 440 1124C468 1148 470 1198 468 1254C492 1270 512 1296 500 1316C450 1330 336 1330 284 1316Z", ink)
    out += kit.path("M374 1070L412 1070L418 1112Q393 1124 368 1112Z", "#c9ad86")  # the neck, the collar
    out += kit.path("M360 1110C374 1122 412 1122 426 1110L430 1120C412 1134 374 1134 356 1120Z", paper)
    out += kit.circle(357, 1058, 9, "#c9ad86") + kit.circle(429, 1058, 9, "#c9ad86")
    out += kit.smooth([(357, 1054), (363, 1022), (393, 1006), (423, 1022), (429, 1054), (420, 1080), (393, 1092), (366, 1080)], "#8f8c85")
    out += kit.smooth([(374, 1020), (393, 1013), (412, 1020), (408, 1032), (393, 1036), (378, 1032)], "#a3a09a")
    out += kit.ribbon([(393, 1138), (396, 1190), (392, 1262)], [0, 2.6, 0], "#55575a")
    out += kit.ribbon([(318, 1250), (352, 1258), (392, 1260), (432, 1258), (466, 1250)], [10, 12, 13, 12, 10], "#55575a")
    # lettering
    out += kit.vtext("東京物語", 830, 178, 104, "ja-serif", ink, track=.22)
    out += kit.vtext("小津安二郎 監督作品", 716, 184, 25, "ja-serif", ink, track=.24)
    out += kit.rect(817, 712, 26, 26, red)
    out += kit.text("TOKYO STORY", 160, 190, 21, "grotesk-mid", ink, track=.34)
    out += kit.text("1953", 160, 222, 21, "grotesk-light", ink, track=.3)
    out += kit.credits(x=160, y=1450, size=21, fill=ink, width=780, anchor="start", lang="ja",
                       lines=[[("出演", "笠智衆"), ("", "東山千栄子"), ("", "原節子"), ("監督", "小津安二郎"), ("", "松竹")]])
    kit.finish(grain=4.5, paper=5, vignette=.1)
    return out
