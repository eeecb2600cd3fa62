"""Seven swords stand on the burial mound like rays of a sun, among the new rice; one of them is far too long."""


def draw(film, kit):
    green, ink, straw, red, deep = "#b3bf58", "#161a12", "#efe6c0", "#c8331f", "#4f6a2c"
    out = kit.bg(kit.linear([(0, straw), (.55, "#d5d489"), (1, green)]))

    def hilt(x, y, s, base, lean, wrap, guard, long=0):
        """A sword, hilt up, its blade in the mud. (x, y) = top of the pommel, s = half width of the grip."""
        L = s * 6.6 + long
        t = ""
        # blade, guard, grip
        t += kit.poly([(x - s * .5, y + L), (x + s * .42, y + L), (x + s * .34, base), (x - s * .36, base)], kit.mix(ink, straw, .13))
        t += kit.poly([(x - s * .5, y + L), (x - s * .2, y + L), (x - s * .14, base), (x - s * .36, base)], straw)
        grip = kit.d_smooth([(x - s * .82, y + s * .5), (x - s * .7, y + L * .5), (x - s * .84, y + L - s * .2), (x + s * .84, y + L - s * .2), (x + s * .7, y + L * .5),
                             (x + s * .82, y + s * .5)], k=.1)
        t += kit.path(grip, ink)
        n_ = 7 + int(long / 40)
        for i in range(n_):
            cy, hh = y + s * .95 + (L - s * 1.6) * (i + .5) / n_, (L - s * 1.6) / n_ * .4
            t += kit.poly([(x, cy - hh), (x + s * .42, cy), (x, cy + hh), (x - s * .42, cy)], wrap)
        t += kit.path(f"M{x - s * .9} {y + s * .7}V{y + s * .25}Q{x} {y - s * .35} {x + s * .9} {y + s * .25}V{y + s * .7}Z", ink)
        t += kit.rect(x - s * .9, y + s * .66, s * 1.8, s * .1, wrap)
        if guard == "round":
            t += f'<ellipse cx="{x}" cy="{y + L}" rx="{s * 1.95}" ry="{s * .42}" fill="{ink}"/>'
        else:
            t += kit.cut([(x - s * 1.9, y + L - s * .32), (x + s * 1.9, y + L - s * .32), (x + s * 1.9, y + L + s * .3), (x - s * 1.9, y + L + s * .3)], ink, amt=2)
        t += kit.rect(x - s * .62, y + L + s * .34, s * 1.24, s * .42, "#b58a35")
        return kit.g(t, transform=f"rotate({lean} {x} {base})")

    cx, cy, R = 500, 2560, 1500
    for k, (a, top, s) in enumerate(((-12.8, 560, 32), (-8.7, 640, 33), (-4.6, 590, 34), (4.6, 590, 34), (8.7, 640, 33), (12.8, 560, 32), (0, 985, 56))):
        x, base = kit.polar(cx, cy, R - 30, a - 90)
        out += hilt(x, base - top, s, base, a, red if a == 0 else straw, "round" if k % 2 == 0 else "square", 235 if a == 0 else 0)
    out += kit.circle(cx, cy, R, ink)
    # rice, planted in rows over the mound
    for row, (r, h, step, c) in enumerate(((1506, 46, 1.15, ink), (1462, 50, 1.25, deep), (1406, 56, 1.4, kit.mix(deep, green, .35)), (1338, 62, 1.6, kit.mix(deep, green, .7)))):
        d, a = "", -22 + (row % 2) * step / 2
        while a < 22:
            for o in (-1, -.5, 0, .45, 1):
                q = kit.rng.uniform(.75, 1.15)
                d += kit.d_poly(kit.ribbon_pts([kit.polar(cx, cy, r - 6, a - 90 + o * .06), kit.polar(cx, cy, r + h * .45 * q, a - 90 + o * step * .26),
                                                kit.polar(cx, cy, r + h * q * (1 - .3 * abs(o)), a - 90 + o * step * .66)], [h * .06, h * .1, 0], 5))
            a += step
        out += kit.path(d, c)
    # lettering
    for s_, x in (("七人", 150), ("の侍", 850)):
        out += kit.vtext(s_, x, 62, 196, "ja-ink", ink, track=-.08, attrs=f'stroke="{ink}" stroke-width="7"')
    out += kit.text("SEVEN SAMURAI", 500, 1400, 52, "geo", straw, "middle", track=.16)
    out += kit.credits(x=500, y=1452, size=25, fill="#b4b892", width=884, lang="ja",
                       lines=[[("監督", "黒澤明"), ("出演", "志村喬"), ("", "三船敏郎"), ("", "東宝"), ("", "1954")]])
    kit.finish(grain=4.5, paper=4, wear=.25, vignette=.15)
    return out
