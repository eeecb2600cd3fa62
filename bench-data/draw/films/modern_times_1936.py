"""Rows of identical nuts on the line, seen from above; one place is empty: a bowler hat has stepped out of the pattern."""


def draw(film, kit):
    green, steel, ink, cream, red = "#2c7a70", "#dcd9c6", "#14181a", "#f4eeda", "#e4572e"
    out = kit.bg(green)
    dx, r = 172, 84
    dy = dx * .866
    deep = kit.mix(green, ink, .42)
    nuts = shad = ""
    for j in range(-1, 8):
        for i in range(-1, 8):
            x, y = -14 + dx * i + (dx / 2 if j % 2 else 0), 20 + dy * j
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
    # the belt ends
    out += kit.rect(-5, 1086, 1010, 430, green) if False else ""
    # the hat from above, and the cane
    hx, hy = 716, 1176
    out += kit.smooth([(hx + 14 + a * 1.02, hy + 20 + b * 1.02) for a, b in ((-150, 0), (-118, -88), (0, -126), (118, -88), (150, 0), (118, 88), (0, 126), (-118, 88))], deep)
    out += kit.smooth([(hx + a, hy + b) for a, b in ((-150, 0), (-118, -88), (0, -126), (118, -88), (150, 0), (118, 88), (0, 126), (-118, 88))], ink)
    out += kit.path(f"M{hx-138} {hy}A138 114 0 0 1 {hx+138} {hy}", "none", f'stroke="{kit.mix(ink, cream, .35)}" stroke-width="5"')
    out += kit.circle(hx, hy, 92, red) + kit.circle(hx, hy - 4, 82, ink)
    out += kit.ribbon([(hx - 52, hy - 2), (hx - 36, hy - 40), (hx + 4, hy - 58)], [0, 12, 0], cream)
    cane = "M560 1322L914 1098C946 1078 968 1110 946 1134"
    out += kit.stroke("M572 1336L926 1112C958 1092 980 1124 958 1148", 15, deep)
    out += kit.stroke(cane, 15, ink) + kit.stroke("M560 1322L600 1297", 15, red)
    out += kit.text("MODERN", 58, 1276, 134, "futura", cream, track=-.01)
    out += kit.text("TIMES", 58, 1396, 134, "futura", cream, track=-.01)
    out += kit.credits(x=60, y=1456, size=21, fill=cream, anchor="start", width=880)
    kit.finish(grain=4, paper=4, wear=.25, vignette=.12)
    return out
