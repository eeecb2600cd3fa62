#!/usr/bin/env python3
"""Fits the model that predicts an encoder's quality by likeness, and prints its coefficients as Swift.

usage: likeness.py SAMPLES >Sources/Pictures/PosterCodec/Likeness/LikenessModel+coefficients.swift

SAMPLES is the output of `poster-bench likeness` for pictures of all kinds at the default qualities. A picture's score is a smooth function of
its encoder's coarseness (LikenessModel.swift): the coarseness at the target is interpolated, and a ridge regression on the picture's statistics
predicts it. Statistics are chosen one by one, as long as the error for pictures outside of the fit decreases. Needs numpy.
"""
import sys

import numpy as np

TARGETS = {"low": 60, "auto": 72, "high": 80}
FORMATS = ["jpeg", "webp", "avif"]
# AVIFQuantizer.calibration
QUANTIZERS = ([1, 10, 25, 40, 55, 70, 80, 90, 95, 100], [63, 48.5, 41.9, 37.2, 34.2, 30.6, 25.6, 13.3, 8, 2])
# The logarithms of JPEG XL's distances at which posters have the targets in the mean.
JXL = {"low": 1.386, "auto": 0.956, "high": 0.351}
RIDGE, MOST_TERMS, FOLDS = 3e-3, 14, 8
# Pictures with a higher score at the lowest quality are extrapolated by at most this much.
FARTHEST = 8
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
    if len(curve) < 4 or curve[0][0] > target + FARTHEST or curve[-1][0] < target + 1:
        return None
    (low, coarse), (high, finer) = curve[:2]
    if low > target:
        return coarse + (low - target) / np.clip((high - low) / (coarse - finer + 1e-9), 10, 20)
    return float(np.interp(target, *zip(*curve)))


def fit(x, y, weights):
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.c_[(x - mean) / deviation, np.ones(len(x))]
    penalty = np.eye(z.shape[1]) * RIDGE * len(x)
    penalty[-1, -1] = 0
    factors = np.linalg.solve((z.T * weights) @ z + penalty, (z.T * weights) @ y)
    slopes = factors[:-1] / deviation
    return factors[-1] - slopes @ mean, slopes


def error(x, y, weights, folds):
    """The root of the mean square error for pictures outside of the fit."""
    wrong = np.zeros(len(y))
    for fold in range(FOLDS):
        here = folds == fold
        constant, slopes = fit(x[~here], y[~here], weights[~here])
        wrong[here] = constant + x[here] @ slopes - y[here]
    return np.sqrt(np.average(wrong**2, weights=weights))


def coefficients(pictures, form, target, chosen=None):
    """A constant and a factor for each statistic, and the statistics that were chosen."""
    rows = [(key, values, at(curve, target)) for key, (curve, values) in pictures.items() if key[2] == form]
    rows = [row for row in rows if row[2] is not None]
    names = list(dict.fromkeys(key[0] for key, _, _ in rows))
    folds = np.array([names.index(key[0]) % FOLDS for key, _, _ in rows])
    x, y = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    weights = np.array([PORTRAIT if np.exp(values[0]) > 1.2 * key[1] ** 2 else 1 for key, values, _ in rows])
    best = np.inf
    if chosen is None:
        chosen = []
        while len(chosen) < MOST_TERMS:
            rest = [term for term in range(x.shape[1]) if term not in chosen]
            least, term = min((error(x[:, chosen + [term]], y, weights, folds), term) for term in rest)
            if least > 0.9985 * best:
                break
            best, chosen = least, chosen + [term]
    constant, slopes = fit(x[:, chosen], y, weights)
    result = np.zeros(1 + x.shape[1])
    result[0], result[1 + np.array(chosen)] = constant, slopes
    points = 15 * error(x[:, chosen], y, weights, folds)
    print(f"{form} {target}: {len(y)} pictures, error about {points:.1f} points, statistics {chosen}", file=sys.stderr)
    return result, chosen


def main():
    pictures = samples(sys.argv[1])
    cases, arrays = [], []
    for form in FORMATS:
        chosen = coefficients(pictures, form, TARGETS["auto"])[1]
        for name, target in TARGETS.items():
            numbers = ["0" if value == 0 else f"{value:.4f}" for value in coefficients(pictures, form, target, chosen)[0]]
            lines = ["        " + ", ".join(numbers[start : start + 10]) + "," for start in range(0, len(numbers), 10)]
            member = form + name.capitalize()
            cases.append(f"        case (.{form}, .{name}): Self.{member}")
            arrays += ["", f"    private static let {member}: [Float] = [", *lines, "    ]"]
    cases += [f"        case (.jxl, .{name}): [{value}]" for name, value in JXL.items()]
    print("// Generated by Benchmarks/likeness.py.\n\nextension LikenessModel {")
    print("    /// The coefficients of the coarseness: a constant, then a factor for each of ``PictureStatistics/values``.")
    print("    static func coefficients(_ likeness: Likeness, _ format: OutputFormat) -> [Float] {")
    print("        switch (format, likeness) {", *cases, "        case (.png, _): [0]", "        }", "    }", sep="\n")
    print(*arrays, "}", sep="\n")


if __name__ == "__main__":
    main()
