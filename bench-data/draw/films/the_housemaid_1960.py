"""She comes down; the banister is a cage; on the stair stands the glass."""


def draw(film, kit):
    red, ink, bone, dark, poison = "#c9241f", "#130d0e", "#efe3cf", "#8f1218", "#b9d13a"
    out = kit.bg(red)
    # the flight of stairs, in profile, from the top right to the bottom left
    n_, x0, y0, run, rise = 11, 1040, 470, 112, 90
    pts = [(x0, y0)]
    for i in range(n_):
        pts += [(x0 - run * (i + 1), y0 + rise * i), (x0 - run * (i + 1), y0 + rise * (i + 1))]
    stairs = [(x0, y0)] + pts[1:] + [(-40, 1560), (1040, 1560)]
    # the light from above: a slab of darker red behind her
    out += kit.cut([(560, -20), (1020, -20), (1020, 470), (-30, 1500), (-30, 1010)], dark, amt=3)
    out += kit.g(kit.cut(stairs, ink, amt=2, step=400), filter=kit.shadow(-8, -6, 14, opacity=.35))
    for i in range(n_):  # worn edges catch the light
        x, y = x0 - run * (i + 1), y0 + rise * i
        out += kit.ribbon([(x - 6, y + 4), (x + run * .5, y + 6), (x + run - 8, y + 5)], [5, 9, 3], bone)
    # two legs and the hem of a skirt: all we see of her
    skirt = [(640, -30), (1000, -30), (1004, 60), (968, 146), (812, 168), (648, 140), (618, 70)]
    legs = ((900, y0 + rise, [(892, 90), (890, 220), (880, 318), (897, 410), (903, 470), (900, 530)], [124, 104, 84, 90, 58, 36], kit.mix(bone, dark, .22)),
            (788, y0 + rise * 2, [(772, 90), (740, 210), (716, 330), (752, 440), (776, 530), (788, 616)], [132, 112, 92, 94, 60, 37], bone))
    for ax, fy, line, widths, skin in legs:
        out += kit.ribbon(line, widths, skin)
        shoe = [(ax - 19, fy - 54), (ax - 40, fy - 34), (ax - 70, fy - 20), (ax - 90, fy - 3), (ax - 90, fy), (ax - 40, fy), (ax - 14, fy - 12),
                (ax + 8, fy - 26), (ax + 12, fy), (ax + 20, fy), (ax + 27, fy - 60), (ax + 19, fy - 66), (ax + 8, fy - 40), (ax - 8, fy - 38)]
        out += kit.path(kit.d_smooth(shoe, k=.09), ink)
    out += kit.g(kit.cut(skirt, ink, amt=5, step=70), filter=kit.shadow(0, 6, 8, opacity=.4))
    # handrail and balusters
    slope = rise / run
    rail = lambda x: y0 + (x0 - x) * slope - 285
    bars = ""
    for i in range(n_ * 2 + 1):
        x = x0 - run * .25 - run / 2 * i
        step = y0 + rise * int((x0 - x) / run)
        bars += kit.ribbon([(x, rail(x)), (x + 1, (rail(x) + step) / 2), (x, step + 6)], [9, 13, 10], ink)
    out += bars
    out += kit.cut([(1040, rail(1040) - 15), (1040, rail(1040) + 15), (-40, rail(-40) + 13), (-40, rail(-40) - 17)], ink, amt=2)
    # the glass
    gx, gy = 424, y0 + rise * 5 + 3
    out += kit.circle(gx, gy - 52, 150, kit.radial([(0, poison, .55), (1, poison, 0)], gx, gy - 52, 150))
    out += kit.poly([(gx - 27, gy - 66), (gx + 27, gy - 66), (gx + 22, gy), (gx - 22, gy)], poison)
    out += kit.poly([(gx - 34, gy - 96), (gx + 34, gy - 96), (gx + 23, gy), (gx - 23, gy)], bone, 'fill-opacity=".28"')
    out += kit.rect(gx - 34, gy - 98, 68, 4, bone)
    # title
    out += kit.outline("하녀", 200, "ko-street").fit(56, 64, 480).svg(bone)
    out += kit.text("THE HOUSEMAID", 940, 1330, 60, "condensed", bone, "end", track=.08)
    out += kit.text("김기영 감독 작품  1960", 940, 1378, 29, "ko", red, "end", track=.06)
    out += kit.credits(x=940, y=1446, size=21, fill=bone, anchor="end", lang="ko", lines=[[("출연", "김진규"), ("", "주증녀"), ("", "이은심")]])
    kit.finish(grain=5, paper=4, wear=.4, vignette=.25)
    return out
