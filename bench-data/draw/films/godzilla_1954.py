"""An island that was not there yesterday: the plates of a back rise out of the night sea behind one fishing boat."""


def draw(film, kit):
    sky, glow, deep, sea, bone = "#d8452a", "#f4a24a", "#10232b", "#17343c", "#f3e6c8"
    out = kit.bg(kit.linear([(0, "#b8301f"), (.35, sky), (.78, glow)]))
    out += kit.halftone(0, 0, 1000, 1120, lambda x, y: .62 * max(0, 1 - y / 760) ** 1.1, "#8f1f1c", pitch=21, angle=45)
    title = kit.outline("ゴジラ", 300, "ja-shock").fit(60, 74, 880, 250)
    out += title.svg(bone)
    hz = 1130

    def plate(cx, base, w, h, lean, body, light):
        """A maple-leaf plate with jagged edges, ribs cut into it."""
        right = [(.5, 0), (.74, .16), (.6, .24), (.86, .4), (.62, .46), (.74, .64), (.47, .66), (.5, .82), (.26, .82), (.1, 1)]
        left = [(-.06, .93), (-.3, .84), (-.3, .74), (-.58, .68), (-.5, .56), (-.8, .46), (-.6, .34), (-.78, .18), (-.5, 0)]
        rr = kit.rng
        pts = [(cx + (x + rr.uniform(-.03, .03)) * w, base - (y + rr.uniform(-.012, .012)) * h) for x, y in right + left]
        d = kit.d_poly(kit.cut_pts(pts, 3, 70))
        t = kit.path(d, body)
        ribs = ""
        for i in range(11):
            f = (i - 5) / 5
            tip = (cx + f * w * .66, base - h * (.95 - .42 * abs(f) ** 1.4))
            mid = (cx + f * w * .3, base - h * .44 * (1 - .2 * abs(f)))
            ribs += kit.ribbon([(cx + f * w * .1, base - h * .04), mid, tip], [0, w * .026, 0], light)
        t += kit.clip(d, ribs)
        return kit.g(t, transform=f"rotate({lean} {cx} {base})")

    back = kit.mix(deep, sky, .38)
    mid = kit.mix(deep, sky, .16)
    for a in ((150, 1130, 120, 190, -24), (330, 1060, 190, 330, -14), (690, 1030, 220, 400, 12), (905, 1120, 150, 240, 24)):
        out += plate(*a, back, kit.mix(back, glow, .45))
    for a in ((40, 1190, 90, 120, -30), (232, 1120, 170, 280, -20), (800, 1100, 200, 330, 18)):
        out += plate(*a, mid, kit.mix(mid, glow, .5))
    out += plate(500, 1080, 440, 742, -3, deep, glow)
    # the back
    ridge = [(-30, 1210), (60, 1170), (180, 1110), (330, 1050), (500, 1026), (660, 1046), (800, 1098), (930, 1156), (1030, 1180), (1030, 1320), (-30, 1320)]
    dd = kit.d_smooth(ridge, k=.12)
    out += kit.path(dd, deep)
    out += kit.clip(dd, kit.hatch(-20, 1030, 1040, 130, kit.mix(deep, glow, .5), pitch=17, angle=90, weight=lambda x, y: max(0, .42 - (y - 1010) / 340), length=58, wob=.5))
    # the sea
    out += kit.rect(-5, hz + 8, 1010, 400, sea)
    for i in range(22):
        y = hz + 6 + 205 * (i / 22) ** 1.2
        x, w = kit.rng.uniform(-160, 800), 150 + i * 18
        out += kit.ribbon([(x, y), (x + w * .3, y - 5), (x + w * .6, y + 4), (x + w, y)], [0, 4 + i * .5, 4 + i * .4, 0], deep if i % 3 else kit.mix(sky, glow, .3))
    for x, w in ((60, 260), (400, 240), (700, 260)):  # surf where the back breaks the water
        out += kit.ribbon([(x, hz + 12), (x + w * .3, hz + 2), (x + w * .7, hz + 10), (x + w, hz + 10)], [0, 9, 7, 0], bone)
    # the boat
    bx, by = 742, 1262
    out += kit.path(f"M{bx - 66} {by - 26}L{bx + 76} {by - 34}L{bx + 56} {by + 4}H{bx - 48}Z", bone)
    out += kit.rect(bx - 30, by - 58, 44, 32, bone) + kit.rect(bx + 34, by - 128, 5, 98, bone) + kit.line(bx + 36, by - 124, bx - 30, by - 58, 2.5, bone)
    out += kit.rect(bx - 20, by - 50, 12, 12, sea)
    out += kit.circle(bx + 36, by - 132, 60, kit.radial([(0, glow, .8), (1, glow, 0)], bx + 36, by - 132, 60)) + kit.circle(bx + 36, by - 132, 7, "#fff3cf")
    out += kit.ribbon([(bx - 70, by + 14), (bx, by + 9), (bx + 80, by + 14)], [0, 7, 0], bone)
    # lettering
    out += kit.text("GODZILLA", 60, 1396, 60, "geo-black", bone, track=.1)
    out += kit.text("1954  東宝", 942, 1394, 30, "ja-black", glow, "end", track=.08)
    out += kit.credits(x=60, y=1448, size=22, fill="#b9c0b2", width=880, anchor="start", lang="ja",
                       lines=[[("監督", "本多猪四郎"), ("出演", "宝田明"), ("", "河内桃子"), ("", "平田昭彦"), ("", "志村喬")]])
    kit.finish(grain=4, paper=4, wear=.12, vignette=.15)
    return out
