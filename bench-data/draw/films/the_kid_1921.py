"""A broken window, and under it a boy who looks up innocently; behind his back, where only we can see it, is the next stone."""


def draw(film, kit):
    brick, dark, glass, pale, cream, ink, skin = "#b8482f", "#93351f", "#8fbcc0", "#b9d6d2", "#f5e9cf", "#1c1a1a", "#eebf94"
    out = kit.bg(brick)
    for r in range(30):  # courses of brick, only here and there
        for c in range(9):
            if kit.rng.random() < .3:
                x, y = c * 128 - 64 * (r % 2) + 4, 934 + r * 34
                if y < 1290:
                    out += kit.rect(x, y, 120, 27, kit.mix(brick, dark, kit.rng.choice((.35, .6))))
    # the window
    out += kit.g(kit.rect(96, -30, 808, 914, cream), filter=kit.shadow(0, 10, 10, ink, .35))
    panes = [(136, -20, 348, 390), (516, -20, 348, 390), (136, 404, 348, 424), (516, 404, 348, 424)]
    for i, (x, y, w, h) in enumerate(panes):
        out += kit.rect(x, y, w, h, glass)
        d = kit.d_poly([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        sh = kit.poly([(x + w * .1, y + h), (x + w * .72, y), (x + w * .95, y), (x + w * .33, y + h)], pale) + kit.poly([(x + w * .44, y + h), (x + w * 1.06, y), (x + w * 1.12, y), (x + w * .5, y + h)], pale)
        if i == 2:
            cx, cy = x + w * .52, y + h * .5
            rr = (196, 96, 236, 84, 172, 102, 250, 92, 200, 80, 228, 104, 178, 88, 240, 96)
            star = [kit.polar(cx, cy, rr[k] * .86, k * 22.5 + 6) for k in range(16)]
            for k in range(0, 16, 2):
                a = k * 22.5 + 6
                sh += kit.poly([kit.polar(cx, cy, 100, a - 4), kit.polar(cx, cy, 520, a + 2), kit.polar(cx, cy, 100, a + 4)], cream)
            sh += kit.poly([(a + 9, b + 9) for a, b in star], cream) + kit.poly(star, ink)
        out += kit.clip(d, sh)
        out += kit.rect(x, y, w, 9, kit.mix(glass, ink, .35)) + kit.rect(x, y, 9, h, kit.mix(glass, ink, .35))
    out += kit.rect(64, 868, 872, 50, cream) + kit.rect(64, 912, 872, 10, dark) + kit.rect(64, 868, 872, 6, "#ffffff")
    # pavement, splinters
    out += kit.rect(-5, 1330, 1010, 190, ink) + kit.rect(-5, 1330, 1010, 10, kit.mix(ink, cream, .3))
    for x, y, s, a in ((88, 1322, 18, 0), (132, 1326, 11, 30), (386, 1322, 16, 60), (440, 1327, 9, 10), (110, 1270, 10, 80), (404, 1236, 13, 30), (92, 1100, 12, 10), (150, 990, 10, 50)):
        out += kit.poly([kit.polar(x, y, s, a), kit.polar(x, y, s * .9, a + 130), kit.polar(x, y, s * .7, a + 230)], pale)
    # the boy, from behind
    k = ""
    for s in (-1, 1):  # boots, legs
        k += kit.path(f"M{s * 8} -96L{s * 44} -96L{s * 42} -30L{s * 14} -30Z", skin)
        k += kit.path(f"M{s * 10} -40L{s * 46} -40C{s * 52} -20 {s * 66} -16 {s * 66} 2L{s * 10} 2Z", ink)
    k += kit.poly(kit.cut_pts([(-64, -200), (64, -200), (66, -82), (44, -72), (38, -90), (8, -84), (0, -140), (-8, -78), (-60, -86)], 2, 40), "#3f4a52")
    k += kit.poly([(18, -150), (50, -154), (54, -118), (22, -112)], cream, 'transform="rotate(0)"')
    k += "".join(kit.line(x, y, x + dx, y + dy, 3, ink) for x, y, dx, dy in ((20, -156, 2, 10), (34, -159, 2, 10), (48, -160, 2, 10), (58, -142, -9, 2), (60, -126, -9, 2), (14, -136, 10, -2), (16, -120, 10, -2)))
    k += kit.poly(kit.cut_pts([(-56, -338), (56, -338), (84, -300), (88, -170), (-88, -170), (-84, -300)], 3, 60), cream)
    for y in range(-326, -172, 26):
        k += kit.rect(-84, y, 168, 8, kit.mix(cream, dark, .55))
    k += kit.ribbon([(-40, -336), (-20, -290), (4, -240)], [15, 15, 15], ink) + kit.ribbon([(40, -336), (20, -290), (-4, -240)], [15, 15, 15], ink)
    for s in (-1, 1):  # arms folded behind
        k += kit.ribbon([(s * 62, -318), (s * 98, -262), (s * 84, -206), (s * 22, -206)], [46, 46, 42, 34], kit.mix(cream, dark, .22))
    k += kit.poly(kit.cut_pts([(-34, -212), (-44, -256), (-8, -292), (36, -284), (52, -240), (32, -206)], 2, 30), "#cfcabb") + kit.poly([(-44, -256), (-8, -292), (4, -262), (-34, -212)], "#a8a396") + kit.poly([(4, -262), (52, -240), (32, -206), (-34, -212)], "#b9b4a6") + kit.circle(-18, -206, 23, skin) + kit.circle(20, -206, 23, skin) + kit.ribbon([(-26, -208), (-20, -232), (-8, -240)], [15, 14, 10], skin) + kit.ribbon([(30, -208), (26, -234), (12, -242)], [15, 14, 10], skin) + kit.ribbon([(10, -208), (6, -228), (-2, -234)], [14, 13, 9], skin)
    k += kit.rect(-18, -362, 36, 34, skin)
    k += kit.circle(-58, -396, 14, skin) + kit.circle(58, -396, 14, skin)
    k += kit.smooth([(-56, -396), (-50, -352), (0, -338), (50, -352), (56, -396), (40, -440), (-40, -440)], "#5a3524")
    k += kit.path("M-84 -412C-92 -470 -50 -500 8 -498C66 -496 100 -462 86 -414C60 -398 -50 -396 -84 -412Z", "#3f4a52")
    k += kit.ribbon([(4, -496), (-4, -450), (-6, -404)], [2, 5, 3], ink) + kit.ribbon([(4, -496), (44, -460), (54, -406)], [2, 5, 3], ink) + kit.ribbon([(4, -496), (-46, -462), (-54, -408)], [2, 5, 3], ink) + kit.circle(6, -497, 8, ink)
    k = kit.g(k, "translate(252 1336) scale(.9)")
    out += kit.ribbon([(150, 1344), (260, 1350), (400, 1344)], [0, 16, 0], "#000000") + k
    out += kit.text_fit("the", 470, 968, 150, None, "hand", cream)
    out += kit.text_fit("KID", 470, 1076, 460, 216, "hand", cream)
    out += kit.credits(y=1448, size=24, fill=cream, width=884, lines=[[("with" if i == 0 else "", c) for i, c in enumerate(film.cast)] + [("", film.company), ("", film.year)]])
    kit.finish(grain=4, paper=4, wear=.2, vignette=.15)
    return out
