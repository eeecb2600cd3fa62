"""Rows of identical nuts on the line, seen from above; one place is empty: a bowler hat has stepped out of the pattern."""


def draw(film, kit):
    green, steel, ink, cream, red = "#2c7a70", "#dcd9c6", "#14181a", "#f4eeda", "#e4572e"
    out = kit.bg(green)
    dx, r = 172, 84
    dy = dx * .866
    deep = kit.mix(green, ink, .42)
    nuts = shad = ""
    for j in range(0, 7):
        for i in range(-1, 8):
            x, y = -14 + dx * i + (dx / 2 if j % 2 else 0), -22 + dy * j
            if (i, j) == (4, 5):
                gx, gy = x, y
                continue
            hexa = [kit.polar(x, y, r, 30 + 60 * k) for k in range(6)]
            shad += kit.poly([(a + 9, b + 12) for a, b in hexa], deep)
            nuts += kit.poly(hexa, steel)
            nuts += kit.circle(x, y, 66, cream) + kit.circle(x, y, 45, ink) + kit.circle(x + 3, y + 5, 40, deep)
            nuts += kit.ring(x, y, 52, 2.4, kit.mix(steel, ink, .35))
    out += shad + nuts
    out += kit.poly([kit.polar(gx, gy, r, 30 + 60 * k) for k in range(6)], kit.mix(green, ink, .16))
    # the hat and the cane
    hx, hy = 752, 1196
    hat = kit.path("M-186 34A186 70 0 0 1 186 34A186 70 0 0 1 -186 34Z", deep, 'transform="translate(16 30)"')
    hat += kit.path("M-196 8C-170 -18 -140 -32 -118 -36L118 -36C140 -32 170 -18 196 8C200 40 120 88 0 88C-120 88 -200 40 -196 8Z", ink)
    hat += kit.ribbon([(-190, 14), (-120, 58), (0, 74), (120, 58), (190, 14)], [0, 6, 7, 6, 0], kit.mix(ink, cream, .5))
    hat += kit.path("M-122 8C-132 -96 -84 -168 0 -168C84 -168 132 -96 122 8C90 46 -90 46 -122 8Z", ink)
    hat += kit.path("M-124 -34C-90 4 90 4 124 -34L122 10C90 48 -90 48 -122 10Z", red)
    hat += kit.ribbon([(-88, -62), (-74, -112), (-32, -142)], [0, 15, 0], cream)
    out += kit.g(hat, f"translate({hx} {hy}) rotate(-12) scale(.98)")
    cane = "M520 1404L884 1322C926 1310 932 1266 896 1258C876 1254 862 1266 862 1284"
    out += kit.g(kit.stroke(cane, 15, deep), "translate(10 16)") + kit.stroke(cane, 15, ink) + kit.stroke("M520 1404L562 1394.5", 15, red)
    out += kit.text("MODERN", 58, 1226, 124, "futura", cream, track=-.01)
    out += kit.text("TIMES", 58, 1340, 124, "futura", cream, track=-.01)
    out += kit.credits(x=60, y=1456, size=21, fill=cream, anchor="start", width=880)
    kit.finish(grain=4, paper=4, wear=.25, vignette=.12)
    return out
