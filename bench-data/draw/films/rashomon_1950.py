"""The last character of the title, 門, is the ruined gate itself; three people wait in it for the rain to end."""


def draw(film, kit):
    sky, ink, pale, fire = "#b9b6a6", "#14130f", "#e9e6d6", "#e8602a"
    out = kit.bg(kit.linear([(0, "#8f8f84"), (.7, sky), (1, "#cfcbb8")]))
    # rain behind
    def rain(count, fill, w0, w1, l0, l1, y0=-200, y1=1400):
        d = []
        for _ in range(count):
            x, y, l, w = kit.rng.uniform(-60, 1250), kit.rng.uniform(y0, y1), kit.rng.uniform(l0, l1), kit.rng.uniform(w0, w1)
            dx = -.2 * l
            d.append(f"M{x:.1f} {y:.1f}l{dx - w / 2:.1f} {l:.1f}l{w:.1f} 0Z")
        return kit.path("".join(d), fill)
    out += rain(90, "#7d7e74", 4, 9, 260, 620)
    fx = 520
    out += kit.circle(fx, 1190, 330, kit.radial([(0, fire, .8), (.35, fire, .34), (1, fire, 0)], fx, 1190, 330))
    # the gate
    gate = kit.outline("門", 400, "ja-serif-black").fit(118, 372, 764, 860)
    out += gate.svg(ink)
    # roof: a sweeping ridge, broken on the right
    out += kit.path("M-20 372C90 372 150 330 190 250L214 196C190 190 178 176 176 154C220 170 300 172 420 170L640 168L652 196L676 172L700 214L730 196"
                    "L742 232L776 236C800 292 840 330 884 350L872 366L902 372L880 388L920 404L862 410L846 432L820 416L786 428L770 412L700 420L200 424"
                    "C120 424 40 410 -20 404Z", ink)
    d = ""
    for i in range(17):
        x0, x1 = 236 + i * 29, 96 + i * 40
        if i in (13, 15):
            continue
        d += kit.d_poly(kit.ribbon_pts([(x0, 198), (kit.lerp(x0, x1, .45), 290), (x1, 396)], [3, 4, 7]))
    out += kit.path(d, "#6e6d62")
    for x, y, a in ((822, 470, 24), (900, 560, -38), (856, 690, 60)):  # falling tiles and beams
        out += kit.g(kit.cut([(x - 34, y - 8), (x + 34, y - 10), (x + 32, y + 9), (x - 30, y + 10)], ink, amt=3), transform=f"rotate({a} {x} {y})")
    # steps and mud
    out += kit.cut([(40, 1222), (960, 1222), (972, 1262), (28, 1262)], ink, amt=3)
    out += kit.cut([(-20, 1272), (1020, 1268), (1020, 1520), (-20, 1520)], ink, amt=4)
    # three figures, a fire
    def figure(d, x, s, k=.84):
        return kit.path(d, fire, f'transform="translate({x + 5 * s} 1223) scale({s * k} {k})"') + kit.path(d, ink, f'transform="translate({x} 1224) scale({s * k} {k})"')
    squat = ("M-52 0C-60 -34 -50 -78 -26 -98C-30 -110 -26 -122 -18 -128L-40 -132C-30 -146 -4 -160 22 -134L6 -128C10 -118 8 -110 2 -104C22 -96 30 -74 34 -56"
             "L62 -64L66 -52L40 -38C54 -34 62 -18 62 0Z")
    stand = ("M-38 0L-30 -70C-46 -110 -46 -168 -16 -186C-20 -196 -16 -206 -12 -210L-44 -206C-34 -226 -4 -246 40 -212L16 -208C20 -200 18 -192 12 -186C34 -176 40 -150 42 -118L56 -92L48 -80L34 -92L34 -60L40 0Z")
    out += figure(stand, 322, 1, .94) + figure(squat, 424, 1) + figure(squat, 622, -1, .8)
    out += kit.path(f"M{fx - 34} 1224C{fx - 46} 1184 {fx - 14} 1172 {fx - 18} 1130C{fx + 10} 1146 {fx + 6} 1166 {fx + 16} 1172C{fx + 20} 1160 {fx + 18} 1150 {fx + 24} 1146"
                    f"C{fx + 46} 1176 {fx + 40} 1206 {fx + 30} 1224Z", fire)
    # rain in front of the gate, not under its roof
    dry = "M-5 -5H1005V1264H-5ZM242 640H720V1224H242Z"
    out += kit.clip(dry.replace("M242 640H720V1224H242Z", "M242 640V1224H720V640Z"), rain(64, pale, 3.5, 7.5, 240, 560, y1=900) + rain(26, pale, 2.5, 4.5, 80, 160, y0=1060, y1=1200))
    # title
    out += kit.text("羅生門", 58, 1404, 118, "ja-serif-black", pale, track=.04)
    out += kit.text("RASHOMON", 942, 1358, 62, "didone", pale, "end", track=.16)
    out += kit.text("黒澤明 監督作品  大映  1950", 938, 1402, 24, "ja", fire, "end", track=.08)
    out += kit.credits(x=60, y=1456, size=22, fill="#a8a595", width=880, anchor="start", lang="ja",
                       lines=[[("出演", "三船敏郎"), ("", "京マチ子"), ("", "森雅之"), ("", "志村喬")]])
    kit.finish(grain=4.5, paper=4, wear=.25, vignette=.25)
    return out
