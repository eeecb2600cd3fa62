"""A dark house front; the windows still lit make a flower, and one small man takes off his hat to it."""

FLOWER = """
.............
.....###.....
...##.#.##...
..#..#.#..#..
..#.##.##.#..
..##.###.##..
..#.##.##.#..
...#..#..#...
....##.##....
......#......
......#...#..
.##...#..##..
..##..#.##...
...##.###....
.....###.....
......#......
......#......
.............
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
    cols, rows = 13, 18
    for r, row in enumerate(FLOWER):
        for c, ch in enumerate(row):
            u0, u1 = (c + .62) / (cols + .55), (c + 1.18) / (cols + .55)
            v0, v1 = (r + .55) / (rows + .6), (r + 1.2) / (rows + .6)
            p = [pt(u0, v0), pt(u1, v0), pt(u1, v1), pt(u0, v1)]
            if ch == "#":
                head = r < 9
                col = kit.mix(gold, cream, kit.rng.random() * .7)
                glow += kit.poly([pt(u0 - .008, v0 - .006), pt(u1 + .008, v0 - .006), pt(u1 + .008, v1 + .006), pt(u0 - .008, v1 + .006)], rose if head else gold)
                panes += kit.poly(p, col)
                k = kit.rng.random()
                if k < .3:
                    vm = kit.lerp(v0, v1, kit.rng.uniform(.25, .55))
                    panes += kit.poly([p[0], p[1], pt(u1, vm), pt(u0, vm)], rose if head else kit.mix(gold, wall, .45))
                um = (u0 + u1) / 2
                panes += kit.line(*pt(um, v0), *pt(um, v1), 3, wall) + kit.line(*pt(u0, v0 + (v1 - v0) * .4), *pt(u1, v0 + (v1 - v0) * .4), 3, wall)
            else:
                panes += kit.poly(p, pane)
    out += kit.g(glow, filter=kit.blur(16), opacity=.75) + panes
    # the street
    out += kit.rect(-5, 1250, 1010, 260, "#090d20")
    out += kit.smooth([(300, 1296), (400, 1276), (520, 1270), (640, 1278), (720, 1296), (640, 1314), (520, 1320), (400, 1314)], kit.mix("#090d20", gold, .55))
    man = "M492 1172C492 1150 528 1150 528 1172C528 1184 522 1192 518 1195C540 1200 546 1216 548 1246L556 1252L553 1260L540 1256L536 1240L538 1262L530 1262L534 1294L542 1302L516 1302L512 1266L506 1266L502 1302L476 1302L484 1294L488 1262L480 1262L484 1232L462 1206L448 1176L456 1172L474 1196L502 1196C496 1190 492 1182 492 1172Z"
    out += kit.path(man, "#05070f")
    out += kit.path("M430 1172L462 1164L463 1168L431 1177ZM436 1170C434 1150 454 1146 457 1165Z", "#05070f")
    out += kit.stroke("M551 1254L574 1300M551 1254C546 1242 540 1248 542 1254", 3.4, "#05070f")
    out += kit.text("City Lights", 500, 1420, 116, "script-fat", cream, "middle")
    out += kit.credits(y=1466, size=20, fill=gold, width=760)
    kit.finish(grain=4, paper=3, wear=.15, vignette=.3)
    return out
