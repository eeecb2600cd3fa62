"""Seven swords stand in a rice field like grave posts, among the new rice. One of them is too long."""


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

    # far ones first
    far = kit.mix(straw, ink, .0)
    for a in ((196, 590, 30, 1240, -5, straw, "round", 0), (884, 560, 31, 1240, 6, straw, "square", 0), (640, 520, 34, 1250, -3, straw, "round", 0)):
        out += hilt(*a)
    out += rice(kit, 1180, 30, 13, 70, kit.mix(deep, green, .45))
    for a in ((330, 500, 44, 1330, 4, straw, "square", 0), (770, 470, 45, 1330, 3, straw, "round", 0)):
        out += hilt(*a)
    out += rice(kit, 1240, 24, 18, 92, kit.mix(deep, green, .15))
    for a in ((508, 128, 60, 1420, -2, red, "round", 250), (92, 640, 54, 1420, -7, straw, "square", 0)):
        out += hilt(*a)
    out += rice(kit, 1330, 19, 26, 132, deep)
    out += kit.rect(-5, 1326, 1010, 190, ink)
    out += rice(kit, 1352, 15, 30, 110, ink)
    # lettering
    out += kit.vtext("七人の侍", 868, 62, 96, "ja-ink", ink, track=-.02)
    out += kit.text_fit("SEVEN SAMURAI", 58, 1368, 560, 42, "geo", straw, track=.06)
    out += kit.text("黒澤明 監督作品", 942, 1402, 30, "ja", red, "end", track=.1)
    out += kit.credits(x=58, y=1450, size=24, fill="#a3a884", width=884, anchor="start", lang="ja",
                       lines=[[("出演", "志村喬"), ("", "三船敏郎"), ("", "東宝"), ("", "1954")]])
    kit.finish(grain=4.5, paper=4, wear=.25, vignette=.15)
    return out


def rice(kit, y, count, w, h, fill):
    """A row of seedlings."""
    d, r = "", kit.rng
    for i in range(count + 1):
        x = 1000 * i / count + r.uniform(-12, 12)
        for _ in range(5):
            o, k = r.uniform(-1, 1), r.uniform(.6, 1.1)
            d += kit.d_poly(kit.ribbon_pts([(x + o * 5, y + h * .5), (x + o * w * .5, y - h * k * .4), (x + o * w * 1.7, y - h * k * (1 - .3 * abs(o)))], [w * .26, w * .26, 0], 5))
    return kit.path(d, fill)
