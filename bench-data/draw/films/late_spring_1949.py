"""An apple peeled in one long turn by a father alone – and the peel comes to its end."""
import math


def draw(film, kit):
    ground, red, pale, flesh, ink, leaf = "#c7d3bd", "#c8372b", "#f0cdb0", "#f6edd2", "#26302c", "#6f8a66"
    out = kit.bg(kit.linear([(0, "#d6decb"), (.8, ground), (1, "#b3c3ad")]))
    out += kit.rect(-5, 1322, 1010, 190, "#9fb29c") + kit.rect(-5, 1318, 1010, 6, ink)
    ax, ay, R = 330, 350, 208
    # the peel: half turns, back ones first
    turns, y0, y1 = 6.5, ay + 96, 1236

    def at(t):  # t in half turns: x, y and the width of the strip
        u = t / (2 * turns)
        A, B = kit.lerp(200, 96, u ** .9), kit.lerp(46, 20, u)
        x = ax + 34 * math.sin(u * 5) + 70 * u * u - A * math.cos(math.pi * t)
        end = min(1, (1 - u) / .075) ** .6
        return x, y0 + (y1 - y0) * u + B * math.sin(math.pi * t), kit.lerp(76, 42, u) * end * min(1, .55 + t)
    back, front = "", ""
    for h in range(int(2 * turns)):
        c = [at(h + j / 24) for j in range(25)]
        d = [(x, y - w / 2) for x, y, w in c] + [(x, y + w / 2) for x, y, w in c[::-1]]
        if h % 2:
            back += kit.poly(d, pale) + kit.poly([(x, y + w / 2 - 7) for x, y, w in c] + [(x, y + w / 2) for x, y, w in c[::-1]], kit.mix(pale, red, .35))
        else:
            front += kit.poly(d, red) + kit.poly([(x, y - w / 2) for x, y, w in c] + [(x, y - w / 2 + 6) for x, y, w in c[::-1]], flesh)
            front += kit.ribbon([(x, y + w * .1) for x, y, w in c[5:13:2]], [0, 8 - h * .3, 8 - h * .3, 0], "#e58a63")
    ex, ey, _ = at(2 * turns)
    out += back
    # the apple
    out += kit.smooth([(ax, ay - 176), (ax + 110, ay - 200), (ax + 200, ay - 120), (ax + 208, ay), (ax + 150, ay + 150), (ax + 60, ay + 204), (ax, ay + 190),
                       (ax - 60, ay + 204), (ax - 150, ay + 150), (ax - 208, ay), (ax - 200, ay - 120), (ax - 110, ay - 200)], flesh)
    apple = kit.d_smooth([(ax, ay - 176), (ax + 110, ay - 200), (ax + 200, ay - 120), (ax + 208, ay), (ax + 150, ay + 150), (ax + 60, ay + 204), (ax, ay + 190),
                          (ax - 60, ay + 204), (ax - 150, ay + 150), (ax - 208, ay), (ax - 200, ay - 120), (ax - 110, ay - 200)])
    out += kit.clip(apple, kit.path(f"M{ax + 40} {ay + 220}Q{ax + 190} {ay + 120} {ax + 176} {ay - 220}L{ax + 260} {ay - 200}V{ay + 260}Z", "#e9dcb6")
                    # flat facets of the knife
                    + "".join(kit.ribbon([(ax - 210, ay + 6 + i * 56), (ax, ay + 58 + i * 58), (ax + 210, ay + 2 + i * 56)], [2, 5, 2], "#dccfa6") for i in range(3))
                    # the rest of the skin, ending in the strip
                    + kit.path(f"M{ax - 230} {ay - 240}H{ax + 240}V{ay - 20}Q{ax + 120} {ay + 44} {ax} {ay + 36}Q{ax - 120} {ay + 26} {ax - 230} {ay - 40}Z", red)
                    + kit.ribbon([(ax - 156, ay - 60), (ax - 150, ay - 112), (ax - 110, ay - 148)], [0, 22, 0], "#e58a63"))
    out += kit.clip(apple, kit.ribbon([(ax + 240, ay - 60), (ax + 200, ay + 8), (ax + 120, ay + 58), (ax, ay + 80), (ax - 130, ay + 78), (ax - 240, ay + 52)], [60, 64, 66, 68, 62, 60], red))
    out += kit.smooth([(ax - 62, ay - 184), (ax, ay - 168), (ax + 62, ay - 184), (ax, ay - 150)], "#8f231c")
    out += kit.ribbon([(ax + 2, ay - 162), (ax + 8, ay - 216), (ax + 34, ay - 262)], [9, 9, 15], ink)
    out += front
    out += kit.ribbon([(ex - 54, 1352), (ex + 30, 1346), (ex + 120, 1352)], [0, 13, 0], "#879c86")
    # lettering
    out += kit.vtext("晩春", 800, 128, 232, "ja-serif", ink, track=.08)
    out += kit.vtext("小津安二郎 監督作品", 650, 140, 25, "ja-serif", ink, track=.26)
    out += kit.text("LATE SPRING", 930, 1288, 34, "grotesk-mid", ink, "end", track=.3)
    out += kit.credits(x=930, y=1440, size=22, fill=ink, anchor="end", lang="ja", lines=[[("出演", "笠智衆"), ("", "原節子"), ("", "松竹"), ("", "1949")]])
    kit.finish(grain=4.5, paper=5, vignette=.1)
    return out
