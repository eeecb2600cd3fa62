"""Door after door of a palace, black and white; a heavy man before them, and in the last one, in snow, a small red sledge."""


def draw(film, kit):
    ink, bone, red, grey = "#141312", "#efe9dc", "#d2261f", "#8a857c"
    out = kit.bg(ink)
    vx, vy = 500, 520

    def arch(k):
        """A pointed doorway, k = 1 is the largest."""
        w, t, b = 560 * k, vy - 640 * k, vy + 760 * k
        sh = vy - 120 * k
        return (f"M{vx-w} {b}L{vx-w} {sh}C{vx-w} {sh-250*k} {vx-w*.5} {t+90*k} {vx} {t}C{vx+w*.5} {t+90*k} {vx+w} {sh-250*k} {vx+w} {sh}L{vx+w} {b}Z")
    k, i = 1.0, 0
    while k > .13:
        out += kit.path(arch(k), bone if i % 2 == 0 else ink)
        if i % 2 == 1:  # a moulding
            out += kit.stroke(arch(k * .95), max(1.6, 7 * k), bone)
        k *= .80 if i % 2 == 0 else .86
        i += 1
    last = k / (.80 if (i - 1) % 2 == 0 else .86)
    out += kit.path(arch(last), bone)
    # snow and sledge
    out += kit.clip(arch(last), kit.rect(0, 0, 1000, 560, "#c9ccc8") + kit.smooth([(380, 640), (420, 566), (500, 552), (580, 570), (640, 640), (500, 700)], bone)
                    + kit.specks(400, 380, 200, 260, 50, "#ffffff", 1.2, 3.2))
    out += kit.g(kit.path("M-38 -12L30 -12C40 -12 46 -18 44 -28", "none", f'stroke="{red}" stroke-width="6" stroke-linecap="round"')
                 + kit.path("M-40 4L34 4C50 4 58 -8 54 -22", "none", f'stroke="{red}" stroke-width="5" stroke-linecap="round"')
                 + kit.rect(-40, -18, 74, 9, red) + kit.line(-26, -12, -26, 4, 5, red) + kit.line(16, -12, 16, 4, 5, red), f"translate({vx-4} {vy+62}) scale(.95)")
    # the man
    m = ("M300 1230C300 1100 306 990 330 930C346 888 400 872 452 852C460 846 464 838 464 826C450 812 442 796 438 778C428 780 422 766 424 750C425 738 430 734 436 738"
         "C434 690 462 664 500 664C538 664 566 690 564 738C570 734 575 738 576 750C578 766 572 780 562 778C558 796 550 812 536 826C536 838 540 846 548 852C600 872 654 888 670 930C694 990 700 1100 700 1230Z")
    out += kit.path(m, ink, f'stroke="{bone}" stroke-width="8"')
    out += kit.path("M450 846C470 862 530 862 550 846L556 862C530 880 470 880 444 862Z", bone)
    out += kit.ribbon([(500, 900), (503, 1050), (500, 1200)], [0, 5, 3], grey)
    for sg in (-1, 1):
        out += kit.ribbon([(500 + sg * 118, 1000), (500 + sg * 112, 1100), (500 + sg * 118, 1204)], [0, 5, 4], grey)
    out += kit.rect(-5, 1200, 1010, 310, ink)
    out += kit.text_fit("CITIZEN KANE", 58, 1236, 884, 130, "didone-bold", bone)
    out += kit.credits(y=1450, size=23, fill=bone, width=884)
    kit.finish(grain=5, paper=4, wear=.35, vignette=.15)
    return out
