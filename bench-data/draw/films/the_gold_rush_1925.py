"""Dinner in the Klondike: a boiled boot on the good plate, its lace wound round a golden fork."""
import math


def draw(film, kit):
    ice, snow, ink, gold, leather, dark, blue = "#c3d9df", "#f7f6ee", "#20201f", "#d99a1c", "#6a3f27", "#3f2417", "#86aebb"
    out = kit.bg(ice)
    # cold window: mountains of cut paper, far away
    out += kit.poly(kit.cut_pts([(-10, 700), (60, 540), (180, 430), (470, 600), (560, 520), (700, 650), (830, 500), (1010, 660), (1010, 1010), (-10, 1010)], 4, 90), kit.mix(ice, blue, .55))
    out += kit.poly(kit.cut_pts([(180, 430), (242, 466), (212, 496), (180, 478), (150, 510), (124, 486)], 3, 60), snow) + kit.poly(kit.cut_pts([(830, 500), (882, 544), (850, 566), (820, 552), (790, 582), (776, 552)], 3, 60), snow)
    out += kit.specks(-5, 330, 1010, 640, 150, snow, 2, 8)
    # the table cloth
    out += kit.rect(-5, 1000, 1010, 510, snow)
    out += kit.path("M-5 1000L1005 1000L1005 1012L-5 1012Z", kit.mix(ice, blue, .7))
    # the plate
    px, py = 500, 1112
    out += f'<ellipse cx="{px}" cy="{py + 30}" rx="430" ry="92" fill="{blue}" opacity=".55"/>'
    for rx, ry, dy, c in ((430, 96, 8, kit.mix(ice, blue, .8)), (430, 96, 0, "#ffffff"), (416, 88, 0, gold), (408, 84, 0, "#ffffff"), (320, 60, 4, kit.mix(ice, blue, .25)), (312, 56, 7, "#ffffff")):
        out += f'<ellipse cx="{px}" cy="{py + dy}" rx="{rx}" ry="{ry}" fill="{c}"/>'
    out += f'<ellipse cx="{px + 20}" cy="{py + 4}" rx="304" ry="34" fill="{blue}" opacity=".7"/>'
    # the boot
    b = kit.path("M262 498C300 476 420 474 470 496C476 560 470 640 486 708C540 776 640 800 720 838C792 872 806 930 800 1006L792 1040L250 1040L246 990C252 900 270 820 268 740C266 660 252 580 262 498Z", leather)
    b += kit.path("M262 498C300 476 420 474 470 496C468 512 466 520 464 528C410 512 310 514 266 534Z", dark)
    b += kit.path("M250 958C400 980 640 980 802 962L800 1040L780 1056L250 1056Z", dark)
    b += kit.path("M244 1044L804 1044C810 1060 812 1080 806 1100Q802 1110 788 1110L566 1110C524 1110 500 1084 452 1080L452 1114L248 1114Z", ink)
    b += kit.path("M620 796C640 850 640 900 628 962C690 972 760 970 802 962C806 920 790 874 736 846C700 828 660 812 620 796Z", kit.mix(leather, dark, .5))
    b += kit.path("M330 700C310 780 306 860 312 950L256 952C258 880 268 820 268 740C290 730 312 716 330 700Z", kit.mix(leather, dark, .45))
    for i in range(9):  # nails, like bones
        b += kit.circle(556 + i * 28, 1078, 5, gold)
    for pts in ([(350, 700), (392, 724), (430, 716)], [(344, 740), (390, 766), (442, 756)], [(300, 580), (330, 600), (360, 594)]):
        b += kit.ribbon(pts, [0, 6, 0], dark)
    b += kit.ribbon([(560, 880), (590, 900), (604, 940)], [0, 5, 0], dark) + kit.ribbon([(536, 850), (572, 860), (600, 880)], [0, 5, 0], dark)
    for q in range(9):  # the toe cap is stitched
        x, y = 618 + 16 * math.sin(q * .42) + q * .5, 806 + q * 18
        b += kit.line(x + 14, y, x + 18, y + 9, 4, kit.mix(leather, gold, .5))
    # tongue and eyelets
    b += kit.path("M468 500C500 470 520 470 540 486C528 560 520 640 516 724C504 716 494 710 486 702C472 640 476 560 468 500Z", kit.mix(leather, gold, .28))
    for i in range(6):
        x, y = 446 + (i > 3) * (i - 3) * 26, 548 + i * 38 - (i > 4) * 4
        b += kit.circle(x, y, 10, gold) + kit.circle(x, y, 5, dark)
    out += b
    # laces through the eyelets, the end flows to the fork
    for i in range(5):
        y = 548 + i * 38
        b1 = (446 + (i > 3) * 26, y)
        out += kit.ribbon([b1, (490, y + 8), (530, y - 14)], [9, 11, 8], snow) + kit.ribbon([b1, (490, y + 8), (530, y - 14)], [5, 7, 4], kit.mix(snow, gold, .35))
    lace = kit.mix(snow, gold, .45)
    out += kit.ribbon([(446, 548), (400, 470), (420, 400), (500, 420), (560, 500), (620, 620), (690, 690), (780, 700), (838, 660)], [9, 12, 12, 12, 12, 12, 12, 12, 10], dark)
    out += kit.ribbon([(446, 548), (400, 470), (420, 400), (500, 420), (560, 500), (620, 620), (690, 690), (780, 700), (838, 660)], [5, 8, 8, 8, 8, 8, 8, 8, 6], lace)
    # fork
    f = kit.path("M-8 -4C-8 -90 -12 -150 -15 -184C-16 -208 -8 -216 0 -216C8 -216 16 -208 15 -184C12 -150 8 -90 8 -4Z", gold)
    f += kit.path("M-9 -4C-14 20 -44 24 -48 60L-48 190L-38 204L-30 190L-30 80L-18 80L-18 190L-9 206L-2 190L-2 80L2 80L2 190L9 206L18 190L18 80L30 80L30 190L38 204L48 190L48 60C44 24 14 20 9 -4Z", gold)
    out += kit.g(f, "translate(856 590) rotate(9)")
    w = ""
    for i in range(7):
        y = 650 + i * 17
        rx = (44, 62, 74, 78, 72, 60, 42)[i]
        q = f"M{840 - rx} {y}C{840 - rx * .6} {y + 26} {840 + rx * .6} {y + 22} {840 + rx} {y - 6}"
        w += kit.stroke(q, 15, dark, 'stroke-linecap="round"') + kit.stroke(q, 10, lace, 'stroke-linecap="round"')
    out += w
    out += kit.ribbon([(880, 752), (900, 800), (872, 850), (886, 900)], [14, 14, 13, 3], dark) + kit.ribbon([(880, 752), (900, 800), (872, 850), (884, 890)], [9, 9, 8, 1], lace)
    # steam
    for x, y, s in ((372, 468, .72), (306, 486, .5)):
        out += kit.ribbon([(x, y), (x - 30 * s, y - 50 * s), (x + 24 * s, y - 100 * s), (x - 14 * s, y - 150 * s), (x + 10 * s, y - 190 * s)], [0, 14 * s, 17 * s, 12 * s, 0], snow)
    # the bill of fare
    out += kit.text("THE", 500, 118, 54, "didone-bold", ink, "middle", track=.3)
    out += kit.text_fit("GOLD RUSH", 60, 148, 880, 146, "didone-bold", ink)
    out += kit.rect(60, 316, 880, 5, gold) + kit.rect(60, 326, 880, 2, gold)
    out += kit.text("CHARLES CHAPLIN   ·   MACK SWAIN   ·   GEORGIA HALE", 500, 1330, 29, "condensed-mid", ink, "middle", track=.12)
    out += kit.rect(470, 1354, 60, 3, gold)
    out += kit.credits(y=1408, size=27, fill=ink, width=800, lines=[[("directed by", film.director), ("", film.company), ("", film.year)]])
    kit.finish(grain=4, paper=4, wear=.2, vignette=.1)
    return out
