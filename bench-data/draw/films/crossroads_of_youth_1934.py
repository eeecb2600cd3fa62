"""A man and a woman walk apart; only their long evening shadows cross."""


def draw(film, kit):
    paper, teal, red, ink = "#f2e8d2", "#1f8a8c", "#ea5a43", "#20242c"
    out = kit.bg(paper)
    # half outlines, mirrored: (across, along)
    def both(half):
        return half + [(-u, v) for u, v in reversed(half)]
    man = both([(.01, .4), (.016, .05), (.03, 0), (.115, 0), (.115, .022), (.075, .045), (.1, .25), (.125, .41), (.15, .385), (.185, .39), (.202, .43), (.212, .52), (.212, .66), (.19, .76),
                (.14, .8), (.07, .826), (.058, .842), (.084, .864), (.09, .9), (.17, .903), (.176, .922), (.096, .932), (.084, .985), (.05, 1.0)])
    woman = both([(.012, .2), (.016, .04), (.03, 0), (.09, 0), (.095, .02), (.06, .045), (.075, .12), (.07, .2), (.215, .2), (.205, .3), (.168, .45), (.19, .44), (.222, .47), (.222, .56),
                  (.2, .69), (.155, .785), (.064, .826), (.054, .842), (.084, .864), (.098, .905), (.086, .948), (.05, .966), (.056, .992), (.024, 1.012)])

    def stand(shape, foot, head, width):
        """The figure laid along foot-head, `width` px per unit across."""
        ux, uy = head[0] - foot[0], head[1] - foot[1]
        ln = (ux * ux + uy * uy) ** .5
        nx, ny = -uy / ln, ux / ln
        return kit.d_smooth([(foot[0] + ux * v + nx * u * width, foot[1] + uy * v + ny * u * width) for u, v in shape], k=.09)
    a, b = (150, 1240), (850, 1240)
    # their shadows
    out += kit.overprint(kit.path(stand(man, a, (926, 130), 600), teal))
    out += kit.overprint(kit.path(stand(woman, b, (74, 130), 600), red), 5, 3)
    # those who cast them
    out += kit.path(stand(man, (150, 1262), (150, 976), 240), ink) + kit.path(stand(woman, (850, 1262), (850, 976), 240), ink)
    out += kit.outline("청춘의", 200, "ko-hanna").fit(340, 62, 320, 108).svg(ink) + kit.outline("십자로", 200, "ko-hanna").fit(340, 184, 320, 108).svg(ink)
    out += kit.text("CROSSROADS OF YOUTH", 500, 1386, 44, "grotesk", ink, "middle", track=.06)
    out += kit.credits(y=1446, size=22, fill=ink, width=780, lang="ko", lines=[[("감독", "안종화"), ("출연", "이원용"), ("", "신일선"), ("", "김연실"), ("", "1934")]])
    kit.finish(grain=4, paper=6, wear=.2)
    return out
