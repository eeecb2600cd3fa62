"""A shadow falls down a flight of stairs and breaks at every step; the claws close around someone small."""


def draw(film, kit):
    ink, wall, lit, deep, red = "#14150d", "#cdbb2c", "#e9da5e", "#8f861c", "#c8201c"
    foot = 1118
    # treads and risers, growing towards us
    ys, y, h = [], -40.0, 62.0
    while y < foot:
        ys.append((y, h * .44, h * .56))
        y += h
        h *= 1.13
    k = (foot + 40) / (y + 40)
    ys = [(-40 + (a + 40) * k, b * k, c * k) for a, b, c in ys]
    out = kit.bg(wall)
    for a, t, r in ys:
        out += kit.rect(-5, a, 1010, t + .5, lit)
        out += kit.rect(-5, a + t, 1010, r, kit.linear([(0, kit.mix(deep, ink, .25)), (.3, kit.mix(wall, deep, .45)), (1, kit.mix(wall, deep, .2))], y1=a + t, y2=a + t + r))
        out += kit.clip(kit.d_poly([(-5, a + t), (1005, a + t), (1005, a + t + r), (-5, a + t + r)]), kit.hatch(
            -5, a + t, 1010, r, ink, pitch=6, weight=lambda x, yy, a=a + t, r=r: .5 * (1 - (yy - a) / r * 1.5) + .4 * abs(x / 1000 - .45), length=130))

    def broken(x, yy):  # what a step does to a shadow
        for a, t, r in ys:
            if a <= yy < a + t + r:
                sway = (t + r) * .3
                return x + (sway * (yy - a) / t if yy < a + t else sway * (1 - (yy - a - t) / r)), yy
        return x, yy

    def finger(*p):
        k = len(p)
        prof = [1, .74, .86, .62, .7, .5, .34, 0]
        w = [p[0][2] * prof[round(i * 7 / (k - 1))] for i in range(k)]
        return kit.ribbon_pts([(a[0], a[1]) for a in p], w, 30)

    shadow = [
        kit.ribbon_pts([(990, -140), (850, 40), (722, 196), (662, 300)], [350, 240, 140, 236], 30),
        kit.ribbon_pts([(680, 210), (655, 330), (650, 470)], [170, 300, 190], 30),
        finger((610, 270, 110), (505, 262), (405, 300), (322, 362), (262, 450), (228, 545), (218, 620), (236, 694)),
        finger((575, 370, 106), (492, 480), (422, 590), (370, 700), (330, 812), (308, 910), (306, 980), (330, 1040)),
        finger((630, 420, 112), (590, 545), (552, 670), (524, 790), (502, 900), (490, 965), (488, 1010), (476, 1052)),
        finger((700, 420, 106), (712, 545), (716, 665), (704, 775), (676, 880), (640, 950), (608, 1000), (566, 1040)),
        finger((752, 340, 98), (822, 430), (868, 530), (884, 640), (868, 750), (834, 840), (800, 892), (752, 930)),
    ]
    d = "".join(kit.d_poly([broken(*p) for p in dense(pts)]) for pts in shadow)
    out += kit.path(d, deep, 'opacity=".55" transform="translate(26 8)"')
    out += kit.path(d, ink)
    # a woman in a red dress, no taller than a claw
    x, y = 428, foot
    out += kit.poly([(x - 4, y), (x + 20, y), (x - 66, y + 1)], ink)
    out += kit.path("M-5 -62L5 -62C9 -50 7 -44 7 -40C12 -24 17 -10 20 0L-20 0C-17 -10 -12 -24 -7 -40C-7 -44 -9 -50 -5 -62Z"
                    "M-6 -60L-14 -36L-11 -35L-4 -52ZM6 -60L14 -36L11 -35L4 -52Z", red, f'transform="translate({x} {y})"')
    out += kit.circle(x, y - 71, 9, ink)
    # the foot of the stairs
    out += kit.rect(-5, foot, 1010, 400, ink)
    out += kit.rect(-5, foot, 1010, 5, deep)
    out += kit.text_fit("Nosferatu", 66, 1158, 868, font="blackletter", fill=lit)
    out += kit.text("EINE SYMPHONIE", 392, 1412, 30, "condensed-mid", wall, "end", track=.36)
    out += kit.text("DES GRAUENS", 474, 1412, 30, "condensed-mid", wall, "start", track=.36)
    out += kit.credits(y=1464, size=22, fill=kit.mix(deep, wall, .3), width=868, lines=[[("", c) for c in film.cast] + [("directed by", film.director), ("", "1922")]])
    kit.finish(grain=6, paper=5, wear=.35, vignette=.42)
    return out


def dense(pts):
    out = []
    for (x0, y0), (x1, y1) in zip(pts, pts[1:] + pts[:1]):
        k = max(1, int(abs(y1 - y0) / 3))
        out += [(x0 + (x1 - x0) * i / k, y0 + (y1 - y0) * i / k) for i in range(k)]
    return out
