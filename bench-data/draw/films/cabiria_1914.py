"""The temple of Moloch painted like a black-figure drinking cup: two great eyes, a mouth full of fire, and one child."""
import math


def draw(film, kit):
    clay, ink, fire, white, wine = "#d9703a", "#1b110e", "#f3b23c", "#fbeed2", "#8c2a1c"
    out = kit.bg(clay)
    # the head, wider than the page
    out += kit.path("M-10 330C120 300 300 286 500 286C700 286 880 300 1010 330L1010 1290L-10 1290Z", ink)
    for i in range(13):  # headdress
        x = -20 + i * 80
        y = 318 - 34 * (1 - ((x + 40 - 500) / 540) ** 2)
        out += kit.poly([(x + 6, y - 2), (x + 74, y - 2), (x + 40, y + 62)], clay)
    # eyes
    for s in (-1, 1):
        ex, ey = 500 + s * 256, 592
        f = lambda x, y: (ex + s * x, ey + y)
        P = lambda *p: " ".join(f"{kit.n(a)} {kit.n(b)}" for a, b in (f(*q) for q in p))
        out += kit.path(f"M{P((-196, 84))}C{P((-150, -10), (-90, -112), (20, -112))}C{P((120, -112), (190, -40), (214, 26))}C{P((140, 20), (110, 112), (10, 112))}C{P((-70, 112), (-120, 66), (-196, 84))}Z", clay)
        for r, c in ((104, ink), (88, white), (62, wine), (40, ink), (13, clay)):
            out += kit.circle(*f(14, 0), r, c)
        out += kit.ribbon([f(-214, -42), f(-120, -168), f(20, -196), f(150, -150), f(244, -64)], [6, 30, 40, 34, 4], clay)
        out += kit.ribbon([f(-190, -10), f(-110, -120), f(20, -146), f(140, -108), f(222, -30)], [2, 9, 12, 9, 2], wine)
        # nose, cheek lines
        out += kit.ribbon([(500 + s * 40, 560), (500 + s * 44, 680), (500 + s * 62, 770), (500 + s * 104, 806), (500 + s * 66, 826)], [3, 9, 11, 15, 2], clay)
        for i in range(4):
            out += kit.ribbon([(500 + s * (340 + i * 46), 830 + i * 4), (500 + s * (330 + i * 50), 1000), (500 + s * (345 + i * 46), 1290)], [3, 15 - i, 15 - i], clay)
    # the mouth
    m = "M208 1290C196 1060 250 880 500 880C750 880 804 1060 792 1290Z"
    out += kit.path("M180 1290C166 1030 230 850 500 850C770 850 834 1030 820 1290Z", clay)
    out += kit.path(m, wine)
    flames = ""
    for x, top, w, c in ((270, 1060, 130, clay), (730, 1060, 130, clay), (380, 980, 160, clay), (620, 970, 160, clay), (500, 940, 180, clay),
                         (320, 1130, 100, fire), (680, 1130, 100, fire), (420, 1070, 120, fire), (580, 1060, 120, fire), (500, 1040, 150, fire)):
        k = w / 100
        flames += kit.path(f"M{x - 60 * k} 1300C{x - 62 * k} 1210 {x - 20 * k} {top + 130} {x - 26 * k} {top + 40}C{x + 6 * k} {top + 60} {x + 10 * k} {top + 24} {x + 14 * k} {top}"
                           f"C{x + 46 * k} {top + 80} {x + 26 * k} {top + 110} {x + 44 * k} {top + 96}C{x + 70 * k} {top + 170} {x + 66 * k} 1230 {x + 60 * k} 1300Z", c)
    flames += kit.circle(500, 1240, 128, white)
    out += kit.clip(m, flames)
    for i in range(9):  # teeth
        a0, a1 = 198 + i * 16, 214 + i * 16
        q = lambda a, k: (500 + 292 * k * math.cos(math.radians(a)), 1190 + 312 * k * math.sin(math.radians(a)))
        out += kit.poly([q(a0, 1.02), q(a1, 1.02), q((a0 + a1) / 2, .76)], ink)
    # steps
    for i, (w, c) in enumerate(((330, ink), (400, clay), (470, ink))):
        out += kit.rect(500 - w, 1278 + i * 20, 2 * w, 20, c)
    # the child
    x, y = 500, 1279
    out += kit.path(f"M{x - 7} {y - 74}L{x + 7} {y - 74}C{x + 15} {y - 60} {x + 22} {y - 20} {x + 25} {y}L{x - 25} {y}C{x - 22} {y - 20} {x - 15} {y - 60} {x - 7} {y - 74}Z", ink)
    out += kit.circle(x, y - 86, 14, ink) + kit.ribbon([(x - 9, y - 68), (x - 30, y - 44), (x - 36, y - 24)], [9, 7, 5], ink) + kit.ribbon([(x + 9, y - 68), (x + 30, y - 44), (x + 36, y - 24)], [9, 7, 5], ink)
    # meander
    out += kit.rect(-5, 1338, 1010, 70, ink)
    for i in range(-1, 15):
        x, y = i * 72 + 2, 1348
        out += kit.stroke(f"M{x} {y + 44}L{x} {y + 4}L{x + 54} {y + 4}L{x + 54} {y + 34}L{x + 24} {y + 34}L{x + 24} {y + 20}L{x + 36} {y + 20}M{x} {y + 46}L{x + 76} {y + 46}", 7, clay)
    out += kit.text_fit("CABIRIA", 62, 76, 876, 148, "serif-bold", ink, track=.04)
    out += kit.credits(y=1460, size=27, fill=ink, width=860, lines=[[("regia di", film.director), ("", film.company), ("", film.year)]])
    kit.finish(grain=5, paper=5, wear=.4, vignette=.2)
    return out
