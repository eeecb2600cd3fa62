"""One sheet of manuscript paper: the same character in cell after cell, until it breaks out of the grid."""
import math


def draw(film, kit):
    paper, rule, ink, red = "#ece3cc", "#b9634a", "#17130f", "#b5261b"
    out = kit.bg(paper)
    rng = kit.rng
    x0, y0, cw, ch, gap, cols, rows = 64, 74, 74, 74, 13, 10, 17
    # the grid, pulled towards the break-out
    bx, by = 372, 900

    def pull(x, y):
        dx, dy = x - bx, y - by
        r = (dx * dx + dy * dy) ** .5 + 1
        k = max(0, 1 - r / 620) ** 2
        a = .9 * k
        c, s = math.cos(a), math.sin(a)
        q = 1 + .22 * k
        return bx + (dx * c - dy * s) * q, by + (dx * s + dy * c) * q

    def wire(p, q, w):
        k = 22
        pts = [pull(p[0] + (q[0] - p[0]) * i / k, p[1] + (q[1] - p[1]) * i / k) for i in range(k + 1)]
        return kit.stroke(kit.d_smooth(pts, False), w, rule)

    cellx = [x0 + c * (cw + gap) for c in range(cols)]
    bottom = y0 + rows * ch
    for x in cellx:
        out += wire((x, y0), (x, bottom), 2.2) + wire((x + cw, y0), (x + cw, bottom), 2.2)
        for r in range(rows + 1):
            out += wire((x, y0 + r * ch), (x + cw, y0 + r * ch), 1.5)
    for a, b in (((x0 - 14, y0 - 14), (x0 + cols * (cw + gap) + 1, y0 - 14)), ((x0 - 14, bottom + 14), (x0 + cols * (cw + gap) + 1, bottom + 14)),
                 ((x0 - 14, y0 - 14), (x0 - 14, bottom + 14)), ((x0 + cols * (cw + gap) + 1, y0 - 14), (x0 + cols * (cw + gap) + 1, bottom + 14))):
        out += wire(a, b, 5)
    # the writing, from the right, growing worse
    n = 0
    for c in range(cols - 1, 4, -1):
        for r in range(rows):
            t = n / (5 * rows - 1)
            n += 1
            if c == cols - 1 and r < 1:
                continue
            x, y = pull(cellx[c] + cw / 2, y0 + r * ch + ch / 2)
            font = "ja-serif" if t < .3 else "ja-antique" if t < .42 else "ja-brush" if t < .72 else "ja-grass"
            size = 50 + (t > .3) * (t - .3) * rng.uniform(10, 70)
            o = kit.outline("狂", size, font)
            a, b, d, e = o.box
            o = o.move(x - (a + d) / 2, y - (b + e) / 2).rotate(rng.uniform(-1, 1) * max(0, t - .28) * 75, x, y)
            if t > .3:
                o = o.move(rng.uniform(-1, 1) * (t - .3) * 40, rng.uniform(-1, 1) * (t - .3) * 40)
            if rng.random() > max(0, t - .55) * 1.1:
                out += o.svg(ink)
    # and out
    big = kit.outline("狂", 800, "ja-ink").fit(30, 560, 690, 760).rotate(-7, 340, 940)
    out += big.svg(paper, f'stroke="{paper}" stroke-width="26" stroke-linejoin="round"') + big.svg(ink)
    for x, y, q in ((620, 1290, 16), (668, 1330, 8), (96, 560, 11), (60, 610, 6), (700, 1270, 5), (560, 548, 9), (606, 520, 5), (210, 1350, 9)):
        out += kit.blob(x, y, q, q * .9, ink, 9, .18)
    # title: quietly in the left margin of the sheet
    out += kit.g(kit.rect(60, 66, 204, 436, kit.mix(paper, "#ffffff", .35)), filter=kit.shadow(3, 5, 6, ink, .35))
    out += kit.rect(68, 74, 188, 420, "none", f'stroke="{red}" stroke-width="2.5"')
    out += kit.vtext("狂った一頁", 212, 88, 72, "ja-serif-black", red, track=.07)
    out += kit.vtext("衣笠貞之助 監督", 144, 92, 29, "ja-serif", ink, track=.12)
    out += kit.vtext("井上正夫 主演", 98, 92, 29, "ja-serif", ink, track=.12)
    out += kit.text("A PAGE OF MADNESS", 64, 1446, 34, "condensed-mid", ink, track=.22) + kit.text("日本", 846, 1445, 27, "ja-serif", ink, "end") + kit.text("1926", 936, 1446, 34, "condensed-mid", red, "end", track=.1)
    kit.finish(grain=5, paper=6, wear=.25, vignette=.15)
    return out
