"""A man dissolves in the mist from the head down; where his face would be, somebody stands with an umbrella."""


def draw(film, kit):
    fog, grey, ink, yellow = "#d9dad8", "#a9b0b4", "#2f363d", "#e9b92c"
    out = kit.bg(kit.linear([(0, "#c3c9cb"), (.45, "#e4e3de"), (1, "#c9cdcd")]))
    # far shore
    out += kit.smooth([(-60, 640), (-40, 560), (120, 520), (300, 548), (460, 590), (620, 560), (800, 500), (1060, 540), (1060, 660)], "#c9cecf")
    # the title
    a = kit.outline("안", 300, "ko-serif-black").fit(66, 84, 330, 330)
    b = kit.outline("개", 300, "ko-serif-black").fit(604, 84, 330, 330)
    fade = kit.linear([(0, ink), (.55, ink), (1, "#c8cccd")], y1=84, y2=424)
    out += a.svg(fade) + b.svg(fade)
    # the man, printed in lines which thin out upwards
    coat = ("M436 680C432 720 420 742 396 756C350 778 286 790 256 822C228 856 218 930 208 1020L176 1520H824L792 1020C782 930 772 856 744 822C714 790 650 778 604 756"
            "C580 742 568 720 564 680Z")
    out += kit.path("M500 462C440 462 404 512 408 580C411 626 424 652 436 676V700H564V676C576 652 589 626 592 580C596 512 560 462 500 462Z", "#cdd2d4")
    out += kit.clip(coat, kit.halftone(120, 460, 760, 1060, lambda x, y: 0 if y < 690 else .14 + .86 * max(0, min(1, (y - 670) / 520)) ** .9, ink, pitch=13, angle=90, shape="line"))
    # arms, seam, collar, half belt
    for s in (-1, 1):
        out += kit.ribbon([(500 + s * 196, 960), (500 + s * 204, 1120), (500 + s * 218, 1300), (500 + s * 236, 1520)], [0, 7, 8, 9], fog)
    out += kit.ribbon([(500, 880), (502, 1100), (500, 1230)], [0, 4, 4], fog)
    out += kit.rect(404, 1230, 192, 5, fog) + kit.rect(404, 1278, 192, 5, fog)
    for x in (428, 572):
        out += kit.circle(x, 1256, 7, fog)
    # mist
    for x, y, w, h, o in ((-120, 760, 700, 54, .8), (460, 800, 680, 60, .8), (60, 880, 620, 40, .6), (-160, 1010, 520, 46, .7), (640, 1040, 520, 50, .7), (-60, 690, 520, 46, .7), (560, 680, 560, 44, .7)):
        out += kit.ribbon([(x, y), (x + w * .25, y - h * .2), (x + w * .6, y + h * .1), (x + w, y)], [0, h, h * .9, 0], "#e2e2dd", f'opacity="{o}"')
    out += kit.path("M434 690Q500 716 566 690L612 770Q562 764 528 812L500 776L472 812Q438 764 388 770Z", "#59626a")
    out += kit.path("M434 690Q500 716 566 690L572 702Q500 732 428 702Z", "#3c454d")
    # the woman
    x, y = 478, 650
    out += kit.path("M-12 -92C-22 -84 -24 -62 -20 -46L-34 -4H34L20 -46C24 -62 22 -84 12 -92C20 -100 18 -116 0 -118C-18 -116 -20 -100 -12 -92Z", ink, f'transform="translate({x} {y})"')
    out += kit.rect(x - 10, y - 6, 6, 36, ink) + kit.rect(x + 5, y - 6, 6, 36, ink)
    out += kit.line(x + 22, y - 60, x + 22, y - 170, 4, ink)
    out += kit.path(f"M{x - 74} {y - 128}C{x - 66} {y - 196} {x - 10} {y - 212} {x + 20} {y - 212}C{x + 60} {y - 210} {x + 106} {y - 190} {x + 118} {y - 128}"
                    f"Q{x + 94} {y - 146} {x + 70} {y - 128}Q{x + 46} {y - 146} {x + 22} {y - 128}Q{x - 2} {y - 146} {x - 26} {y - 128}Q{x - 50} {y - 146} {x - 74} {y - 128}Z", yellow)
    out += kit.text("MIST", 500, 150, 40, "didone", ink, "middle", track=.3)
    out += kit.text("김수용 감독  1967", 500, 1400, 30, "ko", fog, "middle", track=.1)
    out += kit.credits(x=500, y=1448, size=24, fill=fog, lang="ko", lines=[[("출연", "신성일"), ("", "윤정희")]])
    kit.finish(grain=5, paper=4, vignette=.1)
    return out
