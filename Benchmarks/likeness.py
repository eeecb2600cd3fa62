#!/usr/bin/env python3
"""Fits the model that predicts an encoder's quality by likeness, and prints its coefficients as Swift.

usage: likeness.py SAMPLES >Sources/Pictures/PosterCodec/Likeness/LikenessModel+coefficients.swift

SAMPLES is the output of `poster-bench likeness` for pictures of all kinds, at some qualities of each format. A picture's score is a smooth
function of its encoder's coarseness (LikenessModel.swift): the coarseness at the target is interpolated, and a ridge regression on the picture's
statistics and some of their products predicts it. Products are chosen one by one, as long as the error for films outside of the fit decreases.
The figures of such films are printed on standard error. Needs numpy.
"""
import os
import re
import sys

import numpy as np

TARGETS = {"low": 60, "auto": 72, "high": 80}
FORMATS = ["jpeg", "webp", "avif", "jxl"]
# The numbers that the model may choose, and the default number.
NUMBERS = {"jpeg": (35, 95), "webp": (25, 95), "avif": (35, 94), "jxl": (25, 95)}
DEFAULTS = {"jpeg": 82, "webp": 80, "avif": 80, "jxl": 80}
# AVIFQuantizer.calibration
QUANTIZERS = ([1, 10, 25, 40, 55, 70, 80, 90, 95, 100], [63, 48.5, 41.9, 37.2, 34.2, 30.6, 25.6, 13.3, 8, 2])
# JXLDistance.calibration
DISTANCES = ([1, 10, 25, 40, 55, 70, 80, 90, 95, 100], [15, 9.7, 5.9, 4.3, 3.3, 2.6, 1.95, 1.1, 0.8, 0.3])
RIDGE, MOST_PRODUCTS, FOLDS = 2e-2, 5, 10
# A product must lower the squared error to this part of it.
GAIN = 0.985
# Statistics are limited to this many standard deviations from their means.
LIMIT = 3
# Curves that end before the target are extrapolated by at most this much.
FARTHEST = 12
# Posters count more than pictures of other shapes.
PORTRAIT = 2.5
# Scores below the target count more than scores above.
BELOW = 2


def coarseness(number, form):
    if form == "jpeg":
        return float(np.log(50 / number if number < 50 else 2 - number / 50))
    if form == "webp":
        return float(np.log(106 - number))
    return float(np.interp(number, *QUANTIZERS) / 18 if form == "avif" else np.log(np.interp(number, *DISTANCES)))


class Curve:
    """The scores and the logarithms of the bytes of one picture by coarseness, extrapolated with slopes within limits."""

    def __init__(self, points):
        self.coarseness, self.scores, self.bytes = np.array(sorted(points)).T

    def value(self, values, x, least, most):
        def slope(a, b):
            return np.clip((values[b] - values[a]) / (self.coarseness[b] - self.coarseness[a]), least, most)

        inside = np.interp(x, self.coarseness, values)
        inside += np.minimum(x - self.coarseness[0], 0) * slope(0, 1)
        return inside + np.maximum(x - self.coarseness[-1], 0) * slope(-2, -1)

    def score(self, x):
        return self.value(self.scores, x, -22, -9)

    def size(self, x):
        return np.exp(self.value(self.bytes, x, -1.2, -0.3))

    def reaches(self, target):
        return len(self.scores) > 2 and self.scores.max() > target - FARTHEST and self.scores.min() < target + FARTHEST

    def at(self, target, lowest, highest):
        x = np.linspace(lowest, highest, 2000)
        return float(np.interp(-target, -np.minimum.accumulate(self.score(x)), x))


def penalty(z):
    result = np.eye(z.shape[1]) * RIDGE * len(z)
    result[-1, -1] = 0
    return result


