"""Drawing kit for the posters: every method returns an SVG fragment (str) on a 1000 x 1500 canvas.

All lettering becomes glyph outlines (HarfBuzz shapes and kerns it, the outlines go into the SVG as paths), so it
can be measured exactly, stretched, bent, cut out or used as a clip, and no font matching happens at rendering.
Everything random comes from kit.rng, seeded with the film's id.
"""
import math
import os
import random
import subprocess
import zlib

import uharfbuzz as hb

W, H = 1000, 1500

# role -> (file name, index inside a collection)
FONTS = {
    # heavy grotesks, condensed
    "grotesk": ("InterDisplay-Black.otf", 0), "grotesk-mid": ("InterDisplay-SemiBold.otf", 0),
    "grotesk-light": ("InterDisplay-Light.otf", 0), "grotesk-thin": ("InterDisplay-Thin.otf", 0),
    "grotesk-italic": ("InterDisplay-BlackItalic.otf", 0),
    "condensed": ("BebasNeue-Bold.otf", 0), "condensed-mid": ("BebasNeue-Regular.otf", 0),
    "condensed-book": ("BebasNeue-Book.otf", 0), "condensed-thin": ("BebasNeue-Thin.otf", 0),
    "small": ("RobotoCondensed-Regular.ttf", 0), "small-bold": ("RobotoCondensed-Bold.ttf", 0),
    "helv": ("texgyreheros-bold.otf", 0), "helv-cn": ("texgyreheroscn-bold.otf", 0),
    # geometric / deco
    "geo": ("LeagueSpartan-Bold.otf", 0), "geo-black": ("LeagueSpartan-Black.otf", 0),
    "geo-light": ("LeagueSpartan-Light.otf", 0), "futura": ("BetecknaGS-Bold.ttf", 0),
    "avant": ("texgyreadventor-bold.otf", 0), "avant-book": ("texgyreadventor-regular.otf", 0),
    "deco": ("SolideMirageEtroit.otf", 0), "kaffee": ("YanoneKaffeesatz-Bold.otf", 0),
    "kaffee-light": ("YanoneKaffeesatz-ExtraLight.otf", 0),
    "sign": ("Bajaderka-Regular.otf", 0), "sign2": ("Apropal-Bold.otf", 0), "retro": ("okolaksBold.ttf", 0),
    # serifs
    "serif": ("EBGaramond12-Regular.otf", 0), "serif-bold": ("EBGaramond12-Bold.otf", 0),
    "serif-italic": ("EBGaramond12-Italic.otf", 0), "didone": ("GFSDidot.otf", 0), "didone-bold": ("GFSDidotBold.otf", 0),
    "didone-italic": ("GFSDidotItalic.otf", 0), "oldstyle": ("OldStandard-Regular.ttf", 0),
    "oldstyle-bold": ("OldStandard-Bold.ttf", 0), "bookman": ("texgyrebonum-bold.otf", 0),
    "slab": ("RobotoSlab-Bold.otf", 0), "slab-thin": ("RobotoSlab-Thin.otf", 0), "typewriter": ("texgyrecursor-bold.otf", 0),
    # blackletter, antique, script
    "blackletter": ("Blankenburg_UNZ1A.ttf", 0),
    "gothic-antique": ("Hamlet-Tertia18.otf", 0), "script": ("KaushanScript-Regular.otf", 0),
    "script-fat": ("LeckerliOne-Regular.ttf", 0), "script-slab": ("lobster.otf", 0), "chancery": ("texgyrechorus-mediumitalic.otf", 0),
    "hand": ("Havana-Regular.otf", 0),
    # Cyrillic comes with: grotesk*, small*, slab, oldstyle*, serif*, pt-narrow
    "pt-narrow": ("PTN77F.ttf", 0),
    # Korean
    "ko-black": ("NotoSansCJK-Black.ttc", 1), "ko": ("NotoSansCJK-Medium.ttc", 1), "ko-light": ("NotoSansCJK-Light.ttc", 1),
    "ko-serif-black": ("NotoSerifCJK-Black.ttc", 1), "ko-serif": ("NotoSerifCJK-Medium.ttc", 1),
    "ko-myeongjo": ("NanumMyeongjoExtraBold.ttf", 0), "ko-poster": ("BMDOHYEON_ttf.ttf", 0), "ko-hanna": ("BMHANNA_11yrs_ttf.ttf", 0),
    "ko-paint": ("BMYEONSUNG_ttf.ttf", 0), "ko-street": ("BMEULJIROTTF.ttf", 0),
    "ko-brush": ("NanumBrush.ttf", 0), "ko-wild": ("BMKIRANGHAERANG-TTF.ttf", 0), "ko-type": ("UnTaza.ttf", 0), "ko-news": ("UnShinmun.ttf", 0),
    # Japanese
    "ja-black": ("NotoSansCJK-Black.ttc", 0), "ja": ("NotoSansCJK-Medium.ttc", 0), "ja-light": ("NotoSansCJK-Light.ttc", 0),
    "ja-serif-black": ("NotoSerifCJK-Black.ttc", 0), "ja-serif": ("NotoSerifCJK-Medium.ttc", 0),
    "ja-serif-light": ("NotoSerifCJK-ExtraLight.ttc", 0), "ja-brush": ("AoyagiKouzanT.ttf", 0), "ja-ink": ("kouzan-mouhitsu.ttf", 0),
    "ja-grass": ("KouzanBrushFontSousyo.ttf", 0), "ja-antique": ("OradanoGSRR.ttf", 0), "ja-shock": ("ReggaeOne-Regular.ttf", 0),
    "ja-stick": ("Stick-Regular.ttf", 0),
}

