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
    # the floor: a chequered path
    fl = ""
    n_ = 12
    zs = [1 / (1 - .072 * j) for j in range(n_ + 1)]
    # snow and sledge
    out += kit.clip(arch(last), kit.rect(0, 0, 1000, 560, "#c9ccc8") + kit.smooth([(380, 640), (420, 566), (500, 552), (580, 570), (640, 640), (500, 700)], bone)
                    + kit.specks(400, 380, 200, 260, 50, "#ffffff", 1.2, 3.2))
    out += kit.g(kit.path("M-38 -12L30 -12C40 -12 46 -18 44 -28", "none", f'stroke="{red}" stroke-width="6" stroke-linecap="round"')
                 + kit.path("M-40 4L34 4C50 4 58 -8 54 -22", "none", f'stroke="{red}" stroke-width="5" stroke-linecap="round"')
                 + kit.rect(-40, -18, 74, 9, red) + kit.line(-26, -12, -26, 4, 5, red) + kit.line(16, -12, 16, 4, 5, red), f"translate({vx-4} {vy+62}) scale(.95)")
    # the man
    out += kit.rect(-5, 1204, 1010, 310, ink)
    m = ("M380 1216C372 1080 356 960 372 900C384 858 430 842 464 832L470 806C440 784 430 750 434 712C438 664 466 640 500 640C534 640 562 664 566 712C570 750 560 784 530 806L536 832"
         "C570 842 616 858 628 900C644 960 628 1080 620 1216Z")
    out += kit.path(m, ink, f'stroke="{bone}" stroke-width="7"')
    out += kit.rect(-5, 1204, 1010, 310, ink)
    out += kit.ribbon([(500, 850), (502, 1000), (500, 1190)], [0, 4, 3], grey)
    out += kit.path("M452 832Q500 862 548 832L552 846Q500 880 448 846Z", bone)
    out += kit.text_fit("CITIZEN KANE", 58, 1236, 884, 130, "didone-bold", bone)
    out += kit.credits(y=1450, size=23, fill=bone, width=884)
    kit.finish(grain=5, paper=4, wear=.35, vignette=.15)
    return out
