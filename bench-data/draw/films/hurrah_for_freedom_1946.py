"""Raised arms – manse! – bend the prison bars apart; the broken bar in the middle has become a man."""


def draw(film, kit):
    paper, navy, red, dawn = "#f1e4c8", "#17264a", "#d3321f", "#e9b26a"
    out = kit.bg(paper)
    out += kit.halftone(0, 0, 1000, 1130, lambda x, y: max(0, min(.62, 1.02 - ((x - 500) ** 2 + (y - 760) ** 2) ** .5 / 780)),
                        dawn, pitch=15, angle=30)
    out += kit.clip("M-5 -5H1005V1128H-5Z", kit.rays(500, 640, 300, 1300, 30, kit.mix(paper, dawn, .55), a0=-6, duty=.34))
    # bars; the inner ones are bent
    for x, b in ((58, 0), (190, 30), (322, 128), (678, -128), (810, -30), (942, 0)):
        pts = [(x, -30), (x, 60), (x - b * .35, 190), (x - b, 372), (x - b * .78, 560), (x - b * .22, 800), (x, 980), (x, 1200)]
        out += kit.ribbon(pts, [58, 58, 57, 54, 55, 58, 58, 58], navy)
        out += kit.ribbon([(p - 15, q) for p, q in pts], [7, 7, 6, 5, 6, 7, 7, 7], kit.mix(navy, paper, .3))
    # the stub of the broken one
    out += kit.cut([(471, -20), (529, -20), (529, 118), (512, 104), (505, 150), (488, 116), (471, 136)], navy, amt=2)
    # the man
    def arm(s):
        m = lambda pts: [(500 + s * (x - 500), y) for x, y in pts]
        a = kit.ribbon(m([(566, 668), (640, 570), (672, 478), (744, 392), (782, 330)]), [104, 78, 62, 56, 50], red)
        # fist round the bar
        f = [(752, 342), (762, 296), (800, 280), (846, 296), (852, 346), (828, 380), (776, 386)]
        a += kit.cut(m(f), red, amt=2)
        for i in range(3):
            a += kit.line(*m([(806, 306 + i * 22)])[0], *m([(848, 304 + i * 22)])[0], 4, paper)
        return a
    out += arm(1) + arm(-1)
    out += kit.cut([(442, 608), (558, 608), (620, 660), (596, 800), (584, 930), (610, 1190), (520, 1190), (500, 1000), (480, 1190), (390, 1190),
                    (416, 930), (404, 800), (380, 660)], red, amt=3, step=90)
    out += kit.cut([(470, 560), (530, 560), (536, 640), (464, 640)], red, amt=1)
    out += kit.smooth([(500, 442), (546, 462), (556, 516), (536, 572), (500, 592), (464, 572), (444, 516), (454, 462)], red)
    out += kit.path("M452 640L500 742L548 640L520 632L500 672L480 632Z", paper)
    # broken cuffs
    for s in (-1, 1):
        cx = 500 + s * 236
        out += kit.g(kit.rect(cx - 38, 398, 76, 22, navy), transform=f"rotate({s * 38} {cx} 410)")
        for i in range(3):
            out += kit.g(f'<ellipse cx="{cx - s * (6 + i * 5)}" cy="{448 + i * 32}" rx="9" ry="20" fill="none" stroke="{navy}" stroke-width="7"/>',
                         transform=f"rotate({s * (18 if i % 2 else -24)} {cx} {448 + i * 32})")
    # title
    out += kit.rect(-5, 1124, 1010, 400, navy)
    out += kit.text_fit("자유만세", 56, 1168, 888, 176, "ko-poster", paper, track=.02)
    out += kit.rect(56, 1372, 888, 5, red)
    out += kit.text("HURRAH! FOR FREEDOM", 56, 1420, 34, "condensed", paper, track=.1)
    out += kit.text("1946", 944, 1420, 34, "condensed", paper, "end", track=.1)
    out += kit.credits(x=56, y=1458, size=22, fill=kit.mix(paper, navy, .2), anchor="start", lang="ko", lines=[[("감독", "최인규"), ("출연", "전창근")]])
    kit.finish(grain=5, paper=5, wear=.35, vignette=.12)
    return out
