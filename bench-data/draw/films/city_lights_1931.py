"""A dark house front; the windows still lit make a flower, and one small man takes off his hat to it."""

FLOWER = """
...............
.....rrrrr.....
...rrgggggrr...
..rrggrrrggrr..
.rrggrrgrrggrr.
.rrgrrggrrgrrr.
.rrggrrrrggrrr.
..rrrgggggrrr..
...rrrrrrrrr...
.....rrrrr.....
.......g.......
.......g.......
.......g...gg..
..gg...g.gggg..
.gggg..gggg....
...ggg.gg......
.....ggg.......
.......g.......
.......g.......
.......g.......
""".split()


def draw(film, kit):
    night, wall, pane, gold, cream, rose = "#0e1430", "#1a2350", "#121938", "#f5bf4f", "#fff0cf", "#f0705a"
    out = kit.bg(kit.linear([(0, "#0b1028"), (1, "#27306a")]))
    out += kit.specks(0, 0, 1000, 700, 60, cream, .8, 2.4)
    q = [(190, -60), (810, -60), (960, 1250), (40, 1250)]

    def pt(u, v):
        w = v ** 1.12
        return tuple((q[0][k] * (1 - u) + q[1][k] * u) * (1 - w) + (q[3][k] * (1 - u) + q[2][k] * u) * w for k in (0, 1))
    out += kit.poly(q, wall)
    glow, panes = "", ""
    cols, rows = 15, 20
    for r, row in enumerate(FLOWER):
        for c, ch in enumerate(row):
            u0, u1 = (c + .62) / (cols + .55), (c + 1.2) / (cols + .55)
            v0, v1 = (r + .5) / (rows + .5), (r + 1.18) / (rows + .5)
            p = [pt(u0, v0), pt(u1, v0), pt(u1, v1), pt(u0, v1)]
            if ch != ".":
                lit = kit.mix(rose, "#d8414a", kit.rng.random()) if ch == "r" else kit.mix(gold, cream, kit.rng.random() * .7)
                glow += kit.poly([pt(u0 - .008, v0 - .006), pt(u1 + .008, v0 - .006), pt(u1 + .008, v1 + .006), pt(u0 - .008, v1 + .006)], rose if ch == "r" else gold)
                panes += kit.poly(p, lit)
                if kit.rng.random() < .35:  # a blind half down
                    vm = kit.lerp(v0, v1, kit.rng.uniform(.25, .55))
                    panes += kit.poly([p[0], p[1], pt(u1, vm), pt(u0, vm)], kit.mix(lit, "#8c2340" if ch == "r" else rose, .55))
                um = (u0 + u1) / 2
                panes += kit.line(*pt(um, v0), *pt(um, v1), 3, wall) + kit.line(*pt(u0, v0 + (v1 - v0) * .4), *pt(u1, v0 + (v1 - v0) * .4), 3, wall)
            else:
                panes += kit.poly(p, pane)
    out += kit.g(glow, filter=kit.blur(15), opacity=.6) + panes
    # the street
    out += kit.rect(-5, 1222, 1010, 290, "#090d20")
    out += kit.g(kit.smooth([(120, 1306), (300, 1268), (500, 1258), (700, 1268), (880, 1306), (700, 1340), (500, 1350), (300, 1340)], gold), filter=kit.blur(26), opacity=.55)
    man = ("M-22 -174C-22 -200 22 -200 22 -174C22 -160 14 -150 9 -147C36 -142 44 -122 46 -86L54 -78L50 -70L36 -76L31 -94L33 -64L24 -64L28 -14L38 -4L38 2L6 2L2 -56L-2 -56L-6 2L-38 2L-38 -4"
           "L-28 -14L-24 -64L-33 -64L-29 -100L-54 -130L-72 -168L-62 -173L-40 -142L-9 -147C-16 -152 -22 -162 -22 -174Z")
    man = kit.path(man, "#04060e") + kit.path("M-96 -170L-52 -184L-50 -178L-94 -164ZM-88 -174C-92 -204 -62 -212 -58 -184Z", "#04060e") + kit.stroke("M52 -74L82 0M52 -74C46 -90 36 -84 40 -74", 4.5, "#04060e")
    out += kit.g(man, "translate(500 1318) scale(1.05)")
    out += kit.text("City", 60, 1424, 112, "script-fat", cream) + kit.text("Lights", 940, 1424, 112, "script-fat", cream, "end")
    out += kit.credits(y=1474, size=19, fill=gold, width=880, lines=[[("directed by", film.director), ("with", film.cast[1]), ("", "United Artists"), ("", "USA"), ("", film.year)]])
    kit.finish(grain=4, paper=3, wear=.15, vignette=.3)
    return out