class Case:
    """The pictures of a format with a coarseness at a target."""

    def __init__(self, pictures, form, target, center, scale):
        first, last = NUMBERS[form]
        self.form, self.target = form, target
        self.choices = np.array([coarseness(number, form) for number in range(first, last + 1)])
        found = [(*key, *picture) for key, picture in pictures.items() if key[2] == form and picture[0].reaches(target)]
        self.curves, x = [row[3] for row in found], np.array([row[4] for row in found])
        self.z = np.clip((x - center) / scale, -LIMIT, LIMIT)
        self.widths = [row[1] for row in found]
        self.y = np.array([curve.at(target, self.choices.min(), self.choices.max()) for curve in self.curves])
        self.slopes = np.array([curve.score(y - 0.1) - curve.score(y + 0.1) for curve, y in zip(self.curves, self.y)]) * 5
        films = [film(row[0]) for row in found]
        names = sorted(set(films))
        order = np.random.RandomState(0).permutation(len(names)) % FOLDS
        self.folds = np.array([order[names.index(name)] for name in films])
        self.posters = np.array([np.exp(row[4][0]) > 1.2 * row[1] ** 2 for row in found])
        self.weights = np.where(self.posters, PORTRAIT, 1) * (np.clip(self.slopes, 8, 24) / 15) ** 2

    def fit(self, z, chosen):
        """The factors and the constant, by repeated least squares: the more one for pictures below the target; then the last weights."""
        z, y, base = np.c_[z, np.ones(len(z))][chosen], self.y[chosen], self.weights[chosen]
        weights = base
        for _ in range(4):
            factors = np.linalg.solve((z.T * weights) @ z + penalty(z), (z.T * weights) @ y)
            weights = base * self.excess(z @ factors - y)
        return factors, weights

    @staticmethod
    def excess(difference):
        return np.where(difference > 0, BELOW, 1)

    def products(self, rows):
        """The pairs of statistics with products that lower the error most, one by one, each tried on all folds in `rows` by adding it to a fit
        without the fold."""
        z, pairs = self.z, []
        first, second = np.triu_indices(z.shape[1])
        candidates = z[:, first] * z[:, second]
        while True:
            errors = np.zeros(len(first))
            error = 0
            for fold in set(self.folds[rows]):
                train, test = rows & (self.folds != fold), rows & (self.folds == fold)
                factors, weights = self.fit(z, train)
                x, new, y = np.c_[z, np.ones(len(z))], candidates[train], self.y[train]
                inside = x[train]
                cross = (inside.T * weights) @ new
                solved = np.linalg.solve((inside.T * weights) @ inside + penalty(inside), cross)
                own = (new**2 * weights[:, None]).sum(0) + RIDGE * len(y) - (cross * solved).sum(0)
                gain = (new.T @ (weights * (y - inside @ factors))) / own
                base = x[test] @ factors - self.y[test]
                added = base[:, None] + (candidates[test] - x[test] @ solved) * gain
                error += np.sum(self.weights[test] * self.excess(base) * base**2)
                errors += (self.weights[test, None] * self.excess(added) * added**2).sum(0)
            index = errors.argmin()
            if len(pairs) == MOST_PRODUCTS or errors[index] > GAIN * error:
                return pairs
            pairs.append((int(first[index]), int(second[index])))
            z = self.terms(pairs)

    def terms(self, pairs):
        return np.c_[self.z, *[self.z[:, a] * self.z[:, b] for a, b in pairs]] if pairs else self.z

    def predictions(self, pairs_of_folds):
        """For each picture, by a fit without its film."""
        result = np.zeros(len(self.y))
        for fold, pairs in enumerate(pairs_of_folds):
            here, z = self.folds == fold, self.terms(pairs)
            result[here] = np.c_[z[here], np.ones(here.sum())] @ self.fit(z, ~here)[0]
        return result

    def report(self, predicted, name):
        """Of the posters; the bytes relative to the default number, and to the fixed numbers with the same mean, and with the same fifth
        percentile."""
        x = self.choices[np.abs(self.choices - predicted[:, None]).argmin(1)]
        chosen = [(curve, value, width) for curve, value, width, here in zip(self.curves, x, self.widths, self.posters) if here]
        scores = np.array([curve.score(value) for curve, value, _ in chosen])
        size = sum(curve.size(value) for curve, value, _ in chosen)
        fixed = [np.array([curve.score(value) for curve, *_ in chosen]) for value in self.choices]
        sizes = np.log([sum(curve.size(value) for curve, *_ in chosen) for value in self.choices])
        order = np.argsort([each.mean() for each in fixed])
        same = np.exp(np.interp(scores.mean(), [fixed[index].mean() for index in order], sizes[order]))
        worse = np.interp(np.percentile(scores, 5), [np.percentile(fixed[index], 5) for index in order], sizes[order])
        usual = coarseness(DEFAULTS[self.form], self.form)
        usual_scores = np.array([curve.score(usual) for curve, *_ in chosen])
        usual_size = sum(curve.size(usual) for curve, *_ in chosen)
        widths = {int(w): f"{scores[[c[2] == w for c in chosen]].std():.1f}" for w in sorted({c[2] for c in chosen})}
        print(
            f"{self.form} {self.target} {name}: {len(scores)} posters, {scores.mean():.2f} ± {scores.std():.2f}, worst {scores.min():.1f},",
            f"{np.sum(scores < self.target - 6)} more than 6 below; bytes {size / usual_size:.3f}, at the same mean {size / same:.3f},",
            f"at the same fifth percentile {size / np.exp(worse):.3f};",
            f"fixed {usual_scores.mean():.1f} ± {usual_scores.std():.1f}, worst {usual_scores.min():.1f};",
            "by width", *[f"{w} ± {s}" for w, s in widths.items()], file=sys.stderr)


