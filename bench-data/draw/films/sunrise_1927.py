"""Two people in a boat. Above the line the sun rises; in the water it is still the moon of the night before."""
import math


def draw(film, kit):
    dawn, peach, sun, blush, teal, night, moon, ink = "#f6d9a8", "#f0a56b", "#e8502f", "#d97a5c", "#2c5a6b", "#122338", "#f2e7c6", "#131a26"
    hz = 742
    out = kit.bg(kit.linear([(0, "#f8e7c4"), (.3, dawn), (.497, peach)]))
    cx, r = 500, 356
    # sun
    up = f"M{cx - r} {hz}A{r} {r} 0 0 1 {cx + r} {hz}Z"
    for i, q in enumerate((r + 150, r + 96, r + 46)):
        out += kit.path(f"M{cx - q} {hz}A{q} {q} 0 0 1 {cx + q} {hz}Z", kit.mix(peach, sun, .06 + i * .12), 'opacity=".5"')
    out += kit.path(up, sun)
    # sheets of mist across the sun
    mist = "".join(kit.ribbon([(x, y), (x + w / 2, y - 3), (x + w, y)], [0, h, 0], c) for x, y, w, h, c in ((40, 640, 620, 15, peach), (420, 590, 560, 10, peach), (-60, 690, 700, 17, dawn), (560, 668, 520, 12, dawn)))
    # water
    out += kit.rect(-5, hz, 1010, 780, kit.linear([(0, teal), (.35, "#1b3b52"), (1, night)], y1=hz, y2=1500))
    # the reflection is a crescent
    k, y = "", hz
    i = 0
    while y < hz + r + 40:
        h = 10 + i * 1.5
        t = (y + h / 2 - hz) / r
        off = 16 * math.sin(i * 1.7) * (.3 + t)
        if t < 1:
            half = r * math.sqrt(1 - t * t)
            v = (t * r + 40) / r  # the disc that bites into it
            right = 150 - r * math.sqrt(1 - v * v) if v < 1 else half
            if right < half:
                k += kit.ribbon([(cx - half + off, y + h / 2), (cx + (right - half) / 2 + off, y + h / 2), (cx + right + off, y + h / 2)], [h * .4, h, h * .2], moon)
            else:
                k += kit.ribbon([(cx - half + off, y + h / 2), (cx + off, y + h / 2), (cx + half + off, y + h / 2)], [h * .3, h, h * .3], moon)
        y += h * 1.32
        i += 1
    out += k + mist
    for j in range(21):
        yy = hz + 16 + j * j * 1.05
        x, w = kit.rng.uniform(-100, 900), 60 + j * 12
        out += kit.ribbon([(x, yy), (x + w / 2, yy + 1), (x + w, yy)], [0, 1.6 + j * .2, 0], kit.mix(teal, moon, .28) if j < 8 else "#28506a", 'opacity=".8"')
    out += kit.rect(-5, hz - 2, 1010, 4, ink)
    # the boat and the two
    b = kit.path(f"M322 {hz - 26}C380 {hz - 4} 620 {hz - 4} 684 {hz - 30}C668 {hz + 12} 640 {hz + 26} 600 {hz + 27}L396 {hz + 27}C356 {hz + 24} 336 {hz + 8} 322 {hz - 26}Z", ink)
    # he rows
    b += kit.path(f"M404 {hz}C400 {hz - 52} 408 {hz - 92} 436 {hz - 100}C462 {hz - 104} 474 {hz - 84} 474 {hz - 60}L470 {hz}Z", ink) + kit.circle(446, hz - 126, 21, ink) + kit.rect(434, hz - 110, 20, 18, ink)
    b += kit.ribbon([(458, hz - 86), (490, hz - 62), (516, hz - 54)], [22, 17, 12], ink) + kit.line(524, hz - 62, 404, hz + 72, 6, ink) + kit.poly([(412, hz + 54), (420, hz + 62), (392, hz + 96), (378, hz + 86)], ink)
    # she sits before him
    b += kit.path(f"M560 {hz}C554 {hz - 50} 566 {hz - 88} 590 {hz - 94}C614 {hz - 94} 624 {hz - 66} 628 {hz}Z", ink) + kit.circle(584, hz - 116, 18, ink) + kit.circle(600, hz - 112, 13, ink) + kit.rect(580, hz - 104, 16, 16, ink)
    b += kit.ribbon([(580, hz - 76), (562, hz - 46), (540, hz - 26)], [16, 14, 9], ink)
    out += b
    out += kit.path(f"M400 {hz + 30}L600 {hz + 30}L570 {hz + 52}L430 {hz + 52}Z", night, 'opacity=".55"')
    # title: rises letter by letter
    out += kit.text_arc("SUNRISE", cx, hz, 548, -90, 158, "avant", ink, track=.18)
    out += kit.text("A SONG OF TWO HUMANS", 500, 1330, 34, "avant-book", moon, "middle", track=.42)
    out += kit.credits(y=1434, size=25, fill=dawn, width=880, lines=[[("with" if i == 0 else "", c) for i, c in enumerate(film.cast)] + [("directed by", film.director), ("", film.company), ("", film.year)]])
    kit.finish(grain=5, paper=4, vignette=.15)
    return out
