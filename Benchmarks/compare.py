#!/usr/bin/env python3
"""Time, bytes and likeness beside libvips, file by file and as sums over kinds of originals.

usage: compare.py [--program .build/release/onesheet] [--width 368] [--format jpeg|webp] [--quality Q] [--runs 15]
                  [--tools ../shared/tools] [--reference] FILE ...

Each file is rendered by `onesheet render --repeat` (header to bytes, in one process) and by libvips in this process
(`thumbnail_buffer`, one thread, its own shrink-on-load, its encoders' defaults at the same quality), by turns in --rounds rounds,
so that a neighbour's load falls on both; medians of all. With --tools, which has quality.py, the SSIM of both outputs, and with
--reference also our luma PSNR at quality 100, are measured. Needs: pip install 'pyvips[binary]' pillow numpy
"""
import argparse, collections, json, os, statistics, subprocess, sys, tempfile, time

os.environ["VIPS_CONCURRENCY"] = "1"
import pyvips

pyvips.cache_set_max(0)


def libvips(data, width, fmt, quality):
    picture = pyvips.Image.thumbnail_buffer(data, width, height=10_000_000, size="down")
    if fmt == "jpeg":
        if picture.hasalpha():
            picture = picture.flatten(background=255)
        return picture.jpegsave_buffer(Q=quality, keep="none")
    return picture.webpsave_buffer(Q=quality, keep="none")


def ours(args, path, output, quality, runs):
    command = [args.program, "render", path, output, "--width", str(args.width), "--format", args.format,
               "--repeat", str(runs), "--json"]
    if quality:
        command += ["--quality", str(quality)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--program", default=".build/release/onesheet")
    parser.add_argument("--width", type=int, default=368)
    parser.add_argument("--format", choices=["jpeg", "webp"], default="jpeg")
    parser.add_argument("--quality", type=int, help="of both; default: ours for us, 82 (JPEG) or 80 (WebP) for libvips")
    parser.add_argument("--runs", type=int, default=5, help="renders of each per round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools")
    parser.add_argument("--reference", action="store_true")
    args = parser.parse_args()
    quality = None
    if args.tools:
        sys.path.insert(0, args.tools)
        import quality
    theirs_quality = args.quality or (82 if args.format == "jpeg" else 80)

    print("libvips " + ".".join(str(pyvips.version(index)) for index in range(3)))
    print(f"{'file':58} {'kind':16} {'ours ms':>8} {'vips ms':>8} {'ratio':>6} {'ours B':>8} {'vips B':>8}"
          + (f" {'ours SSIM':>9} {'vips SSIM':>9}" if quality else "") + ("     dB" if args.reference else ""))
    sums = collections.defaultdict(lambda: [0, 0, 0, 0, 0, 0, 0])
    with tempfile.TemporaryDirectory() as folder:
        output, other = os.path.join(folder, f"ours.{args.format}"), os.path.join(folder, f"vips.{args.format}")
        for path in args.files:
            data = open(path, "rb").read()
            mine, vips = [], []
            for _ in range(args.rounds):
                report = ours(args, path, output, args.quality, args.runs)
                mine.append(report["milliseconds"]["total"])
                for _ in range(args.runs):
                    start = time.perf_counter()
                    encoded = libvips(data, args.width, args.format, theirs_quality)
                    vips.append(1000 * (time.perf_counter() - start))
            source = report["plan"]["source"]
            kind = source["format"] + (" progressive" if source["progressive"] else " lossless" if source["format"] == "webp" and source["lossless"] else "")
            row = [1, statistics.median(mine), statistics.median(vips), os.path.getsize(output), len(encoded)]
            text = f"{os.path.basename(path)[:58]:58} {kind:16} {row[1]:8.2f} {row[2]:8.2f} {row[1] / row[2]:6.2f} {row[3]:8} {row[4]:8}"
            likeness = [0, 0]
            if quality:
                open(other, "wb").write(encoded)
                likeness = [quality.compare(path, one)["ssim"] for one in (output, other)]
                text += f" {likeness[0]:9.4f} {likeness[1]:9.4f}"
            if args.reference:
                best = os.path.join(folder, "best.png")
                command = [args.program, "render", path, best, "--width", str(args.width), "--format", "png"]
                subprocess.run(command, capture_output=True, check=True)
                text += f" {quality.compare(path, best)['psnr_luma']:6.2f}"
            print(text, flush=True)
            for name in [kind, "all"]:
                sums[name] = [a + b for a, b in zip(sums[name], row + likeness)]
    print()
    for name, (count, mine, vips, mine_bytes, vips_bytes, mine_ssim, vips_ssim) in sums.items():
        print(f"{name} ({count}): {mine:.1f} ms, libvips {vips:.1f} ms, ratio {mine / vips:.2f}; "
              f"{mine_bytes} bytes, libvips {vips_bytes}, ratio {mine_bytes / vips_bytes:.3f}"
              + (f"; SSIM {mine_ssim / count:.4f}, libvips {vips_ssim / count:.4f}" if quality else ""))


if __name__ == "__main__":
    main()
