"""You are lying in the coffin: darkness, and one small pane with branches, a steeple and the hats of the bearers going by."""


def draw(film, kit):
    dark, wood, mist, ivory, grey = "#0d0e0d", "#22241f", "#c3cabb", "#e6e3d0", "#77806f"
    out = kit.bg(dark)
    # boards of the lid
    for i, (x0, x1) in enumerate(((-5, 172), (178, 500), (506, 826), (832, 1005))):
        out += kit.rect(x0, -5, x1 - x0, 1510, "#151613")
        x = x0 + 14
        while x < x1 - 8:
            y = -40
            while y < 1500:
                ln = kit.rng.uniform(300, 800)
                o = kit.rng.uniform(-5, 5)
                out += kit.ribbon([(x, y), (x + o, y + ln / 2), (x, y + ln)], [0, kit.rng.uniform(2, 5), 0], wood)
                y += ln + 40
            x += kit.rng.uniform(15, 24)
    q = [(214, 236), (800, 212), (772, 884), (238, 866)]
    # the thickness of the lid
    pane = ""
    o = [(150, 160), (866, 140), (836, 968), (176, 942)]
    pane += kit.poly(o, "#060706")
    pane += kit.poly([o[0], q[0], q[3], o[3]], "#2c2f28") + kit.poly([o[3], q[3], q[2], o[2]], "#4a4f43")
    pane += kit.poly([o[1], q[1], q[2], o[2]], "#1c1e1a")
    sky = kit.poly(q, kit.radial([(0, "#eef0e2"), (.6, mist), (1, "#98a293")], 500, 500, 470))
    far = ""
    # the steeple, from far below
    far += kit.poly([(560, 900), (596, 596), (640, 566), (688, 600), (762, 900)], grey)
    far += kit.poly([(590, 606), (640, 330), (694, 606), (640, 574)], kit.mix(grey, dark, .35))
    far += kit.line(640, 286, 640, 350, 6, dark) + kit.line(622, 306, 658, 306, 6, dark)
    far += kit.path("M624 720C624 680 654 680 654 720L656 780L622 780Z", kit.mix(grey, dark, .6))

    def branch(x, y, ang, ln, w, depth):
        pts, a = [(x, y)], ang
        for _ in range(4):
            a += kit.rng.uniform(-20, 20)
            p = kit.polar(*pts[-1], ln / 4, a)
            pts.append(p)
        s = kit.ribbon(pts, [w, w * .85, w * .7, w * .55, w * .35], "#1b1e1a")
        if depth:
            for k in (1, 2, 3, 4):
                for sg in (-1, 1):
                    if kit.rng.random() < .72:
                        s += branch(*pts[k], a + sg * kit.rng.uniform(24, 58), ln * kit.rng.uniform(.42, .68), w * .42, depth - 1)
        return s
    far += branch(180, 330, 12, 330, 26, 3) + branch(830, 170, 150, 300, 20, 3)
    # the bearers, hats from below
    far += kit.path("M170 900L196 742C150 726 140 700 190 704C240 708 330 736 372 764C398 784 370 790 336 784L352 900Z", dark)
    far += kit.path("M190 712L226 560L352 606L338 762Z", dark) + kit.poly([(207, 680), (212, 656), (346, 704), (344, 728)], "#2c2f28")
    far += kit.path("M846 706C800 690 740 690 702 676C684 668 690 656 710 656L738 660L722 540L846 500Z", dark) + kit.poly([(737, 652), (732, 620), (850, 596), (850, 650)], "#2c2f28")
    pane += kit.clip(kit.d_poly(q), sky + far)
    pane += kit.stroke(kit.d_poly(q), 5, "#050605")
    for x, y in ((163, 152), (852, 150), (824, 954), (188, 930)):  # nails
        pane += kit.circle(x + 10, y + 12, 9, "#5a5f52") + kit.circle(x + 8, y + 10, 4, "#8e9484")
    out += kit.g(pane, "translate(500 540) scale(1.13) translate(-508 -556)")
    t = kit.outline("VAMPYR", 200, "oldstyle", track=.16).fit(120, 1122, 760, 150)
    out += t.svg(ivory)
    out += kit.credits(y=1420, size=25, fill=mist, width=640)
    kit.finish(grain=6, paper=3, wear=.2, vignette=.45)
    return out
