#!/usr/bin/env python3
"""Fits the model that predicts an encoder's quality by likeness, and prints its coefficients as Swift.

usage: likeness.py SAMPLES >Sources/Pictures/PosterCodec/Likeness/LikenessModel+coefficients.swift

SAMPLES is the output of `poster-bench likeness` for pictures of all kinds at the default qualities. A picture's score is a smooth function of
its encoder's coarseness (LikenessModel.swift): the coarseness at the target is interpolated, and a ridge regression on the picture's statistics
and some of their products predicts it. Products are chosen one by one, as long as the error for films outside of the fit decreases. Needs numpy.
"""
import os
import re
import sys

import numpy as np

TARGETS = {"low": 60, "auto": 72, "high": 80}
FORMATS = ["jpeg", "webp", "avif"]
# AVIFQuantizer.calibration
QUANTIZERS = ([1, 10, 25, 40, 55, 70, 80, 90, 95, 100], [63, 48.5, 41.9, 37.2, 34.2, 30.6, 25.6, 13.3, 8, 2])
# The logarithms of JPEG XL's distances at which posters have the targets in the mean.
JXL = {"low": 1.386, "auto": 0.956, "high": 0.351}
RIDGE, MOST_PRODUCTS, FOLDS = 1e-2, 6, 10
# Statistics are limited to this many standard deviations from their means.
LIMIT = 3
# Curves that end before the target are extrapolated by at most this much.
FARTHEST = 12
# Posters count more than pictures of other shapes.
PORTRAIT = 2.5


def coarseness(number, form):
    if form == "jpeg":
        return float(np.log(50 / number if number < 50 else 2 - number / 50))
    return float(np.log(106 - number) if form == "webp" else np.interp(number, *QUANTIZERS) / 18)


def samples(path):
    """The scores and coarsenesses of each picture, width and format, and the statistics."""
    pictures = {}
    for line in open(path):
        name, width, form, quality, score, *_, values = line.rstrip("\n").split("\t")
        if quality.isdigit():
            key = (name, int(width), form)
            curve = pictures.setdefault(key, ([], np.array(values.split(), float)))[0]
            curve.append((float(score), coarseness(int(quality), form)))
    return pictures


def at(curve, target):
    """The coarseness at a target; None if the curve does not come near it."""
    curve = sorted(curve)
    if len(curve) < 3 or curve[0][0] > target + FARTHEST or curve[-1][0] < target - FARTHEST:
        return None
    for (low, coarse), (high, finer), end in [(*curve[:2], curve[0]), (*curve[-2:], curve[-1])]:
        if target < low and end == curve[0] or target > high and end == curve[-1]:
            return end[1] + (end[0] - target) / np.clip((high - low) / (coarse - finer + 1e-9), 10, 20)
    return float(np.interp(target, *zip(*curve)))


def fit(x, y, weights):
    z = np.c_[x, np.ones(len(x))]
    penalty = np.eye(z.shape[1]) * RIDGE * len(x)
    penalty[-1, -1] = 0
    return np.linalg.solve((z.T * weights) @ z + penalty, (z.T * weights) @ y)


def predictions(x, y, weights, folds):
    """The predictions for each picture of a fit without its film."""
    result = np.zeros(len(y))
    for fold in range(FOLDS):
        here = folds == fold
        result[here] = np.c_[x[here], np.ones(here.sum())] @ fit(x[~here], y[~here], weights[~here])
    return result


def film(path):
    return re.sub(r"-\d+$", "", os.path.splitext(os.path.basename(path))[0])


def rows(pictures, form, target):
    """The pictures with a coarseness at the target: keys, statistics, coarsenesses, weights, folds by film."""
    found = [(key, values, at(curve, target)) for key, (curve, values) in pictures.items() if key[2] == form]
    found = [row for row in found if row[2] is not None]
    films = sorted({film(key[0]) for key, _, _ in found})
    order = np.random.RandomState(0).permutation(len(films)) % FOLDS
    weights = [PORTRAIT if np.exp(values[0]) > 1.2 * key[1] ** 2 else 1 for key, values, _ in found]
    folds = [order[films.index(film(key[0]))] for key, _, _ in found]
    x, y = np.array([row[1] for row in found]), np.array([row[2] for row in found])
    return [row[0] for row in found], x, y, np.array(weights), np.array(folds)


def terms(x, center, scale, products):
    z = np.clip((x - center) / scale, -LIMIT, LIMIT)
    return np.c_[z, np.array([z[:, a] * z[:, b] for a, b in products]).T] if products else z


def choose(x, y, weights, folds, center, scale):
    products, best = [], np.inf
    count = x.shape[1]
    while len(products) < MOST_PRODUCTS:
        rest = [(a, b) for a in range(count) for b in range(a, count) if (a, b) not in products]
        errors = [predictions(terms(x, center, scale, products + [pair]), y, weights, folds) - y for pair in rest]
        least, pair = min(zip([float(np.average(e**2, weights=weights)) for e in errors], rest))
        if least > 0.99 * best:
            break
        best, products = least, products + [pair]
    return products


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
        _, x, y, weights, folds = rows(pictures, form, TARGETS["auto"])
        products = choose(x, y, weights, folds, center, scale)
        arrays += ["", f"    private static let {form}Products = [" + ", ".join(f"({a}, {b})" for a, b in products) + "]"]
        for name, target in TARGETS.items():
            _, x, y, weights, folds = rows(pictures, form, target)
            z = terms(x, center, scale, products)
            points = 15 * np.sqrt(np.average((predictions(z, y, weights, folds) - y) ** 2, weights=weights))
            print(f"{form} {target}: {len(y)} pictures, error about {points:.1f} points", file=sys.stderr)
            factors = fit(z, y, weights)
            member = form + name.capitalize()
            arrays += swift(member, [factors[-1], *factors[:-1]])
            cases.append(f"        case (.{form}, .{name}): (Self.{member}, Self.{form}Products)")
    cases += [f"        case (.jxl, .{name}): ([{value}], [])" for name, value in JXL.items()]
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
