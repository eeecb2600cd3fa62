"""He stays, the film changes: one standing man, cut by four frames into four places."""


def draw(film, kit):
    ink, bone, navy, sea, sand, snow, red = "#16181d", "#f4ead2", "#27375f", "#2e8c8a", "#e3a33c", "#e9ebe4", "#d2442c"
    out = kit.bg(ink)
    x0, w = 150, 700
    ys = [(56, 292), (366, 292), (676, 292), (986, 292)]
    for i in range(29):  # perforations
        y = 22 + i * 51.8
        for x in (62, 886):
            out += f'<rect x="{x}" y="{y}" width="52" height="30" rx="7" fill="{bone}" opacity=".92"/>'
    # the detective from behind: deerstalker, cape, magnifier
    def man(c, trim):
        cap = "M430 214C426 128 470 92 512 92C554 92 598 128 594 214L618 262C580 276 444 276 406 262Z"
        m = kit.path(cap, c)
        check = "".join(kit.line(x, 60, x, 300, 5, trim) for x in range(416, 620, 32)) + "".join(kit.line(400, y, 630, y, 5, trim) for y in range(112, 280, 32))
        m += kit.clip(cap, kit.g(check, "rotate(8 512 180)", opacity=.55))
        m += kit.path("M430 214Q512 236 594 214L598 224Q512 248 426 224Z", trim)
        m += kit.path("M512 90C486 56 462 66 468 84C472 98 496 98 512 90C538 56 562 66 556 84C552 98 528 98 512 90Z", c) + kit.circle(512, 88, 9, trim)
        m += kit.path("M452 232L572 232C572 284 556 306 536 320L488 320C468 306 452 284 452 232Z", c)
        m += kit.path("M450 256L574 256C576 284 566 300 546 306L478 306C458 300 448 284 450 256Z", kit.mix(c, trim, .6))
        m += kit.path("M484 300L540 300L556 338C640 352 676 400 690 470L722 660L640 690L640 900L660 1000L364 1000L384 900L384 690L302 660L334 470C348 400 384 352 468 338Z", c)
        m += kit.ribbon([(470, 344), (512, 362), (554, 344)], [2, 12, 2], trim)
        m += kit.ribbon([(512, 364), (512, 520), (510, 640)], [2, 6, 2], trim)
        m += kit.path("M372 716C430 738 600 738 652 716L652 742C600 764 430 764 372 742Z", trim) + kit.circle(512, 745, 14, c)
        m += kit.ribbon([(640, 420), (690, 520), (704, 640), (728, 730)], [70, 90, 74, 46], c) + kit.circle(732, 742, 25, c)
        m += kit.path("M376 990L502 990L496 1210L404 1210ZM522 990L648 990L620 1210L528 1210Z", c)
        m += kit.path("M400 1200L500 1200L500 1248L352 1248C356 1224 378 1218 400 1200ZM524 1200L624 1200C646 1218 668 1224 672 1248L524 1248Z", c)
        m += kit.ribbon([(510, 720), (510, 860), (510, 994)], [2, 6, 4], trim)
        m += kit.line(730, 742, 736, 806, 20, c) + kit.ring(742, 866, 62, 17, c) + kit.circle(742, 866, 52, "#ffffff", 'opacity=".35"')
        return m
    scenes = []
    # night city
    s = kit.rect(x0, 0, w, 400, navy)
    for bx, by, bw in ((150, 190, 110), (262, 130, 90), (620, 150, 80), (702, 210, 70), (774, 110, 90)):
        s += kit.rect(bx, by, bw, 300, kit.mix(navy, ink, .45))
        for r in range(6):
            for c in range(int(bw / 28)):
                if kit.rng.random() < .42:
                    s += kit.rect(bx + 10 + c * 27, by + 14 + r * 30, 13, 17, sand)
    scenes.append((s, bone, navy, 0))
    # sea
    s = kit.rect(x0, 366, w, 300, sea) + kit.rect(x0, 366, w, 110, kit.mix(sea, bone, .55))
    for r in range(6):
        for c in range(6):
            xx, yy = 150 + c * 130 + (r % 2) * 65, 490 + r * 32
            s += kit.ribbon([(xx, yy), (xx + 30, yy - 13), (xx + 60, yy + 2), (xx + 90, yy - 11), (xx + 120, yy)], [0, 6, 7, 6, 0], bone)
    s += kit.poly([(730, 476), (766, 476), (760, 486), (736, 486)], ink) + kit.poly([(746, 470), (746, 420), (778, 470)], bone)
    scenes.append((s, ink, sea, -52))
    # desert
    s = kit.rect(x0, 676, w, 300, sand) + kit.circle(300, 756, 46, bone)
    s += kit.path("M150 870C260 800 380 830 470 880C600 820 760 810 850 850L850 990L150 990Z", kit.mix(sand, red, .5)) + kit.path("M150 930C300 900 500 950 850 905L850 990L150 990Z", kit.mix(sand, red, .75))
    s += kit.path("M206 900L206 830L180 830L180 790L190 790L190 818L206 818L206 756Q216 746 226 756L226 846L244 846L244 806L254 806L254 858L226 858L226 900Z", ink)
    scenes.append((s, navy, sand, 44))
    # snow
    s = kit.rect(x0, 986, w, 300, kit.mix(snow, sea, .28)) + kit.path("M150 1120L250 1040L330 1110L420 1030L560 1130L680 1050L850 1140L850 1290L150 1290Z", kit.mix(snow, sea, .1)) + kit.path("M150 1190C350 1150 600 1210 850 1170L850 1290L150 1290Z", "#fbfaf4")
    s += kit.specks(150, 986, 700, 300, 70, "#ffffff", 2, 6)
    scenes.append((s, red, snow, -16))
    for (y, h), (s, c, t, dx) in zip(ys, scenes):
        d = f"M{x0 + 14} {y}L{x0 + w - 14} {y}Q{x0 + w} {y} {x0 + w} {y + 14}L{x0 + w} {y + h - 14}Q{x0 + w} {y + h} {x0 + w - 14} {y + h}L{x0 + 14} {y + h}Q{x0} {y + h} {x0} {y + h - 14}L{x0} {y + 14}Q{x0} {y} {x0 + 14} {y}Z"
        out += kit.clip(d, s + kit.g(man(c, kit.mix(c, t, .8)), f"translate({dx + 500} 8) scale(.86 1) translate(-512 0)"))
    out += kit.rect(x0 - 12, 1296, w + 24, 220, ink)
    out += kit.text_fit("Sherlock Jr.", x0, 1300, w, 112, "bookman", bone)
    out += kit.credits(y=1460, size=23, fill=bone, width=w, lines=[[("with" if i == 0 else "", c) for i, c in enumerate(film.cast)] + [("directed by", film.director), ("", film.company), ("", film.year)]])
    kit.finish(grain=5, paper=4, wear=.3, vignette=.1)
    return out