_files, _fonts = {}, {}


def _font(role):
    if role not in _fonts:
        if not _files:
            out = subprocess.run(["fc-list", "-f", "%{file}\n"], capture_output=True, text=True, check=True).stdout
            for p in sorted(out.split("\n")):
                _files.setdefault(os.path.basename(p), p)
        name, index = FONTS[role]
        if name not in _files:
            raise SystemExit(f"font {name} (role {role}) is missing: see README.md for the Debian packages")
        face = hb.Face(hb.Blob.from_file_path(_files[name]), index)
        _fonts[role] = (hb.Font(face), face.upem, {})
    return _fonts[role]


class _Pen:
    def __init__(self):
        self.ops = []

    def moveTo(self, p): self.ops.append(("M", [p]))
    def lineTo(self, p): self.ops.append(("L", [p]))
    def qCurveTo(self, *p): self.ops.append(("Q", list(p)))
    def curveTo(self, *p): self.ops.append(("C", list(p)))
    def closePath(self): self.ops.append(("Z", []))
    def endPath(self): self.ops.append(("Z", []))


def _glyph(role, gid):
    font, _, cache = _font(role)
    if gid not in cache:
        pen = _Pen()
        font.draw_glyph_with_pen(gid, pen)
        cache[gid] = pen.ops
    return cache[gid]


def n(v):
    """A number for an SVG attribute."""
    s = f"{v:.2f}".rstrip("0").rstrip(".")
    return "0" if s in ("-0", "") else s


def polar(cx, cy, r, deg):
    """Point at angle deg (0 = right, 90 = down)."""
    a = math.radians(deg)
    return cx + r * math.cos(a), cy + r * math.sin(a)


def lerp(a, b, t):
    return a + (b - a) * t


def mix(c1, c2, t):
    """Blend two #rrggbb colours."""
    a, b = (tuple(int(c[i:i + 2], 16) for i in (1, 3, 5)) for c in (c1, c2))
    return "#" + "".join(f"{round(lerp(x, y, t)):02x}" for x, y in zip(a, b))


