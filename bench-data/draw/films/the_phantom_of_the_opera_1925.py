"""At night the opera house is a skull: dome, two windows, a door, a row of columns – and someone goes in."""


def draw(film, kit):
    night, plum, bone, shade, red, gold = "#150f1c", "#3a1c3f", "#ecdcb6", "#c7ab7c", "#c5281f", "#e3a13a"
    cx = 500
    out = kit.bg(kit.linear([(0, night), (.55, plum), (.85, "#5b2440")]))
    out += kit.specks(0, 0, 1000, 600, 70, bone, .8, 3)
    # lyre on top, wings of the building
    out += kit.rect(cx - 6, 92, 12, 80, bone)
    out += kit.stroke(f"M{cx - 4} 96C{cx - 60} 96 {cx - 52} 40 {cx - 30} 26M{cx + 4} 96C{cx + 60} 96 {cx + 52} 40 {cx + 30} 26", 9, bone)
    for o in (-14, 0, 14):
        out += kit.rect(cx + o - 1.5, 40, 3, 56, bone)
    out += kit.rect(cx - 42, 34, 84, 6, bone)
    for s in (-1, 1):
        X = lambda x: cx + s * x
        out += kit.poly([(X(300), 1060), (X(300), 700), (X(510), 740), (X(510), 1060)], kit.mix(night, plum, .35))
        for i in range(3):
            for j in range(2):
                x, y = X(370 + i * 52), 800 + j * 120
                out += kit.path(f"M{x - 13} {y + 56}L{x - 13} {y}A13 13 0 0 1 {x + 13} {y}L{x + 13} {y + 56}Z", gold if (i + j * 2 + (s > 0)) % 4 == 1 else night)
    # cranium = dome, cheeks, jaw = colonnade
    skull = (f"M{cx} 160C{cx + 210} 160 {cx + 372} 300 {cx + 372} 500C{cx + 372} 590 {cx + 352} 640 {cx + 330} 690C{cx + 322} 740 {cx + 316} 790 {cx + 262} 826L{cx + 250} 1080"
             f"L{cx - 250} 1080L{cx - 262} 826C{cx - 316} 790 {cx - 322} 740 {cx - 330} 690C{cx - 352} 640 {cx - 372} 590 {cx - 372} 500C{cx - 372} 300 {cx - 210} 160 {cx} 160Z")
    out += kit.path(skull, bone)
    dome = ""
    for i, o in enumerate((-330, -262, -176, -88, 0, 88, 176, 262, 330)):  # ribs
        dome += kit.ribbon([(cx + o * .12, 170), (cx + o * .72, 262), (cx + o * 1.02, 372), (cx + o * 1.1, 480)], [2, 7, 9, 6], shade)
    dome += kit.path(f"M{cx + 140} 160C{cx + 300} 260 {cx + 330} 480 {cx + 280} 640C{cx + 300} 760 {cx + 240} 800 {cx + 214} 830L{cx + 206} 1090L{cx + 420} 1090L{cx + 420} 160Z", shade, 'opacity=".55"')
    dome += kit.path(f"M{cx - 400} 470Q{cx} 400 {cx + 400} 470L{cx + 400} 498Q{cx} 428 {cx - 400} 498Z", shade) + kit.path(f"M{cx - 400} 508Q{cx} 438 {cx + 400} 508L{cx + 400} 514Q{cx} 444 {cx - 400} 514Z", shade)
    out += kit.clip(skull, dome)
    # eyes = round windows
    for s in (-1, 1):
        ex, ey = cx + s * 166, 612
        d = kit.d_smooth([(ex - 112, ey + 6), (ex - 84, ey - 76), (ex, ey - 98), (ex + 86, ey - 74), (ex + 112, ey + 8), (ex + 78, ey + 84), (ex - 4, ey + 100), (ex - 84, ey + 80)])
        out += kit.path(d, night)
        out += kit.circle(ex, ey + 6, 70, kit.radial([(0, red), (.6, red, .5), (1, red, 0)], ex, ey + 6, 70))
        out += kit.ring(ex, ey + 6, 74, 6, shade) + "".join(kit.line(*kit.polar(ex, ey + 6, 10, a), *kit.polar(ex, ey + 6, 74, a), 5, night) for a in range(0, 360, 45))
        out += kit.circle(ex, ey + 6, 12, gold)
        out += kit.path(f"M{ex - 118} {ey - 78}Q{ex} {ey - 140} {ex + 118} {ey - 78}L{ex + 106} {ey - 66}Q{ex} {ey - 120} {ex - 106} {ey - 66}Z", shade)
    # nose = broken gable
    out += kit.path(f"M{cx} 680C{cx + 22} 720 {cx + 54} 770 {cx + 50} 800C{cx + 42} 822 {cx + 14} 812 {cx} 796C{cx - 14} 812 {cx - 42} 822 {cx - 50} 800C{cx - 54} 770 {cx - 22} 720 {cx} 680Z", night)
    # entablature, teeth = columns
    out += kit.rect(cx - 276, 846, 552, 18, bone) + kit.rect(cx - 276, 864, 552, 6, shade) + kit.rect(cx - 262, 870, 524, 12, bone)
    out += kit.rect(cx - 246, 882, 492, 190, night)
    out += kit.rect(cx - 246, 882, 492, 190, kit.radial([(0, red), (1, red, 0)], cx, 1080, 250))
    for i in range(8):
        x = cx - 217 + i * 62
        out += kit.path(f"M{x - 24} 882L{x + 24} 882L{x + 21} 900L{x + 19} 1040L{x + 25} 1062L{x + 25} 1072L{x - 25} 1072L{x - 25} 1062L{x - 19} 1040L{x - 21} 900Z", bone)
        out += kit.path(f"M{x + 6} 900L{x + 21} 900L{x + 19} 1040L{x + 25} 1062L{x + 8} 1062Z", shade)
    # steps
    for i in range(5):
        w = 300 + i * 74
        out += kit.rect(cx - w, 1072 + i * 26, 2 * w, 27, kit.mix(bone, plum, .1 + i * .17))
        out += kit.rect(cx - w, 1072 + i * 26, 2 * w, 5, kit.mix(bone, plum, i * .15))
    # she
    x, y = cx + 0, 1176
    out += kit.path(f"M{x + 10} {y}L{x + 30} {y}L{x + 150} {1202}L{x + 60} {1202}Z", night, 'opacity=".5"')
    out += kit.path(f"M{x - 9} {y - 84}L{x + 9} {y - 84}C{x + 13} {y - 60} {x + 32} {y - 22} {x + 40} {y + 4}L{x - 40} {y + 4}C{x - 32} {y - 22} {x - 13} {y - 60} {x - 9} {y - 84}Z", red)
    out += kit.circle(x, y - 97, 13, night) + kit.circle(x + 2, y - 108, 8, night)
    out += kit.ribbon([(x - 8, y - 80), (x - 22, y - 54), (x - 24, y - 34)], [8, 7, 5], red) + kit.ribbon([(x + 8, y - 80), (x + 22, y - 54), (x + 24, y - 34)], [8, 7, 5], red)
    out += kit.rect(-5, 1202, 1010, 310, night)
    out += kit.text_fit("THE", 60, 1246, 126, 40, "didone", bone, track=.12) + kit.text_fit("OF THE", 728, 1246, 212, 40, "didone", bone, track=.12)
    out += kit.text_fit("Phantom", 236, 1222, 444, 94, "didone-italic", red)
    out += kit.text_fit("OPERA", 60, 1336, 880, 80, "didone-bold", bone, track=.2)
    out += kit.credits(y=1464, size=22, fill=shade, width=880, lines=[[("with" if i == 0 else "", c) for i, c in enumerate(film.cast)] + [("directed by", film.director), ("", film.company), ("", film.year)]])
    kit.finish(grain=5, paper=4, wear=.3, vignette=.25)
    return out
