"""일 – Sunday, as red as in the calendar – is all the room the two have: they sit in its last letter."""


def draw(film, kit):
    dust, red, ink, pale = "#d8cdb8", "#cf2f22", "#1c1a19", "#efe6d2"
    out = kit.bg(kit.linear([(0, "#e2d8c4"), (1, "#c9bca4")]))
    # the letter: sun, post, and a stair of three bars
    out += kit.circle(404, 420, 262, red)
    out += kit.circle(404, 420, 118, "#ded4bf")
    out += kit.cut([(760, 120), (914, 120), (914, 764), (760, 764)], red, amt=2)
    l = [(170, 812), (914, 812), (914, 1092), (324, 1092), (324, 1148), (930, 1148), (930, 1276), (170, 1276), (170, 976), (760, 976), (760, 930), (170, 930)]
    out += kit.cut(l, red, amt=2)
    kit.finish(grain=5, paper=5, wear=.25, vignette=.15)
    return out
