"""The letter is the city: two black tenements and the gap between them; a balloon got away, a ball did not."""


def draw(film, kit):
    fog, ink, chalk, red, lamp = "#a9b3ab", "#121315", "#efeadd", "#df4527", "#d9d6c3"
    out = kit.bg(kit.linear([(0, "#8d9a96"), (.75, lamp)]))
    floor = 1210
    # behind: the courtyard in the fog
    for x, w, top in ((196, 90, 700), (300, 120, 820), (600, 110, 780), (700, 120, 660)):
        out += kit.rect(x, top, w, floor - top, kit.mix("#a9b3ab", "#7f8c88", .45))
    # the letter
    out += kit.poly([(-5, -5), (232, -5), (500, 560), (768, -5), (1005, -5), (1005, floor), (772, floor), (772, 470), (560, 960), (440, 960), (228, 470), (228, floor), (-5, floor)], ink)
    for x0 in (40, 108, 824, 892):  # blind windows, one awake
        for r in range(9):
            y = 72 + r * 122
            lit = (x0, r) == (892, 6)
            out += kit.rect(x0, y, 46, 74, lamp if lit else "#202325")
            if lit:
                out += kit.rect(x0 + 21, y, 4, 74, ink) + kit.rect(x0, y + 30, 46, 4, ink)
    # wires and the balloon
    for dy, s in ((150, 34), (176, 40), (206, 30)):
        out += kit.stroke(f"M{232 + (dy) * .47} {dy}Q500 {dy + s * 2} {768 - dy * .47} {dy - 10}", 3, ink)
    out += kit.stroke("M520 168C512 220 540 240 524 300C516 330 530 350 522 380", 2.6, ink)
    out += kit.smooth([(520, 46), (566, 66), (578, 112), (552, 150), (522, 166), (492, 150), (466, 112), (476, 66)], red)
    out += kit.poly([(512, 176), (522, 162), (532, 176)], red)
    # the ground
    out += kit.rect(-5, floor, 1010, 300, chalk)
    # a man waits at the corner; his shadow is already here
    out += kit.poly([(668, 1214), (736, 1214), (420, 1330), (300, 1330)], kit.mix(chalk, ink, .9))
    out += kit.smooth([(318, 1318), (410, 1316), (396, 1342), (370, 1350), (346, 1368), (300, 1368), (280, 1352), (292, 1344)], kit.mix(chalk, ink, .9))
    out += kit.ribbon([(252, 1344), (330, 1350), (412, 1344)], [6, 15, 6], kit.mix(chalk, ink, .9))
    out += kit.path("M668 1218L676 1120C668 1060 662 1010 672 992C680 980 690 976 695 972L695 962C684 954 682 942 683 932L664 930C664 924 672 920 682 919C684 896 690 890 702 890C714 890 720 896 722 919"
                    "C732 920 740 924 740 930L721 932C722 942 720 954 709 962L709 972C714 976 724 980 732 992C742 1010 736 1060 728 1120L736 1218L706 1218L702 1130L698 1218Z", ink)
    out += kit.smooth([(150, 1272), (176, 1246), (206, 1246), (230, 1272), (228, 1304), (204, 1326), (172, 1326), (150, 1304)], red)
    out += kit.ribbon([(153, 1274), (190, 1290), (229, 1276)], [7, 10, 7], chalk) + kit.ribbon([(152, 1300), (190, 1312), (227, 1302)], [5, 8, 5], chalk)
    out += kit.ribbon([(206, 1328), (170, 1334), (110, 1334)], [5, 12, 0], ink)
    out += kit.credits(x=58, y=1448, size=23, fill=ink, anchor="start", width=520)
    kit.finish(grain=5, paper=4, wear=.3, vignette=.25)
    return out
