"""The name itself is sewn together: every letter is two scraps of different typefaces, and the needle still hangs from the thread."""


def draw(film, kit):
    night, thread = "#16201c", "#d8432b"
    skins = ["#c8d0a8", "#9fb08c", "#dccfae", "#86a08c", "#b9bf94", "#e6dfc0"]
    fonts = [("grotesk", "didone-bold"), ("bookman", "helv"), ("geo-black", "slab"), ("oldstyle-bold", "grotesk"), ("slab", "geo-black"),
             ("grotesk", "bookman"), ("didone-bold", "grotesk"), ("grotesk", "slab"), ("bookman", "geo-black"), ("geo-black", "didone-bold"),
             ("slab", "grotesk"), ("helv", "bookman")]
    out = kit.bg(night)
    rows, y, i, seams = (("FRAN", 60, 404), ("KEN", 490, 388), ("STEIN", 904, 388)), 0, 0, []
    wid = dict(F=.86, R=1, A=1.08, N=1.06, K=1.06, E=.9, S=.92, T=.96, I=.48)
    for word, y, h in rows:
        gap = 20
        tot = sum(wid[c] for c in word)
        x = 54
        for c in word:
            w = (892 - gap * (len(word) - 1)) * wid[c] / tot
            a, b = fonts[i % len(fonts)]
            m = y + h * kit.rng.uniform(.44, .58)
            s = kit.rng.uniform(-.22, .22) * min(w, 200)
            dx = kit.rng.uniform(-7, 7)
            top = kit.outline(c, 200, a).fit(x, y, w, h)
            low = kit.outline(c, 200, b).fit(x + dx, y, w, h)
            c1, c2 = skins[i % 6], skins[(i * 2 + 3) % 6 if (i * 2 + 3) % 6 != i % 6 else (i + 1) % 6]
            if kit.lettering == "none":  # without the name, plain scraps
                out += kit.cut([(x, y), (x + w, y), (x + w, m + s), (x, m - s)], c1) + kit.cut([(x + dx, m - s), (x + w + dx, m + s), (x + w + dx, y + h), (x + dx, y + h)], c2)
            out += kit.clip(kit.d_poly([(x - 20, y - 9), (x + w + 20, y - 9), (x + w + 20, m + s), (x - 20, m - s)]), top.svg(c1))
            out += kit.clip(kit.d_poly([(x - 20, y + h + 9), (x + w + 20, y + h + 9), (x + w + 20, m + s), (x - 20, m - s)]), low.svg(c2))
            seams.append((x, w, m, s))
            x += w + gap
            i += 1
    for x, w, m, s in seams:
        out += kit.stroke(f"M{x-6} {m-s}L{x+w+6} {m+s}", 5, night)
        k = max(3, round(w / 34))
        for j in range(k):
            t = (j + .5) / k
            px, py = x + w * t, m - s + 2 * s * t
            a, b = kit.rng.uniform(-5, 5), kit.rng.uniform(24, 34)
            out += kit.ribbon([(px - 7 + a, py - b), (px, py), (px + 7 - a, py + b)], [5, 8, 5], thread)
            out += kit.circle(px - 7 + a, py - b, 6.5, night) + kit.circle(px + 7 - a, py + b, 6.5, night)
            out += kit.circle(px - 7 + a, py - b, 3.4, thread) + kit.circle(px + 7 - a, py + b, 3.4, thread)
    # the end of the thread
    x, w, m, s = seams[-1]
    ex, ey = x + w, m + s
    out += kit.stroke(f"M{ex-6} {ey}C{ex+54} {ey+30} {ex+30} {ey+120} {ex-20} {ey+190}C{ex-80} {ey+280} {ex-240} {ey+176} {ex-260} {ey+246}C{ex-270} {ey+290} {ex-180} {ey+300} {ex-150} {ey+281}", 5, thread)
    out += kit.g(kit.path("M0 -7C40 -9 150 -4 230 0C150 4 40 9 0 7C-10 4 -10 -4 0 -7ZM10 -2.4L10 2.4L38 2.2L38 -2.2Z", "#e6dfc0", 'fill-rule="evenodd"'), f"translate({ex-164} {ey+279}) rotate(8)")
    out += kit.credits(x=56, y=1440, size=23, fill="#b9bf94", anchor="start", width=600)
    kit.finish(grain=4.5, paper=4, wear=.3, vignette=.2)
    return out
