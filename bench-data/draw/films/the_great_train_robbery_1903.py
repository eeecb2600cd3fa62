"""The mouth of the tunnel is the mouth of a revolver: the rails come straight out of the barrel, the title lies between them."""
import math


def draw(film, kit):
    sand, ink, red, pale, steel = "#e2b45c", "#1a1512", "#b92b1a", "#f6e3b4", "#3a312a"
    cx, cy = 500, 420
    out = kit.bg(sand)
    # the desert: flat mesas in the distance
    out += kit.rect(-5, 704, 1010, 810, kit.mix(sand, red, .16))
    for pts in ([(-10, 706), (-10, 600), (40, 600), (62, 566), (150, 566), (168, 610), (204, 640), (226, 706)], [(1010, 706), (1010, 574), (930, 574), (914, 618), (860, 618), (838, 668), (800, 706)]):
        out += kit.poly(kit.cut_pts(pts, 3, 80), kit.mix(sand, red, .5))
    for x, y, s in ((150, 150, 1), (850, 250, .8)):  # two buzzards
        out += kit.ribbon([(x - 44 * s, y - 12 * s), (x - 22 * s, y - 16 * s), (x, y), (x + 22 * s, y - 16 * s), (x + 44 * s, y - 12 * s)], [0, 9 * s, 11 * s, 9 * s, 0], ink)
    # cylinder, frame, sight
    out += kit.rect(cx - 26, 20, 52, 140, ink)
    d = kit.d_poly([kit.polar(cx, cy + 84, 338 - 40 * max(0, math.cos(math.radians(i * 30))) ** 3, i * 5 - 90) for i in range(72)])
    out += kit.path(d, ink)
    for i in range(6):
        x, y = kit.polar(cx, cy + 84, 258, -90 + 60 * i + 30)
        if abs(x - cx) > 200 and y > cy:
            out += kit.circle(x, y, 58, steel) + kit.circle(x, y, 47, red) + kit.circle(x, y, 20, ink)
    # the barrel
    out += kit.circle(cx, cy, 262, pale) + kit.circle(cx, cy, 250, ink) + kit.circle(cx, cy, 236, steel)
    out += kit.path(f"M{cx - 236} {cy}A236 236 0 0 1 {cx + 60} {cy - 228}A260 260 0 0 0 {cx - 200} {cy + 60}Z", "#5b4c3d")
    out += kit.circle(cx, cy, 186, pale) + kit.circle(cx, cy, 178, ink)
    for i in range(6):  # rifling
        a = i * 60 + 20
        p = [kit.polar(cx, cy, 178, a), kit.polar(cx, cy, 178, a + 22), kit.polar(cx + 0, cy + 16, 92, a + 58), kit.polar(cx, cy + 16, 92, a + 44)]
        out += kit.poly(p, steel)
    out += kit.circle(cx, cy + 16, 92, ink)
    # a train, far inside
    out += kit.circle(cx, cy + 20, 80, kit.radial([(0, sand, .9), (1, sand, 0)], cx, cy + 20, 80))
    tx, ty = cx, cy + 62
    out += kit.path(f"M{tx - 30} {ty}L{tx - 30} {ty - 12}L{tx - 24} {ty - 12}L{tx - 24} {ty - 44}A24 24 0 0 1 {tx + 24} {ty - 44}L{tx + 24} {ty - 12}L{tx + 30} {ty - 12}L{tx + 30} {ty}L{tx + 18} {ty + 12}L{tx - 18} {ty + 12}Z", ink)
    out += kit.poly([(tx - 7, ty - 64), (tx - 13, ty - 92), (tx + 13, ty - 92), (tx + 7, ty - 64)], ink)
    out += kit.circle(tx, ty - 42, 11, pale)
    # the road bed
    top, bot = cy + 66, 1510
    hw = lambda y: 34 + (y - top) * .47
    bed = [(cx - 44, top + 10), (cx + 44, top + 10), (cx + hw(bot) + 90, bot), (cx - hw(bot) - 90, bot)]
    out += kit.poly(bed, kit.mix(sand, pale, .45))
    out += kit.poly([(cx - 44, top + 10), (cx + 44, top + 10), (cx + hw(740) + 30, 740), (cx - hw(740) - 30, 740)], kit.linear([(0, ink), (.35, ink, .75), (1, ink, 0)], y1=top, y2=740))
    # sleepers, then the title as sleepers
    y, h = top + 20, 6.0
    while y < 720:
        out += kit.poly([(cx - hw(y) * 1.3, y), (cx + hw(y) * 1.3, y), (cx + hw(y + h) * 1.3, y + h), (cx - hw(y + h) * 1.3, y + h)], ink if y > 600 else steel)
        y += h * 2.3
        h *= 1.2
    y = 742
    for word, h in (("THE", 72), ("GREAT", 124), ("TRAIN", 166), ("ROBBERY", 214)):
        o = kit.outline(word, 200, "slab", track=.02).fit(-200, y, 400, h)
        out += o.warp(lambda x, yy: (cx + x / 200 * (hw(yy) - 26 - (yy - 700) * .02), yy), 5).svg(red if word == "ROBBERY" else ink)
        y += h + 24
    for s in (-1, 1):
        for a, b, c in ((0, .09, ink), (.03, .05, pale)):
            out += kit.poly([(cx + s * (hw(top) * (1 + a)), top), (cx + s * (hw(top) * (1 + b)), top), (cx + s * (hw(bot) * (1 + b)), bot), (cx + s * (hw(bot) * (1 + a)), bot)], c)
    out += kit.rect(-5, 1420, 1010, 100, ink)
    out += kit.credits(y=1472, size=27, fill=pale, width=860)
    kit.finish(grain=5, paper=5, wear=.45, vignette=.25)
    return out
