"""Her skirt is a birdcage: the little door stands open and the perch is empty."""


def draw(film, kit):
    plum, pink, ivory, gold, ink = "#4a1f3d", "#e8a7a0", "#f5e7d3", "#e3b04b", "#1d0f1c"
    out = kit.bg(plum)
    out += kit.circle(560, 800, 560, kit.mix(plum, pink, .16))
    cx, top, base = 560, 474, 1262
    out += kit.smooth([(cx - 400, base + 26), (cx - 200, base - 10), (cx + 200, base - 10), (cx + 400, base + 26), (cx + 200, base + 66), (cx - 200, base + 66)], kit.mix(plum, ink, .55))

    def wire(t, w=5, c=gold):
        x1 = cx + t * 350
        return kit.stroke(f"M{cx + t * 62} {top}C{cx + t * 300} {top + 170} {x1} {top + 330} {x1} {base - 30 + 30 * (1 - t * t)}", w, c)
    back = "".join(wire(t / 6 + 1 / 12, 2.6, kit.mix(gold, plum, .5)) for t in range(-6, 6))
    out += back
    # the perch
    out += kit.stroke(f"M{cx} {top}L{cx} 740M{cx-70} 900L{cx} 740L{cx+70} 900", 3.5, gold) + kit.line(cx - 96, 900, cx + 96, 900, 12, ivory)
    out += kit.ribbon([(cx + 20, 1190), (cx + 46, 1170), (cx + 80, 1176)], [0, 12, 0], pink) + kit.ribbon([(cx - 120, 1216), (cx - 90, 1204), (cx - 70, 1220)], [0, 10, 0], pink)
    door = (cx - 66, 962, 132, 216)
    gate = f"M{door[0]} {door[1]+door[3]}L{door[0]} {door[1]+66}A66 66 0 0 1 {door[0]+door[2]} {door[1]+66}L{door[0]+door[2]} {door[1]+door[3]}Z"
    front = "".join(wire(t / 6, 6) for t in range(-6, 7))
    for k, (y, w) in enumerate(((640, 205), (940, 342), (base - 16, 350))):
        front += kit.stroke(f"M{cx-w} {y-10}Q{cx} {y+46} {cx+w} {y-10}", 6 if k < 2 else 13, gold)
    out += kit.mask(kit.rect(0, 0, 1000, 1500, "#fff") + kit.path(gate, "#000"), front)
    out += kit.stroke(gate, 7, gold)
    lx, ly = door[0] + door[2], door[1]
    out += kit.path(f"M{lx} {ly+66}C{lx+10} {ly-10} {lx+80} {ly-6} {lx+92} {ly+84}L{lx+92} {ly+252}L{lx} {ly+216}Z", "none", f'stroke="{gold}" stroke-width="7" stroke-linejoin="round"')
    for k in (1, 2):
        out += kit.line(lx + 31 * k, ly + 26 - (4 if k == 1 else 0), lx + 31 * k, ly + 216 + 12 * k, 4.5, gold)
    # the woman, seen from behind
    out += kit.poly([(cx - 34, 236), (cx + 34, 236), (cx + 42, 330), (cx - 42, 330)], "#edc9ae")
    out += kit.path(f"M{cx-160} 470C{cx-230} 560 {cx-262} 640 {cx-250} 690L{cx-184} 700C{cx-160} 640 {cx-130} 580 {cx-104} 520Z", pink)
    out += kit.path(f"M{cx+160} 470C{cx+230} 560 {cx+262} 640 {cx+250} 690L{cx+184} 700C{cx+160} 640 {cx+130} 580 {cx+104} 520Z", pink)
    out += kit.path(f"M{cx-52} 312C{cx-130} 330 {cx-166} 372 {cx-186} 480L{cx-110} 540C{cx-60} 500 {cx+60} 500 {cx+110} 540L{cx+186} 480C{cx+166} 372 {cx+130} 330 {cx+52} 312Q{cx} 344 {cx-52} 312Z", pink)
    out += kit.path(f"M{cx-58} 308Q{cx} 350 {cx+58} 308L{cx+64} 326Q{cx} 372 {cx-64} 326Z", ivory)
    out += kit.ribbon([(cx - 255, 686), (cx - 216, 700), (cx - 180, 698)], [16, 20, 16], ivory) + kit.ribbon([(cx + 255, 686), (cx + 216, 700), (cx + 180, 698)], [16, 20, 16], ivory)
    out += kit.smooth([(cx - 84, 170), (cx - 60, 90), (cx, 66), (cx + 60, 90), (cx + 84, 170), (cx + 58, 244), (cx, 262), (cx - 58, 244)], ink)
    out += kit.smooth([(cx - 62, 236), (cx - 40, 204), (cx + 40, 204), (cx + 62, 236), (cx + 40, 276), (cx - 40, 276)], ink)
    out += kit.ribbon([(cx + 1, 70), (cx + 3, 140), (cx, 206)], [0, 4, 0], kit.mix(ink, pink, .45))
    out += kit.line(cx - 92, 246, cx + 96, 232, 8, gold) + kit.circle(cx + 100, 231, 11, ivory)
    # the bird is out
    bx, by = 872, 250
    out += kit.path(f"M{bx-80} {by+60}C{bx-40} {by+40} {bx-30} {by+10} {bx-4} {by+2}C{bx-50} {by-30} {bx-54} {by-90} {bx-40} {by-120}C{bx-10} {by-80} {bx+30} {by-60} {bx+36} {by-8}"
                    f"C{bx+56} {by-14} {bx+70} {by-6} {bx+84} {by-2}L{bx+60} {by+10}C{bx+50} {by+46} {bx} {by+60} {bx-30} {by+54}C{bx-50} {by+60} {bx-60} {by+76} {bx-92} {by+88}Z", ivory)
    out += kit.outline("미", 200, "ko-myeongjo").fit(62, 76, 200, 214).svg(ivory) + kit.outline("몽", 200, "ko-myeongjo").fit(62, 322, 200, 214).svg(ivory)
    out += kit.text("SWEET DREAM", 62, 1398, 54, "didone", ivory, track=.08)
    out += kit.credits(x=64, y=1446, size=21, fill=gold, anchor="start", width=860, lang="ko", lines=[[("감독", "양주남"), ("출연", "문예봉"), ("", "1936")]])
    kit.finish(grain=4, paper=5, wear=.25, vignette=.25)
    return out