class Outline:
    """Shaped lettering as outlines: list of (cmd, points). Chain .move/.scale/.rotate/.warp, then .d or .svg(fill).
    Hidden lettering has its measures, so that the drawing around it stays the same, but leaves nothing behind."""

    def __init__(self, ops, hidden=False):
        self.ops, self.hidden = ops, hidden

    def map(self, f):
        return Outline([(c, [f(x, y) for x, y in p]) for c, p in self.ops], self.hidden)

    def move(self, dx, dy): return self.map(lambda x, y: (x + dx, y + dy))

    def scale(self, sx, sy=None, cx=0, cy=0):
        sy = sx if sy is None else sy
        return self.map(lambda x, y: (cx + (x - cx) * sx, cy + (y - cy) * sy))

    def rotate(self, deg, cx=0, cy=0):
        c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
        return self.map(lambda x, y: (cx + (x - cx) * c - (y - cy) * s, cy + (x - cx) * s + (y - cy) * c))

    def flat(self, step=4.0):
        """All curves and long lines cut into short straight pieces (needed before a strong warp)."""
        out, cur, start = [], (0, 0), (0, 0)

        def line(a, b):
            k = max(1, int(math.hypot(b[0] - a[0], b[1] - a[1]) / step))
            out.extend(("L", [(lerp(a[0], b[0], i / k), lerp(a[1], b[1], i / k))]) for i in range(1, k + 1))

        for c, p in self.ops:
            if c == "M":
                out.append((c, p)); cur = start = p[0]
            elif c == "L":
                line(cur, p[0]); cur = p[0]
            elif c in "QC":
                ctl = [cur] + p
                ln = sum(math.hypot(ctl[i + 1][0] - ctl[i][0], ctl[i + 1][1] - ctl[i][1]) for i in range(len(ctl) - 1))
                k = max(2, int(ln / step))
                for i in range(1, k + 1):
                    q, t = ctl, i / k
                    while len(q) > 1:
                        q = [(lerp(q[j][0], q[j + 1][0], t), lerp(q[j][1], q[j + 1][1], t)) for j in range(len(q) - 1)]
                    out.append(("L", [q[0]]))
                cur = p[-1]
            else:
                line(cur, start); out.append((c, [])); cur = start
        return Outline(out, self.hidden)

    def warp(self, f, step=4.0):
        """Bend through f(x, y) -> (x, y)."""
        return self.flat(step).map(f)

    @property
    def box(self):
        """Ink bounds (x0, y0, x1, y1) – exact for flattened outlines, control-point bounds otherwise."""
        pts = [q for c, p in self.flat(6).ops for q in p]
        if not pts:
            return 0, 0, 0, 0
        xs, ys = [p[0] for p in pts], [p[1] for p in pts]
        return min(xs), min(ys), max(xs), max(ys)

    def fit(self, x, y, w, h=None, align="left"):
        """Put the ink exactly into the box x, y, w, h (h None: keep the proportions; y is the ink's top)."""
        a, b, c, d = self.box
        sx = w / (c - a)
        sy = sx if h is None else h / (d - b)
        return self.map(lambda px, py: (x + (px - a) * sx, y + (py - b) * sy))

    @property
    def d(self):
        return "M0 0" if self.hidden else "".join(c + " ".join(f"{n(x)} {n(y)}" for x, y in p) for c, p in self.ops)

    def svg(self, fill="#000", attrs=""):
        return "" if self.hidden else f'<path d="{self.d}" fill="{fill}" {attrs}/>'


