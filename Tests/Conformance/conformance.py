#!/usr/bin/env python3
"""Compares the decoding of a corpus of pictures with a reference, and writes the result as Markdown.

usage: conformance.py PROGRAM CORPUS TOOLS OUTPUT

PROGRAM is onesheet; CORPUS has the folders conformance and posters; TOOLS has quality.py, whose reference is Pillow's decoder,
turned upright and converted to sRGB. Every file is rendered at 1:1 as PNG, so that only decoding and colours are compared.
Decoding counts as alike from 40 dB of luma upwards.
"""
import concurrent.futures, os, subprocess, sys, tempfile, warnings
import numpy as np
from PIL import Image

ALIKE = 40.0


def reference(quality, path, size):
    """The pixels, or the reason of Pillow's failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture, alpha = quality.upright_srgb(path)
            picture = quality.flatten(picture, alpha)
            if size and size[0] == 2000 and picture.size[0] > 2000:  # too large to be rendered at 1:1
                picture = picture.resize(size, Image.LANCZOS)
            return np.asarray(picture).astype(np.float64), None
    except Exception as error:
        return None, f"{type(error).__name__}"


def rendered(quality, program, path, output, *more):
    outcome = subprocess.run(
        [program, "render", path, output, "--format", "png", "--effort", "full", "--max-render-memory", "2GiB", *more],
        capture_output=True, text=True, timeout=120)
    if outcome.returncode != 0:
        if outcome.returncode != 1:
            return None, f"CRASHED with status {outcome.returncode}"
        if "at this size" in outcome.stderr and not more:
            return rendered(quality, program, path, output, "--width", "2000")
        lines = outcome.stderr.strip().splitlines()
        return None, (lines[-1] if lines else "no reason").split(": ", 2)[-1]
    picture, alpha = quality.upright_srgb(output)
    return np.asarray(quality.flatten(picture, alpha)).astype(np.float64), None


def judge(quality, program, path, folder):
    output = os.path.join(folder, f"{os.getpid()}-{abs(hash(path))}.png")
    ours, refusal = rendered(quality, program, path, output)
    if os.path.exists(output):
        os.unlink(output)
    theirs, complaint = reference(quality, path, ours is not None and ours.shape[1::-1])
    if ours is None:
        return ("both refuse" if theirs is None else "refused"), refusal
    if theirs is None:
        return "only shown here", complaint
    if ours.shape != theirs.shape:
        return "differs", f"{ours.shape[1]}×{ours.shape[0]} instead of {theirs.shape[1]}×{theirs.shape[0]}"
    decibels = quality.psnr(quality.luma(ours), quality.luma(theirs))
    return ("alike" if decibels >= ALIKE else "differs"), f"{decibels:.1f} dB"


def main():
    program, corpus, tools, target = sys.argv[1:]
    sys.path.insert(0, tools)
    import quality
    kinds = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for part in ["conformance", "posters"]:
            for kind in sorted(os.listdir(os.path.join(corpus, part))):
                base = os.path.join(corpus, part, kind)
                if os.path.isdir(base):
                    for name in sorted(os.listdir(base)):
                        path = os.path.join(base, name)
                        jobs.append((f"{part}/{kind}", name, pool.submit(judge, quality, program, path, folder)))
        for kind, name, job in jobs:
            verdict, detail = job.result()
            kinds.setdefault(kind, []).append((name, verdict, detail))

    with open(os.path.join(os.path.dirname(__file__), "reasons.tsv")) as file:
        reasons = dict(line.rstrip("\n").split("\t") for line in file if line.strip())
    columns = ["alike", "differs", "refused", "both refuse", "only shown here"]
    lines = [
        "# Conformance", "",
        "Decoding of a corpus, compared with Pillow at 1:1 (luma, upright, in sRGB, on a white background). Written by",
        "`make conformance`; the corpus is not part of the repository.", "",
        "- *alike*: at least 40 dB; *differs*: decoded, but less alike or with another size;",
        "- *refused*: Pillow decodes the file, OneSheet refuses it with a reason; *both refuse*; *only shown here*: Pillow refuses it.", "",
        "Kinds with only alike files are in the sum.", "",
        "| kind | files | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns),
    ]
    total = [0] * len(columns)
    for kind, rows in kinds.items():
        counts = [sum(1 for row in rows if row[1] == column) for column in columns]
        total = [a + b for a, b in zip(total, counts)]
        if counts[0] < len(rows):
            lines.append(f"| {kind.partition('/')[2]} | {len(rows)} | " + " | ".join(str(count or "") for count in counts) + " |")
    lines.append(f"| **all** | **{sum(total)}** | " + " | ".join(f"**{count}**" for count in total) + " |")
    for column in columns[1:]:
        # By cause: a file without one is only counted.
        causes = {}
        for kind, rows in kinds.items():
            for name, verdict, detail in rows:
                if verdict != column: continue
                if name in reasons: causes.setdefault(reasons[name], []).append((kind.partition("/")[2], detail))
                elif column != "both refuse": print(f"no cause in reasons.tsv: {kind}/{name}: {verdict}, {detail}")
        if causes:
            lines += ["", f"## {column[0].upper()}{column[1:]}", "", "| files | kind | | cause |", "|--:|---|---|---|"]
            for cause, files in causes.items():
                found = ["; ".join(sorted({file[part] for file in files})) for part in (0, 1)]
                lines.append(f"| {len(files)} | {found[0]} | {found[1]} | {cause} |")
    # The last section is written by hand.
    with open(target) as file: kept = "".join(file.read().partition("\n## With other decoders\n")[1:])
    with open(target, "w") as file:
        file.write("\n".join(lines) + "\n" + kept)
    print(", ".join(f"{count} {column}" for column, count in zip(columns, total)))


if __name__ == "__main__":
    main()