def samples(path):
    """The curve of each picture, width and format, and the statistics."""
    pictures = {}
    for line in open(path):
        name, width, form, quality, score, size, _, values = line.rstrip("\n").split("\t")
        if quality.isdigit():
            key = (name, int(width), form)
            points = pictures.setdefault(key, ([], np.array(values.split(), float)))[0]
            points.append((coarseness(int(quality), form), float(score), np.log(float(size))))
    return {key: (Curve(points), values) for key, (points, values) in pictures.items() if len(points) > 2}


def film(path):
    return re.sub(r"-\d$", "", os.path.splitext(os.path.basename(path))[0])


def swift(name, numbers):
    texts = [f"{number:.5g}" for number in numbers]
    lines = ["        " + ", ".join(texts[start : start + 9]) + "," for start in range(0, len(texts), 9)]
    return ["", f"    private static let {name}: [Float] = [", *lines, "    ]"]


def main():
    pictures = samples(sys.argv[1])
    values = np.array([values for _, values in pictures.values()])
    center, scale = values.mean(0), values.std(0)
    cases, arrays = [], []
    for form in FORMATS:
        case = Case(pictures, form, TARGETS["auto"], center, scale)
        everything = np.full(len(case.y), True)
        products = case.products(everything)
        # Chosen without a fold, too, for the report.
        others = [case.products(case.folds != fold) for fold in range(FOLDS)]
        arrays += ["", f"    private static let {form}Products = [" + ", ".join(f"({a}, {b})" for a, b in products) + "]"]
        for name, target in TARGETS.items():
            case = Case(pictures, form, target, center, scale)
            case.report(case.predictions(others), "predicted")
            case.report(case.y, "exactly")
            factors, _ = case.fit(case.terms(products), slice(None))
            member = form + name.capitalize()
            arrays += swift(member, [factors[-1], *factors[:-1]])
            cases.append(f"        case (.{form}, .{name}): (Self.{member}, Self.{form}Products)")
    print("// Generated by Benchmarks/likeness.py.\n\nextension LikenessModel {")
    print("    /// The coefficients of the coarseness: a constant, a factor for each of ``PictureStatistics/values``, and one for")
    print("    /// each of the products of two of them.")
    print("    static func coefficients(")
    print("        _ likeness: Likeness, _ format: OutputFormat")
    print("    ) -> (factors: [Float], products: [(Int, Int)]) {")
    print("        switch (format, likeness) {", *cases, "        case (.png, _): ([0], [])", "        }", "    }", sep="\n")
    print("\n    /// The usual means of the statistics, and their standard deviations.", end="")
    print(*[line.replace("private ", "") for line in swift("center", center)], sep="\n")
    print(*[line.replace("private ", "") for line in swift("scale", scale)][1:], sep="\n")
    print(*arrays, "}", sep="\n")


if __name__ == "__main__":
    main()
