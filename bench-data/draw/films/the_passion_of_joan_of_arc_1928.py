"""A lowered eyelid: its lashes are the pikes of the guard, and the tear it sheds is already a flame."""


def draw(film, kit):
    bone, ink, red, ash = "#ece3d0", "#171412", "#d33a1c", "#cbbfa8"
    out = kit.bg(bone)
    lid = [(-40, 330), (150, 520), (330, 618), (520, 650), (710, 600), (880, 470), (1000, 300)]
    # the socket in shadow, cut with a gouge
    crease = [(-40, 120), (170, 262), (380, 330), (560, 342), (760, 296), (1040, 120)]
    out += kit.path(kit.d_smooth(crease, closed=False) + "L1040 -40L-40 -40Z", ink)
    band = kit.d_smooth(crease, closed=False) + "L" + kit.d_smooth([(1040, 236), (770, 424), (560, 486), (380, 474), (170, 396), (-40, 240)], closed=False)[1:] + "Z"
    out += kit.clip(band, kit.hatch(-20, 90, 1040, 420, ink, pitch=17, angle=90, weight=lambda x, y: max(.12, .8 - abs(y - 250 - 90 * (1 - ((x - 500) / 500) ** 2)) / 190), length=150))
    # pikes
    m = 13
    for i in range(m):
        if i == 8:  # here the tear falls
            continue
        t = (i + .5) / m
        k = t * (len(lid) - 1)
        a, b = lid[int(k)], lid[min(int(k) + 1, len(lid) - 1)]
        x, y = kit.lerp(a[0], b[0], k % 1), kit.lerp(a[1], b[1], k % 1)
        y += 8 * (1 - abs((k % 1) - .5) * 2)
        ang = 90 + (500 - x) * .082 + kit.rng.uniform(-1.5, 1.5)
        ln = 244 + 66 * (1 - abs(t - .5) * 2) + (34 if i % 2 else -10)
        p = lambda r, s=0: tuple(v + q for v, q in zip(kit.polar(x, y, r, ang), kit.polar(0, 0, s, ang + 90)))
        out += kit.ribbon([p(-14), p(ln * .5), p(ln)], [15, 11, 9], ink)
        out += kit.poly([p(ln - 20, 4), p(ln + 2, 15), p(ln + 20, 19), p(ln + 100), p(ln + 20, -19), p(ln + 2, -15), p(ln - 20, -4)], ink)
        if i % 3 == 1:  # a halberd now and then
            out += kit.poly([p(ln - 30, 4), p(ln - 46, 44), p(ln + 6, 40), p(ln - 2, 4)], ink)
        out += kit.line(*p(ln + 14), *p(ln + 72), 2.4, bone)
    out += kit.ribbon(lid, [30, 44, 56, 60, 54, 42, 26], ink)
    # the tear that burns
    fx, fy = 762, 1236
    out += kit.ribbon([(714, 622), (724, 760), (744, 880), (752, 980)], [3, 5, 6, 4], red)
    out += kit.path(f"M{fx-8} {fy-300}C{fx+30} {fy-236} {fx-8} {fy-190} {fx+46} {fy-104}C{fx+92} {fy-32} {fx+112} {fy+10} {fx+106} {fy+60}C{fx+98} {fy+126} {fx+52} {fy+166} {fx} {fy+166}"
                    f"C{fx-56} {fy+166} {fx-102} {fy+122} {fx-106} {fy+58}C{fx-110} {fy-4} {fx-70} {fy-46} {fx-52} {fy-112}C{fx-36} {fy-174} {fx-44} {fy-232} {fx-8} {fy-300}Z", red)
    out += kit.ribbon([(fx - 66, fy + 40), (fx - 62, fy + 92), (fx - 24, fy + 128)], [0, 17, 0], bone)
    for i, s in enumerate(("THE PASSION", "OF JOAN", "OF ARC")):
        out += kit.text(s, 58, 1196 + i * 80, 84, "oldstyle-bold", ink, track=-.01)
    out += kit.text("La Passion de Jeanne d’Arc", 60, 1108, 34, "serif-italic", red)
    out += kit.credits(x=60, y=1444, size=23, fill=ink, anchor="start", width=520)
    kit.finish(grain=4, paper=5, wear=.25, vignette=.12)
    return out
