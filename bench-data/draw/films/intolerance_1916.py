"""Four ages, four weapons, hung on cords over the same cradle; each strip has the tint of its reel."""


def draw(film, kit):
    ink, bone, red = "#1a1716", "#f1e6cd", "#b3271e"
    tints = ("#c8933f", "#5f8796", "#a9594c", "#7d8f63")
    floor = 1128
    out = kit.bg(ink)
    for i, c in enumerate(tints):
        out += kit.rect(i * 250, -5, 250.5, floor + 5, c)
        out += kit.rect(i * 250, -5, 250.5, floor + 5, kit.linear([(0, ink, .34), (.5, ink, 0), (1, bone, .3)], y1=0, y2=floor))
    w = []
    # Babylon: the sickle sword
    out += kit.rect(122, -5, 5, 160, ink)
    out += kit.path("M112 150L138 150L140 330L152 342L152 356L138 358L140 452C196 500 216 580 196 668C186 712 160 752 128 786C150 730 158 690 156 640C154 580 134 540 100 508L106 358L94 356L94 342L108 330Z", ink)
    out += kit.ribbon([(122, 500), (168, 560), (178, 640), (162, 716)], [0, 5, 6, 0], tints[0])
    for y in (190, 220, 250, 280):
        out += kit.rect(106, y, 38, 6, tints[0])
    # Judea: the spear
    out += kit.rect(372.5, -5, 5, 60, ink)
    out += kit.path("M368 50L382 50L384 640L400 660L384 670C400 720 412 760 410 800C404 850 388 880 375 912C362 880 346 850 340 800C338 760 350 720 366 670L350 660L366 640Z", ink)
    out += kit.ribbon([(375, 690), (375, 780), (375, 880)], [3, 6, 0], tints[1])
    # Paris: the rapier
    out += kit.rect(622.5, -5, 5, 130, ink)
    out += kit.circle(625, 136, 17, ink) + kit.path("M616 140L634 140L638 262L612 262Z", ink)
    out += kit.path("M520 268C560 262 600 262 625 262C650 262 700 262 722 244C736 236 744 252 732 262C710 282 664 282 638 282L634 300C666 316 690 344 684 372C676 336 650 326 633 324L630 790L625 850L620 790L617 324C600 326 574 336 566 372C560 344 584 316 616 300L612 282C580 282 552 286 530 290C514 292 508 272 520 268Z", ink)
    out += kit.stroke("M690 262C708 200 690 150 636 140", 9, ink)
    for y in (170, 192, 214, 236):
        out += kit.rect(613, y, 24, 5, tints[2])
    # America: the rope
    out += kit.rect(866, -5, 18, 424, ink)
    out += kit.stroke("M872 540C800 620 790 700 812 756C836 812 914 812 938 756C960 700 950 620 878 540", 19, ink)
    for i in range(8):
        out += kit.path(f"M850 {416 + i * 17}Q875 {408 + i * 17} 900 {410 + i * 17}L900 {423 + i * 17}Q875 {421 + i * 17} 850 {429 + i * 17}Z", ink)
    for y in range(10, 400, 22):
        out += kit.line(867, y + 8, 883, y - 4, 3, tints[3])
    # the cradle
    out += kit.rect(-5, floor, 1010, 400, ink)
    out += kit.path("M160 1128C300 1118 700 1118 840 1128L840 1132L160 1132Z", ink)
    c = kit.path("M352 1010L660 1010L640 1098L372 1098Z", bone)
    c += kit.path("M560 1012C560 930 606 896 690 894C706 930 690 980 664 1012Z", bone)
    c += kit.path("M574 1010C576 950 606 918 676 908C684 936 676 978 656 1010Z", kit.mix(ink, bone, .12))
    c += kit.path("M352 1010C400 974 500 968 570 1006L570 1016L352 1016Z", bone)
    c += kit.path("M366 1000C410 962 500 958 566 1000L566 1012L360 1012Z", red)
    c += kit.path("M570 1004C578 966 630 962 656 1006L656 1012L566 1012Z", bone)
    c += kit.poly([(384, 1096), (412, 1096), (404, 1132), (388, 1128)], bone) + kit.poly([(600, 1096), (628, 1096), (624, 1128), (608, 1132)], bone)
    for x in (404, 444, 484, 524, 564, 604):
        c += kit.line(x, 1030, x, 1088, 4, ink)
    c += kit.path("M330 1098C400 1146 612 1146 684 1098L700 1112C620 1172 392 1172 314 1112Z", bone)
    out += kit.g(c, "translate(0 -12) rotate(-5 506 1100)")
    out += kit.text_fit("INTOLERANCE", 58, 1196, 884, 158, "condensed", bone)
    out += kit.text("LOVE’S STRUGGLE THROUGHOUT THE AGES", 500, 1396, 24, "condensed-mid", tints[0], "middle", track=.42)
    out += kit.credits(y=1452, size=23, fill=bone, width=884, lines=[[("with" if i == 0 else "", c) for i, c in enumerate(film.cast)] + [("directed by", film.director), ("", film.year)]])
    kit.finish(grain=5, paper=5, wear=.35, vignette=.2)
    return out
