"""Two huge wheels, one rod, and on the rod a man who has not noticed that the engine is moving."""
import math


def draw(film, kit):
    cream, green, deep, red, ink, brass = "#f0e3c4", "#1f4b3f", "#153629", "#c13a25", "#171a18", "#d8a035"
    out = kit.bg(cream)
    # boiler side
    out += kit.rect(-5, -5, 1010, 585, green)
    out += kit.rect(-5, 120, 1010, 40, kit.mix(green, cream, .16)) + kit.rect(-5, 172, 1010, 10, kit.mix(green, cream, .16))
    for x in (70, 930):
        out += kit.rect(x - 22, -5, 44, 490, brass) + kit.rect(x - 22, -5, 12, 490, kit.mix(brass, cream, .5))
    out += kit.rect(-5, 486, 1010, 70, ink) + kit.rect(-5, 486, 1010, 9, brass) + kit.rect(-5, 556, 1010, 30, deep)
    out += "".join(kit.circle(28 + i * 59, 524, 8, brass) for i in range(17))
    # name plate
    out += kit.g(kit.rect(136, 206, 728, 224, ink) + kit.rect(148, 218, 704, 200, brass) + kit.rect(158, 228, 684, 180, ink), filter=kit.shadow(0, 8, 8, "#000", .4))
    out += kit.text("THE", 500, 286, 40, "slab", brass, "middle", track=.5)
    out += kit.text_fit("GENERAL", 186, 304, 628, 80, "slab", brass, track=.06)
    # wheels
    wy, r = 900, 318
    wheels = (176, 876)
    rail = wy + r
    pin = -32  # where the crank stands
    pr = 138
    for wx in wheels:
        out += kit.circle(wx, wy, r + 18, ink) + kit.circle(wx, wy, r, cream) + kit.circle(wx, wy, r - 10, red) + kit.circle(wx, wy, r - 64, cream)
        out += kit.circle(wx, wy, r - 64, kit.mix(cream, brass, .22))
        for i in range(14):
            a = 360 / 14 * i + pin
            p, q = kit.polar(wx, wy, 50, a), kit.polar(wx, wy, r - 56, a)
            n = (math.sin(math.radians(a)), -math.cos(math.radians(a)))
            out += kit.poly([(p[0] + n[0] * 17, p[1] + n[1] * 17), (q[0] + n[0] * 11, q[1] + n[1] * 11), (q[0] - n[0] * 11, q[1] - n[1] * 11), (p[0] - n[0] * 17, p[1] - n[1] * 17)], red)
        w = [kit.polar(wx, wy, r - 52, pin + 180 + a) for a in range(-46, 47, 4)]
        out += kit.poly(w, kit.mix(red, ink, .3))
        out += kit.circle(wx, wy, 86, kit.mix(red, ink, .3)) + kit.circle(wx, wy, 44, ink) + kit.circle(wx, wy, 26, brass)
        px, py = kit.polar(wx, wy, pr, pin)
        out += kit.poly(kit.ribbon_pts([(wx, wy), ((wx + px) / 2, (wy + py) / 2), (px, py)], [128, 110, 96]), kit.mix(red, ink, .3)) + kit.circle(px, py, 52, kit.mix(red, ink, .3))
        out += kit.circle(wx, wy, 44, ink) + kit.circle(wx, wy, 26, brass)
    # the circle he is carried round
    mx, my = (wheels[0] + wheels[1]) / 2, wy
    arc = "".join(kit.line(*kit.polar(mx, my, pr, a), *kit.polar(mx, my, pr, a + 5), 5, brass) for a in range(pin + 14, pin + 350, 11))
    out += arc
    # coupling rod
    ps = [kit.polar(wx, wy, pr, pin) for wx in wheels]
    y = ps[0][1]
    out += kit.path(f"M-20 {y - 22}L{ps[0][0] - 54} {y - 22}L{ps[0][0]} {y - 22}L1020 {y - 22}L1020 {y + 24}L-20 {y + 24}Z", ink)
    out += kit.rect(-5, y - 22, 1010, 7, kit.mix(ink, cream, .45)) + kit.rect(-5, y - 2, 1010, 5, kit.mix(ink, cream, .25))
    for p in ps:
        out += kit.circle(*p, 50, ink) + kit.circle(*p, 30, brass) + kit.circle(*p, 13, ink)
    # he sits, elbows on his knees, seen from the side, face in his hands
    sx, sy = mx + pr * math.cos(math.radians(pin)) - 30, y - 24
    m = kit.path("M-40 4C-52 -40 -44 -104 0 -128C26 -138 44 -124 46 -104L30 -40L20 4Z", ink)
    m += kit.ribbon([(-14, -14), (40, -34), (88, -46)], [40, 38, 30], ink) + kit.ribbon([(88, -46), (88, 20), (82, 74)], [32, 26, 22], ink)
    m += kit.path("M70 66L96 66L98 82C112 84 122 90 122 98L70 98Z", ink)
    m += kit.ribbon([(18, -112), (40, -70), (72, -58)], [30, 26, 20], deep) + kit.ribbon([(70, -56), (76, -90), (66, -116)], [20, 17, 14], deep)
    m += kit.circle(48, -140, 27, "#d9b48a") + kit.circle(66, -122, 12, "#d9b48a")
    m += kit.path("M22 -150C20 -176 40 -184 56 -180C72 -178 80 -166 78 -152L26 -142Z", ink) + kit.path("M12 -142L86 -158L86 -149L12 -133Z", ink)
    out += kit.g(m, f"translate({sx:.1f} {sy:.1f}) scale(1.02)")
    # rail
    out += kit.rect(-5, rail + 18, 1010, 20, ink) + kit.rect(-5, rail + 18, 1010, 5, brass) + kit.rect(-5, rail + 46, 1010, 10, ink)
    for i in range(9):
        out += kit.rect(-40 + i * 124, rail + 56, 84, 26, kit.mix(ink, red, .3))
    out += kit.rect(-5, rail + 82, 1010, 260, deep)
    out += kit.text("BUSTER KEATON", 60, 1388, 58, "slab", cream, track=.02)
    out += kit.text("MARION MACK", 940, 1388, 34, "slab", brass, "end", track=.04)
    out += kit.credits(x=60, y=1446, size=24, fill=cream, width=880, anchor="start", lines=[[("directed by", "Buster Keaton & Clyde Bruckman"), ("", film.company), ("", film.year)]])
    kit.finish(grain=4, paper=4, wear=.3, vignette=.15)
    return out
