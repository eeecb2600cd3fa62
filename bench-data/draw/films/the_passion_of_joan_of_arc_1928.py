"""A lowered eyelid: its lashes are the pikes of the guard, and the tear it sheds is already a flame."""


def draw(film, kit):
    bone, ink, red, ash = "#ece3d0", "#171412", "#d33a1c", "#cbbfa8"
    out = kit.bg(bone)
    lid = [(-40, 330), (150, 520), (330, 618), (520, 650), (710, 600), (880, 470), (1000, 300)]
    top = [(1040, -40), (-40, -40)]
    # the socket in shadow, cut with a gouge
    crease = [(-40, 120), (170, 262), (380, 330), (560, 342), (760, 296), (1040, 120)]
    out += kit.path(kit.d_smooth(crease, closed=False) + "L1040 -40L-40 -40Z", ink)
    band = kit.d_smooth(crease, closed=False) + "L1040 250" + kit.d_smooth([(1040, 240), (880, 380), (700, 452), (520, 478), (330, 452), (150, 372), (-40, 230)], closed=False)[1:].join(["L", ""]) + "Z"
    out += kit.clip(band, kit.hatch(-20, 90, 1040, 420, ink, pitch=17, angle=90, weight=lambda x, y: max(.12, .8 - abs(y - 250 - 90 * (1 - ((x - 500) / 500) ** 2)) / 190), length=150))
    # pikes
    m = 13
    for i in range(m):
        t = (i + .5) / m
        k = t * (len(lid) - 1)
        a, b = lid[int(k)], lid[min(int(k) + 1, len(lid) - 1)]
        x, y = kit.lerp(a[0], b[0], k % 1), kit.lerp(a[1], b[1], k % 1)
        y += 8 * (1 - abs((k % 1) - .5) * 2)
        ang = 90 + (500 - x) * .082 + kit.rng.uniform(-1.5, 1.5)
        ln = 250 + 90 * (1 - abs(t - .5) * 2) + (34 if i % 2 else -10)
        p = lambda r, s=0: tuple(v + q for v, q in zip(kit.polar(x, y, r, ang), kit.polar(0, 0, s, ang + 90)))
        out += kit.ribbon([p(-14), p(ln * .5), p(ln)], [15, 11, 9], ink)
        out += kit.poly([p(ln - 20, 4), p(ln + 2, 15), p(ln + 20, 19), p(ln + 100), p(ln + 20, -19), p(ln + 2, -15), p(ln - 20, -4)], ink)
        if i % 3 == 1:  # a halberd now and then
            out += kit.poly([p(ln - 30, 4), p(ln - 46, 44), p(ln + 6, 40), p(ln - 2, 4)], ink)
        out += kit.line(*p(ln + 14), *p(ln + 72), 2.4, bone)
    out += kit.ribbon(lid, [30, 44, 56, 60, 54, 42, 26], ink)
    # the tear that burns
    fx, fy = 690, 1232
    out += kit.path(f"M{fx+36} {fy-330}C{fx+20} {fy-230} {fx+118} {fy-170} {fx+128} {fy-40}C{fx+134} {fy+70} {fx+66} {fy+128} {fx} {fy+128}"
                    f"C{fx-76} {fy+128} {fx-130} {fy+66} {fx-126} {fy-26}C{fx-122} {fy-100} {fx-74} {fy-126} {fx-52} {fy-190}C{fx-30} {fy-150} {fx-34} {fy-134} {fx-22} {fy-112}C{fx+4} {fy-180} {fx-12} {fy-250} {fx+36} {fy-330}Z", red)
    out += kit.path(f"M{fx+8} {fy-70}C{fx+16} {fy-20} {fx+60} {fy+4} {fx+58} {fy+52}C{fx+56} {fy+92} {fx+30} {fy+112} {fx} {fy+112}C{fx-34} {fy+112} {fx-58} {fy+88} {fx-56} {fy+50}C{fx-54} {fy+6} {fx-2} {fy-10} {fx+8} {fy-70}Z", bone)
    t, b = kit.stack(["THE", "PASSION", "OF JOAN", "OF ARC"], 60, 1092, 330, "gothic-antique", ink, gap=15, heights=[46, 62, 62, 62]) if False else ("", 0)
    for i, s in enumerate(("THE PASSION", "OF JOAN", "OF ARC")):
        out += kit.text(s, 58, 1190 + i * 82, 92, "oldstyle-bold", ink, track=-.01)
    out += kit.text("La Passion de Jeanne d’Arc", 60, 1100, 31, "serif-italic", red)
    out += kit.credits(x=60, y=1442, size=23, fill=ink, anchor="start", width=520)
    kit.finish(grain=4, paper=5, wear=.25, vignette=.12)
    return out