class Kit:
    W, H = W, H
    n, polar, lerp, mix = staticmethod(n), staticmethod(polar), staticmethod(lerp), staticmethod(mix)

    def __init__(self, film, lettering="all"):
        """lettering: "all"; "drawn": only letters that the film itself makes shapes of, with outline(); "none"."""
        self.film, self.lettering = film, lettering
        self.seed = zlib.crc32(film.id.encode())
        self.rng = random.Random(self.seed)
        self._defs, self._uid = [], 0
        self.post = {"grain": 5.0, "paper": 3.0, "wear": 0.0, "vignette": 0.0}

    # ---- document -------------------------------------------------------------------------------------------

    def finish(self, grain=5.0, paper=3.0, wear=0.0, vignette=0.0):
        """Texture put on the pixels afterwards: grain and paper in levels (0-12), wear 0-1 (little holes in the
        ink, letterpress-like), vignette 0-1. Call it anywhere in draw(); the last call counts."""
        self.post = {"grain": grain, "paper": paper, "wear": wear, "vignette": vignette}

    def uid(self, p="u"):
        self._uid += 1
        return f"{p}{self._uid}"

    def define(self, markup):
        self._defs.append(markup)

    def document(self, body):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
                f'viewBox="0 0 {W} {H}" width="{W}" height="{H}"><defs>{"".join(self._defs)}</defs>{body}</svg>')

    # ---- plain shapes -----------------------------------------------------------------------------------------

    def bg(self, fill): return f'<rect x="-5" y="-5" width="{W + 10}" height="{H + 10}" fill="{fill}"/>'

    def rect(self, x, y, w, h, fill, attrs=""):
        return f'<rect x="{n(x)}" y="{n(y)}" width="{n(w)}" height="{n(h)}" fill="{fill}" {attrs}/>'

    def circle(self, cx, cy, r, fill, attrs=""):
        return f'<circle cx="{n(cx)}" cy="{n(cy)}" r="{n(r)}" fill="{fill}" {attrs}/>'

    def ring(self, cx, cy, r, width, color, attrs=""):
        return f'<circle cx="{n(cx)}" cy="{n(cy)}" r="{n(r)}" fill="none" stroke="{color}" stroke-width="{n(width)}" {attrs}/>'

    def line(self, x1, y1, x2, y2, width, color, attrs=""):
        return (f'<line x1="{n(x1)}" y1="{n(y1)}" x2="{n(x2)}" y2="{n(y2)}" stroke="{color}" '
                f'stroke-width="{n(width)}" {attrs}/>')

    def path(self, d, fill, attrs=""): return f'<path d="{d}" fill="{fill}" {attrs}/>'

    def stroke(self, d, width, color, attrs=""):
        return f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{n(width)}" {attrs}/>'

    @staticmethod
    def d_poly(pts, closed=True):
        return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in pts) + ("Z" if closed else "")

    def poly(self, pts, fill, attrs=""): return self.path(self.d_poly(pts), fill, attrs)

    @staticmethod
    def d_smooth(pts, closed=True, k=1 / 6):
        """A smooth curve through the points (Catmull-Rom)."""
        m = len(pts)
        g = (lambda i: pts[i % m]) if closed else (lambda i: pts[max(0, min(m - 1, i))])
        d = f"M{n(pts[0][0])} {n(pts[0][1])}"
        for i in range(m if closed else m - 1):
            a, b, c, e = g(i - 1), g(i), g(i + 1), g(i + 2)
            d += "C" + " ".join(f"{n(v)}" for v in (b[0] + (c[0] - a[0]) * k, b[1] + (c[1] - a[1]) * k,
                                                   c[0] - (e[0] - b[0]) * k, c[1] - (e[1] - b[1]) * k, *c))
        return d + ("Z" if closed else "")

    def smooth(self, pts, fill, attrs=""): return self.path(self.d_smooth(pts), fill, attrs)

    # ---- cut paper, brush, organic ----------------------------------------------------------------------------

    def cut_pts(self, pts, amt=4, step=120, closed=True):
        """A polygon's points as scissors would follow them: a few extra corners a little off the line."""
        out, r, m = [], self.rng, len(pts)
        for i in range(m if closed else m - 1):
            (x0, y0), (x1, y1) = pts[i], pts[(i + 1) % m]
            ln = math.hypot(x1 - x0, y1 - y0) or 1
            out.append((x0 + r.uniform(-amt, amt) * .5, y0 + r.uniform(-amt, amt) * .5))
            k = int(ln / step)
            for j in range(1, k + 1):
                t, o = (j + r.uniform(-.3, .3)) / (k + 1), r.uniform(-amt, amt)
                out.append((lerp(x0, x1, t) - (y1 - y0) / ln * o, lerp(y0, y1, t) + (x1 - x0) / ln * o))
        if not closed:
            out.append(pts[-1])
        return out

    def cut(self, pts, fill, amt=4, step=120, attrs=""):
        return self.poly(self.cut_pts(pts, amt, step), fill, attrs)

    def blob_pts(self, cx, cy, rx, ry, k=10, wob=.08, rot=0):
        out = []
        for i in range(k):
            a, f = math.tau * i / k, 1 + self.rng.uniform(-wob, wob)
            x, y = rx * f * math.cos(a), ry * f * math.sin(a)
            c, s = math.cos(math.radians(rot)), math.sin(math.radians(rot))
            out.append((cx + x * c - y * s, cy + x * s + y * c))
        return out

    def blob(self, cx, cy, rx, ry, fill, k=10, wob=.08, rot=0, attrs=""):
        return self.smooth(self.blob_pts(cx, cy, rx, ry, k, wob, rot), fill, attrs)

    def ribbon_pts(self, pts, widths, samples=14):
        """Outline of a stroke of changing width along a smooth line through pts (fingers, branches, smoke, brush).
        widths: one number per point."""
        m, ctr = len(pts), []
        g = lambda i: pts[max(0, min(m - 1, i))]
        for i in range(m - 1):
            a, b, c, e = g(i - 1), g(i), g(i + 1), g(i + 2)
            for j in range(samples):
                t = j / samples
                q = [.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - e[k]) * t * t
                           + (3 * b[k] - a[k] - 3 * c[k] + e[k]) * t ** 3) for k in (0, 1)]
                ctr.append((q[0], q[1], lerp(widths[i], widths[i + 1], t)))
        ctr.append((*pts[-1], widths[-1]))
        left, right = [], []
        for i, (x, y, w) in enumerate(ctr):
            p, q = ctr[max(0, i - 1)], ctr[min(len(ctr) - 1, i + 1)]
            dx, dy = q[0] - p[0], q[1] - p[1]
            ln = math.hypot(dx, dy) or 1
            left.append((x - dy / ln * w / 2, y + dx / ln * w / 2))
            right.append((x + dy / ln * w / 2, y - dx / ln * w / 2))
        return left + right[::-1]

    def ribbon(self, pts, widths, fill, attrs=""): return self.poly(self.ribbon_pts(pts, widths), fill, attrs)

    def brush(self, pts, widths, fill, hairs=26, dry=.5, attrs=""):
        """A dry brush stroke: a bundle of hairs along the ribbon, some running out early (dry 0-1)."""
        m, out, r = len(pts), [], self.rng
        for h in range(hairs):
            o = (h + .5) / hairs * 2 - 1
            edge = 1 - abs(o) * .35
            end = 1 - dry * r.random() ** 2 * (1.1 - edge * .5)
            beg = dry * .12 * r.random()
            line = []
            for i in range(m):
                p, q = pts[max(0, i - 1)], pts[min(m - 1, i + 1)]
                dx, dy = q[0] - p[0], q[1] - p[1]
                ln = math.hypot(dx, dy) or 1
                line.append((pts[i][0] - dy / ln * o * widths[i] / 2, pts[i][1] + dx / ln * o * widths[i] / 2))
            k0, k1 = beg * (m - 1), max(beg + .2, end) * (m - 1)
            ks = [k0] + [k for k in range(m) if k0 < k < k1] + [min(k1, m - 1)]
            at = lambda k: tuple(lerp(line[int(k)][c], line[min(int(k) + 1, m - 1)][c], k - int(k)) for c in (0, 1))
            ws = [max(.8, (max(widths) / hairs) * r.uniform(.9, 1.9)) for _ in ks]
            ws[-1] *= .3
            out.append(self.d_poly(self.ribbon_pts([at(k) for k in ks], ws, 8)))
        return self.path("".join(out), fill, attrs)

    # ---- printed textures -------------------------------------------------------------------------------------

    def halftone(self, x, y, w, h, tone, fill, pitch=14, angle=45, shape="dot", attrs=""):
        """Dots over a box; tone(px, py) -> 0 (nothing) .. 1 (full). shape: dot, line."""
        d, c, s = [], math.cos(math.radians(angle)), math.sin(math.radians(angle))
        cx, cy, R = x + w / 2, y + h / 2, math.hypot(w, h) / 2 + pitch
        k = int(R / pitch) + 1
        for i in range(-k, k + 1):
            run = []
            for j in range(-k, k + 1):
                px, py = cx + (i * c - j * s) * pitch, cy + (i * s + j * c) * pitch
                inside = x - pitch <= px <= x + w + pitch and y - pitch <= py <= y + h + pitch
                t = max(0, min(1, tone(px, py))) if inside else 0
                if shape == "line":
                    if t > .03:
                        run.append((px, py, t * pitch))
                    if (t <= .03 or j == k) and run:
                        if len(run) > 1:
                            left = [(a + c * q / 2, b + s * q / 2) for a, b, q in run]
                            right = [(a - c * q / 2, b - s * q / 2) for a, b, q in run]
                            d.append(self.d_poly(left + right[::-1]))
                        run = []
                elif t > .01:
                    r = pitch * .72 * math.sqrt(t)
                    d.append(f"M{n(px - r)} {n(py)}a{n(r)} {n(r)} 0 1 0 {n(2 * r)} 0a{n(r)} {n(r)} 0 1 0 {n(-2 * r)} 0Z")
        return self.path("".join(d), fill, attrs)

    def hatch(self, x, y, w, h, fill, pitch=12, angle=0, weight=.5, wob=.25, length=260, attrs=""):
        """Woodcut gouges: wedge-shaped strokes filling a box in direction angle. weight: a number or f(px, py) -> 0..1,
        the share of the pitch that is inked. Clip it with kit.clip()."""
        d, r = [], self.rng
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        cx, cy, R = x + w / 2, y + h / 2, math.hypot(w, h) / 2
        wf = weight if callable(weight) else (lambda px, py: weight)
        v = -R
        while v < R:
            u = -R - r.uniform(0, length)
            while u < R:
                ln = length * r.uniform(.5, 1.4)
                vv = v + r.uniform(-wob, wob) * pitch
                mid = (cx + (u + ln / 2) * c - vv * s, cy + (u + ln / 2) * s + vv * c)
                t = wf(*mid)
                if t > .02 and x - ln < mid[0] < x + w + ln and y - ln < mid[1] < y + h + ln:
                    th, pts = pitch * t / 2, []
                    for f, q in ((0, 0), (.15, .7), (.5, 1.15), (.85, .75), (1, 0), (.85, -.7), (.5, -1), (.15, -.65)):
                        uu, v2 = u + ln * f, vv + th * (q + r.uniform(-.15, .15) * (1 if q else 0))
                        pts.append((cx + uu * c - v2 * s, cy + uu * s + v2 * c))
                    d.append(self.d_poly(pts))
                u += ln + pitch * r.uniform(.1, .8)
            v += pitch
        return self.path("".join(d), fill, attrs)

    def rays(self, cx, cy, r0, r1, count, fill, a0=0, a1=360, duty=.5, jitter=0, attrs=""):
        """Wedges from radius r0 to r1 between the angles; duty = share of each step that is filled."""
        d, st = [], (a1 - a0) / count
        for i in range(count):
            j = self.rng.uniform(-jitter, jitter) * st
            s, e = a0 + i * st + j, a0 + (i + duty) * st + j
            d.append(self.d_poly([polar(cx, cy, r0, s), polar(cx, cy, r1, s), polar(cx, cy, r1, e), polar(cx, cy, r0, e)]))
        return self.path("".join(d), fill, attrs)

    def specks(self, x, y, w, h, count, fill, r0=.6, r1=2.4, attrs=""):
        """Spattered ink / stars / snow."""
        d, g = [], self.rng
        for _ in range(count):
            px, py, r = x + g.random() * w, y + g.random() * h, r0 + (r1 - r0) * g.random() ** 3
            d.append(f"M{n(px - r)} {n(py)}a{n(r)} {n(r)} 0 1 0 {n(2 * r)} 0a{n(r)} {n(r)} 0 1 0 {n(-2 * r)} 0Z")
        return self.path("".join(d), fill, attrs)

    # ---- paints, groups, clips, filters -----------------------------------------------------------------------

    def linear(self, stops, x1=0, y1=0, x2=0, y2=H):
        """Gradient in canvas units; stops: [(0, '#fff'), (1, '#000', opacity)]. Returns the fill value."""
        i = self.uid("g")
        self.define(f'<linearGradient id="{i}" gradientUnits="userSpaceOnUse" x1="{n(x1)}" y1="{n(y1)}" x2="{n(x2)}" y2="{n(y2)}">'
                    f'{self._stops(stops)}</linearGradient>')
        return f"url(#{i})"

    def radial(self, stops, cx, cy, r):
        i = self.uid("g")
        self.define(f'<radialGradient id="{i}" gradientUnits="userSpaceOnUse" cx="{n(cx)}" cy="{n(cy)}" r="{n(r)}">'
                    f'{self._stops(stops)}</radialGradient>')
        return f"url(#{i})"

    @staticmethod
    def _stops(stops):
        return "".join(f'<stop offset="{s[0]}" stop-color="{s[1]}"' + (f' stop-opacity="{s[2]}"' if len(s) > 2 else "") + "/>"
                       for s in stops)

    def g(self, content, transform="", opacity=None, blend="", filter="", attrs=""):
        """Group. blend: multiply, screen, overlay ...; filter: a value from blur()/rough()/shadow()."""
        a = (f' transform="{transform}"' if transform else "") + (f' opacity="{opacity}"' if opacity is not None else "")
        a += f' style="mix-blend-mode:{blend}"' if blend else ""
        a += f' filter="{filter}"' if filter else ""
        return f"<g{a} {attrs}>{content}</g>"

    def overprint(self, content, dx=0, dy=0):
        """A second ink printed over the first (multiply), shifted: misregistration."""
        return self.g(content, transform=f"translate({n(dx)} {n(dy)})", blend="multiply")

    def clip(self, d, content):
        """content, seen only inside path d (several shapes may be joined in one d)."""
        i = self.uid("c")
        self.define(f'<clipPath id="{i}"><path d="{d}"/></clipPath>')
        return f'<g clip-path="url(#{i})">{content}</g>'

    def mask(self, white, content):
        """content, seen where the fragment `white` is white (black hides)."""
        i = self.uid("m")
        self.define(f'<mask id="{i}" maskUnits="userSpaceOnUse" x="0" y="0" width="{W}" height="{H}">{white}</mask>')
        return f'<g mask="url(#{i})">{content}</g>'

    def _filter(self, body, pad=60):
        i = self.uid("f")
        self.define(f'<filter id="{i}" filterUnits="userSpaceOnUse" x="{-pad}" y="{-pad}" width="{W + 2 * pad}" '
                    f'height="{H + 2 * pad}" color-interpolation-filters="sRGB">{body}</filter>')
        return f"url(#{i})"

    def blur(self, s): return self._filter(f'<feGaussianBlur stdDeviation="{s}"/>', 200)

    def rough(self, amount=6, freq=.03, octaves=2):
        """Edges as if torn or bled into the paper (displacement). Slow-ish: once or twice per poster."""
        return self._filter(f'<feTurbulence type="fractalNoise" baseFrequency="{freq}" numOctaves="{octaves}" seed="{self.seed % 1000}"/>'
                            f'<feDisplacementMap in="SourceGraphic" scale="{amount}" xChannelSelector="R" yChannelSelector="G"/>')

    def shadow(self, dx=0, dy=6, blur=8, color="#000", opacity=.35):
        """Drop shadow for cut-paper layers."""
        return self._filter(f'<feGaussianBlur in="SourceAlpha" stdDeviation="{blur}"/><feOffset dx="{dx}" dy="{dy}" result="o"/>'
                            f'<feFlood flood-color="{color}" flood-opacity="{opacity}"/><feComposite in2="o" operator="in"/>'
                            f'<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>')

    # ---- lettering --------------------------------------------------------------------------------------------

    def outline(self, s, size=100, font="grotesk", track=0, vertical=False, features=None, jitter=0, rot=0):
        """Lettering as an Outline with its origin at the first letter's baseline start (vertical: top centre).
        track: extra space per letter in em (0.1 = airy, -0.02 = tight). jitter: letters moved up/down, in em;
        rot: letters turned by up to that many degrees (cut-paper titles)."""
        hf, upem, _ = _font(font)
        buf = hb.Buffer()
        buf.add_str(s)
        buf.guess_segment_properties()
        if vertical:
            buf.direction = "ttb"
        if track and not vertical:
            features = {**(features or {}), "liga": False, "clig": False, "dlig": False}
        hb.shape(hf, buf, features or {})
        k, px, py, ops = size / upem, 0.0, 0.0, []
        for info, pos in zip(buf.glyph_infos, buf.glyph_positions):
            if info.codepoint == 0:
                raise SystemExit(f"{self.film.id}: font {font} lacks a letter of {s!r}")
            ox, oy = px + pos.x_offset * k, py - pos.y_offset * k
            jy = self.rng.uniform(-jitter, jitter) * size if jitter else 0
            a = math.radians(self.rng.uniform(-rot, rot)) if rot else 0
            c, q = math.cos(a), math.sin(a)
            hx, hy = pos.x_advance * k / 2, -size * .35

            def place(x, y):
                x, y = x * k - hx, -y * k - hy
                return ox + hx + x * c - y * q, oy + hy + jy + x * q + y * c
            ops += [(cmd, [place(*p) for p in pts]) for cmd, pts in _glyph(font, info.codepoint)]
            px += pos.x_advance * k + (0 if vertical else track * size)
            py += -pos.y_advance * k + (track * size if vertical else 0)
        o = Outline(ops, self.lettering == "none")
        o.advance = (py if vertical else px) - track * size
        return o

    def _set(self, *args, **kw):
        """An outline of lettering that is set, not drawn."""
        o = self.outline(*args, **kw)
        o.hidden = self.lettering != "all"
        return o

    def measure(self, s, size, font="grotesk", track=0):
        """Advance width of a line."""
        return self.outline(s, size, font, track).advance

    def fit_size(self, s, width, font="grotesk", track=0):
        """Font size at which the ink of s is `width` wide."""
        a, _, c, _ = self.outline(s, 1000, font, track).box
        return 1000 * width / (c - a)

    def cap(self, size, font, s="H"):
        """Height of capital letters (or of s) at that size."""
        return -self.outline(s, size, font).box[1]

    def text(self, s, x, y, size, font="grotesk", fill="#000", anchor="start", track=0, attrs="", **kw):
        """One line, y = baseline. anchor: start, middle, end."""
        o = self._set(s, size, font, track, **kw)
        return o.move(x - o.advance * {"start": 0, "middle": .5, "end": 1}[anchor], y).svg(fill, attrs)

    def text_fit(self, s, x, y, w, h=None, font="grotesk", fill="#000", track=0, attrs="", **kw):
        """One line whose INK fills exactly the box: left x, top y, width w (and height h if given: stretched)."""
        return self._set(s, 200, font, track, **kw).fit(x, y, w, h).svg(fill, attrs)

    def stack(self, lines, x, y, w, font="grotesk", fill="#000", gap=14, track=0, heights=None, **kw):
        """Lines under each other, each as wide as w (ink). fill, font, heights: one value or one per line.
        Returns (svg, bottom y)."""
        out, pick = [], lambda v, i: v[i] if isinstance(v, (list, tuple)) else v
        for i, s in enumerate(lines):
            o = self._set(s, 200, pick(font, i), track, **kw).fit(x, y, w, pick(heights, i))
            out.append(o.svg(pick(fill, i)))
            y = o.box[3] + gap
        return "".join(out), y - gap

    def vtext(self, s, x, y, size, font="ja-serif", fill="#000", track=0, attrs="", **kw):
        """Vertical lettering, x = centre of the column, y = top."""
        return self._set(s, size, font, track, vertical=True, **kw).move(x, y).svg(fill, attrs)

    def text_arc(self, s, cx, cy, r, deg, size, font="grotesk", fill="#000", track=0, inside=False, attrs=""):
        """Letters along a circle, centred at angle deg (-90 = top). inside: readable along the bottom."""
        o = self._set(s, size, font, track)
        half = o.advance / 2

        def f(x, y):
            if inside:
                return polar(cx, cy, r + y, deg - math.degrees((x - half) / r))
            return polar(cx, cy, r - y, deg + math.degrees((x - half) / r))
        return o.warp(f, 3).svg(fill, attrs)

    def text_on(self, s, pts, size, font="grotesk", fill="#000", track=0, start=0, attrs=""):
        """Letters along a smooth open line through pts (letters bend with it)."""
        o = self._set(s, size, font, track)
        rib = self.ribbon_pts(pts, [0] * len(pts), 30)
        line = rib[:len(rib) // 2]
        acc = [0]
        for a, b in zip(line, line[1:]):
            acc.append(acc[-1] + math.hypot(b[0] - a[0], b[1] - a[1]))

        def f(x, y):
            x, i = max(0, x + start), 0
            lo, hi = 0, len(acc) - 2
            while lo < hi:
                m = (lo + hi + 1) // 2
                lo, hi = (m, hi) if acc[m] <= x else (lo, m - 1)
            i = lo
            a, b = line[i], line[i + 1]
            ln = acc[i + 1] - acc[i] or 1
            t, ux, uy = (x - acc[i]) / ln, (b[0] - a[0]) / ln, (b[1] - a[1]) / ln
            return a[0] + (b[0] - a[0]) * t - uy * y, a[1] + (b[1] - a[1]) * t + ux * y
        return o.warp(f, 3).svg(fill, attrs)

    def runs(self, parts, x, y, anchor="start", fill="#000"):
        """One line of mixed fonts: parts = [(text, size, font[, track[, fill]])]."""
        os_, at = [], 0
        for p in parts:
            s, size, font = p[:3]
            tr = p[3] if len(p) > 3 else 0
            o = self._set(s, size, font, tr)
            os_.append((o.move(at, 0), p[4] if len(p) > 4 else fill))
            at += o.advance + tr * size
        dx = x - at * {"start": 0, "middle": .5, "end": 1}[anchor]
        return "".join(o.move(dx, y).svg(f) for o, f in os_)

    def para(self, lines, x, y, size, font="small", fill="#000", lead=1.3, anchor="start", track=0):
        """Several lines, y = first baseline."""
        return "".join(self.text(s, x, y + i * size * lead, size, font, fill, anchor, track) for i, s in enumerate(lines))

    def credits(self, x=500, y=1440, width=780, fill="#000", anchor="middle", size=26, lines=None, lang=None, lead=1.42):
        """The billing block: small condensed capitals with smaller role words. y = baseline of the LAST line.
        lang: "ko" or "ja" uses the native names. lines: your own list of lines, each a list of (role, name)."""
        f, native = self.film, lang and self.film.director_native
        d, c = (f.director_native, f.cast_native) if native else (f.director.replace(", ", " & "), f.cast)
        if lines is None:
            w = {"ko": ("감독", "출연"), "ja": ("監督", "出演")}.get(lang, ("directed by", "with"))
            lines = [[(w[0], d)]]
            if c:
                lines.insert(0, [(w[1] if i == 0 else "", name) for i, name in enumerate(c)])
            lines[-1] += ([("", f.company)] if f.company else []) + [("", f.country), ("", f.year)]
        big = {"ko": "ko", "ja": "ja"}.get(lang, "condensed-mid")
        low = {"ko": "ko-light", "ja": "ja-light"}.get(lang, "small")
        out = []
        for i, ln in enumerate(lines):
            yy = y - (len(lines) - 1 - i) * size * lead
            parts = []
            for j, (role, name) in enumerate(ln):
                if j:
                    parts.append(("   ", size, low))
                if role:
                    parts.append((role + " ", size * .72, low, .02))
                font = big if native and any(ord(ch) > 0x2e80 for ch in name) else \
                    ("condensed-mid" if all(ord(ch) < 0x250 or ch in "’…–" for ch in name) else
                     "pt-narrow" if all(ord(ch) < 0x530 for ch in name) else "ja" if any(0x3000 < ord(ch) < 0xac00 for ch in name) else "ko")
                k = 1 if font == "condensed-mid" else .8
                parts.append((name.upper() if k == 1 else name, size * k * (1.12 if k == 1 else 1), font, .05))
            total = sum(self.measure(p[0], p[1], p[2], p[3] if len(p) > 3 else 0) + (p[3] if len(p) > 3 else 0) * p[1] for p in parts)
            if total > width:
                parts = [(p[0], p[1] * width / total, *p[2:]) for p in parts]
            out.append(self.runs(parts, x, yy, anchor, fill))
        return "".join(out)
