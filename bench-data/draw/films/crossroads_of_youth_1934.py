"""A man and a woman walk apart; only their long evening shadows cross."""


def draw(film, kit):
    paper, teal, red, ink = "#f2e8d2", "#1f8a8c", "#ea5a43", "#20242c"
    out = kit.bg(paper)
    man = [(-.04, 0), (-.12, 0), (-.13, .03), (-.07, .06), (-.1, .3), (-.17, .34), (-.19, .6), (-.18, .77), (-.08, .82), (-.05, .835), (-.07, .86), (-.085, .91),
           (-.17, .925), (-.17, .94), (-.08, .95), (-.07, 1.0), (0, .985), (.07, 1.0), (.08, .95), (.17, .94), (.17, .925), (.085, .91), (.07, .86), (.05, .835), (.08, .82),
           (.18, .77), (.19, .6), (.17, .34), (.1, .3), (.09, .06), (.15, .03), (.14, 0), (.05, 0), (.03, .05), (.01, .28), (-.01, .28), (-.03, .05)]
    woman = [(-.03, 0), (-.09, 0), (-.1, .02), (-.06, .05), (-.07, .12), (-.2, .13), (-.19, .3), (-.13, .52), (-.09, .64), (-.15, .55), (-.2, .57), (-.19, .7), (-.13, .79),
             (-.05, .825), (-.04, .84), (-.075, .87), (-.08, .93), (-.05, .975), (-.02, .985), (0, 1.02), (.03, 1.02), (.05, .975), (.08, .93), (.075, .87), (.04, .84), (.05, .825),
             (.13, .79), (.19, .7), (.2, .57), (.15, .55), (.09, .64), (.13, .52), (.19, .3), (.2, .13), (.07, .12), (.08, .05), (.11, .02), (.1, 0), (.03, 0), (.02, .12), (-.02, .12)]

    def stand(shape, foot, head, width):
        """The figure laid along foot-head, `width` px per unit across."""
        ux, uy = head[0] - foot[0], head[1] - foot[1]
        ln = (ux * ux + uy * uy) ** .5
        nx, ny = -uy / ln, ux / ln
        return kit.d_smooth([(foot[0] + ux * v + nx * u * width, foot[1] + uy * v + ny * u * width) for u, v in shape], k=.1)
    a, b = (150, 1240), (850, 1240)
    # the streets
    out += kit.overprint(kit.path(stand(man, a, (905, 60), 760), teal))
    out += kit.overprint(kit.path(stand(woman, b, (95, 60), 760), red), 5, 3)
    # those who cast them
    out += kit.path(stand(man, a, (150, 1046), 200), ink) + kit.path(stand(woman, b, (850, 1046), 200), ink)
    t1 = kit.outline("청춘의", 200, "ko-hanna").fit(286, 1084, 428, 130)
    t2 = kit.outline("십자로", 200, "ko-hanna").fit(286, 1236, 428, 130)
    out += t1.svg(ink) + t2.svg(ink)
    out += kit.text("CROSSROADS OF YOUTH", 500, 1416, 30, "grotesk-mid", ink, "middle", track=.14)
    out += kit.credits(y=1456, size=20, fill=ink, width=780, lang="ko", lines=[[("감독", "안종화"), ("출연", "이원용"), ("", "신일선"), ("", "김연실"), ("", "1934")]])
    kit.finish(grain=4, paper=6, wear=.2)
    return out
