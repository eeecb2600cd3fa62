#!/usr/bin/env python3
"""Other programs for the same task, for `poster-bench speed --peers`: an original's bytes in, a small poster's bytes out.

Reads one request a line from standard input and answers each with one line, both JSON:

    {"peer": "libvips", "file": F, "width": 368, "format": "jpeg", "runs": 3, "output": G} -> {"ms": [...], "bytes": N}
    {"encode": F, "format": "avif", "quality": 60, "effort": 4, "runs": 1, "output": G} -> {"ms": [...], "bytes": N}
    {"original": F, "outputs": [G, ...], "references": P}
        -> {"ssim": [luma, ...], "chroma": [mean, ...], "pairs": [[R, D], ...]}

With "badges": [["IMDb 8.7", "14551C"], ...] libvips and Pillow also draw texts in pills at the bottom, in the proportions of
OneSheet's; Pillow decodes the whole original then, and resizes it with Lanczos-3. libvips composites one overlay per width.

"encode" measures libvips' encoder alone, with a picture decoded before. "pairs" are the original at an output's size and the
output as PNGs, with paths that begin with P: the output decoded by Pillow, which enlarges chroma as browsers do, and JPEG XL
by djxl. With "check", the answer has "ssimulacra2" of the package of that name, too, which treats the pictures' borders
differently from the authors' program, and has a scale less below 225 pixels.

The first line of the output lists the installed peers: {"peers": {"libvips": "8.18", ...}}. Each works on one thread, in this
process, with its own downscaling and its encoders' defaults at quality 82 (JPEG) and 80 (WebP).

Needs some of: pip install 'pyvips[binary]' pillow opencv-python-headless numpy. Without Pillow and numpy there is no SSIM.
"""
import io
import json
import os
import subprocess
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"

QUALITY = {"jpeg": 82, "webp": 80}


def badge_lengths(width):
    """Height of a badge, type size, margin, padding at the sides of a text, and gap, in pixels."""
    capital = min(max(round(width * 11 / 342), 7), 48)
    return capital + 2 * round(capital * 8 / 11), capital * 11 / 8, max(3, round(width * 8 / 342)), round(capital * 10 / 11), round(capital * 6 / 11)


def install_libvips(peers, versions):
    import pyvips

    pyvips.cache_set_max(0)
    versions["libvips"] = ".".join(str(pyvips.version(part)) for part in range(3))

    def libvips(data, width, form):
        picture = pyvips.Image.thumbnail_buffer(data, width, height=1 << 20, size="down")
        if form == "webp":
            return picture.webpsave_buffer(Q=QUALITY[form], keep="none")
        if picture.hasalpha():
            picture = picture.flatten(background=255)
        return picture.jpegsave_buffer(Q=QUALITY[form], keep="none")

    overlays = {}

    def overlay(width, badges):
        """The row of badges as an RGBA picture, drawn once for a width."""
        key = width, json.dumps(badges)
        if key not in overlays:
            height, size, _, side, gap = badge_lengths(width)
            svg, x = "", 0
            for text, colour in badges:
                # SVG has no widths of texts: a bold digit or letter has about 0.6 em.
                length = round(0.6 * size * len(text)) + 2 * side
                svg += f'<rect x="{x}" width="{length}" height="{height}" rx="{height / 2}" fill="#{colour}" fill-opacity="0.94"/>'
                svg += f'<text x="{x + length / 2}" y="{height * 0.7}" font-size="{size}" text-anchor="middle">{text}</text>'
                x += length + gap
            start = f'<svg xmlns="http://www.w3.org/2000/svg" width="{x - gap}" height="{height}" font-family="sans-serif" font-weight="bold" fill="white">'
            overlays[key] = pyvips.Image.svgload_buffer(f"{start}{svg}</svg>".encode()).copy_memory()
        return overlays[key]

    def libvips_badges(data, width, form, badges):
        picture = pyvips.Image.thumbnail_buffer(data, width, height=1 << 20, size="down").colourspace("srgb")
        had_alpha = picture.hasalpha()
        row = overlay(picture.width, badges)
        left, top = (picture.width - row.width) // 2, picture.height - badge_lengths(picture.width)[2] - row.height
        picture = picture.composite2(row, "over", x=left, y=top, compositing_space="srgb")
        if form == "webp":
            return (picture if had_alpha else picture[:3]).webpsave_buffer(Q=QUALITY[form], keep="none")
        picture = picture.flatten(background=255) if had_alpha else picture[:3]
        return picture.jpegsave_buffer(Q=QUALITY[form], keep="none")

    peers["libvips"] = libvips
    peers["libvips with badges"] = libvips_badges


def install_pillow(peers, versions):
    import PIL
    from PIL import Image, ImageDraw, ImageFont

    Image.MAX_IMAGE_PIXELS = None
    versions["Pillow"] = PIL.__version__

    def pillow(data, width, form):
        picture = Image.open(io.BytesIO(data))
        width = min(width, picture.width)
        size = (width, max(1, round(picture.height * width / picture.width)))
        picture.draft("RGB", size)
        has_alpha = "A" in picture.getbands() or "transparency" in picture.info
        if has_alpha and form == "jpeg":
            layer = picture.convert("RGBA")
            picture = Image.new("RGB", layer.size, "white")
            picture.paste(layer, mask=layer.getchannel("A"))
        else:
            picture = picture.convert("RGBA" if has_alpha else "RGB")
        file = io.BytesIO()
        picture.resize(size, Image.LANCZOS, reducing_gap=2).save(file, form, quality=QUALITY[form])
        return file.getvalue()

    fonts = {}

    def pillow_badges(data, width, form, badges):
        picture = Image.open(io.BytesIO(data))
        width = min(width, picture.width)
        size = (width, max(1, round(picture.height * width / picture.width)))
        # Without draft() and reducing_gap: the whole original is decoded and resized.
        has_alpha = "A" in picture.getbands() or "transparency" in picture.info
        picture = picture.convert("RGBA" if has_alpha else "RGB").resize(size, Image.LANCZOS)
        height, type_size, margin, side, gap = badge_lengths(width)
        if type_size not in fonts:
            fonts[type_size] = ImageFont.load_default(type_size)
        font = fonts[type_size]
        lengths = [round(font.getlength(text)) + 2 * side for text, _ in badges]
        row = Image.new("RGBA", (sum(lengths) + gap * (len(badges) - 1), height))
        draw, x = ImageDraw.Draw(row), 0
        for (text, colour), length in zip(badges, lengths):
            draw.rounded_rectangle((x, 0, x + length - 1, height - 1), height / 2, fill=f"#{colour}F0")
            draw.text((x + length / 2, height * 0.7), text, "white", font, "ms")
            x += length + gap
        if has_alpha and form == "jpeg":
            layer, picture = picture, Image.new("RGB", size, "white")
            picture.paste(layer, mask=layer.getchannel("A"))
        place = max(0, (width - row.width) // 2), max(0, size[1] - margin - height)
        if picture.mode == "RGBA":
            picture.alpha_composite(row, place)
        else:
            picture.paste(row, place, row)
        file = io.BytesIO()
        picture.save(file, form, quality=QUALITY[form])
        return file.getvalue()

    peers["Pillow"] = pillow
    # load_default() has had a scalable font since Pillow 10.1.
    if tuple(map(int, PIL.__version__.split(".")[:2])) >= (10, 1):
        peers["Pillow with badges"] = pillow_badges


def install_opencv(peers, versions):
    import cv2
    import numpy

    cv2.setNumThreads(1)
    versions["OpenCV"] = cv2.__version__
    reduced = {8: cv2.IMREAD_REDUCED_COLOR_8, 4: cv2.IMREAD_REDUCED_COLOR_4, 2: cv2.IMREAD_REDUCED_COLOR_2}

    def opencv(data, width, form, shrink=1):
        picture = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), reduced.get(shrink, cv2.IMREAD_COLOR))
        if picture is None:
            raise ValueError("OpenCV cannot decode the file")
        height = max(1, round(picture.shape[0] * width / picture.shape[1]))
        if width < picture.shape[1]:
            picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        flag = cv2.IMWRITE_JPEG_QUALITY if form == "jpeg" else cv2.IMWRITE_WEBP_QUALITY
        return cv2.imencode({"jpeg": ".jpg", "webp": ".webp"}[form], picture, [flag, QUALITY[form]])[1].tobytes()

    peers["OpenCV"] = opencv


def opencv_shrink(data, width):
    """The largest reduction of a JPEG during OpenCV's decode, which OpenCV does not choose by itself."""
    from PIL import Image

    picture = Image.open(io.BytesIO(data))
    if picture.format != "JPEG":
        return 1
    return max([1] + [shrink for shrink in (2, 4, 8) if picture.width // shrink >= width])


# Y'CbCr of BT.601, without offsets.
PLANES = [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]]


def opened(path):
    from PIL import Image

    if not path.endswith(".jxl"):
        return Image.open(path)
    subprocess.run(["djxl", path, path + ".png"], check=True, capture_output=True)
    return Image.open(path + ".png")


def upright(path, size=None):
    """The upright picture in sRGB on white, resized to `size` with Lanczos-3 unless it is None."""
    import numpy
    from PIL import Image, ImageCms, ImageOps

    picture = opened(path)
    profile = picture.info.get("icc_profile")
    picture = ImageOps.exif_transpose(picture)
    if picture.mode.startswith("I"):
        picture = Image.fromarray((numpy.asarray(picture).astype(float) / 257 + 0.5).astype(numpy.uint8))
    alpha = None
    if "A" in picture.getbands() or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        alpha = picture.getchannel("A")
        picture = picture.convert("RGB")
    elif picture.mode in ("P", "1"):
        picture = picture.convert("RGB")
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            picture = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
        except ImageCms.PyCMSError:
            pass
    picture = picture.convert("RGB")
    if alpha is not None:
        ground = Image.new("RGB", picture.size, "white")
        ground.paste(picture, mask=alpha)
        picture = ground
    if size and picture.size != size:
        picture = picture.resize(size, Image.LANCZOS)
    return picture


def planes(picture):
    """Y'CbCr planes of floats."""
    import numpy

    return numpy.moveaxis(numpy.asarray(picture).astype(float) @ numpy.array(PLANES).T, 2, 0)


def ssim(one, other):
    """Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment", IEEE TIP 13(4), 2004, with windows of 8×8, every fourth."""
    import numpy

    side = 8
    if min(one.shape) < side:
        return None

    def means(values):
        """Means of all windows, by a summed-area table."""
        sums = numpy.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        boxes = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]
        return boxes[::4, ::4] / side**2

    mean_one, mean_other = means(one), means(other)
    variance_one = means(one * one) - mean_one**2
    variance_other = means(other * other) - mean_other**2
    covariance = means(one * other) - mean_one * mean_other
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_one * mean_other + first) * (2 * covariance + second)
    below = (mean_one**2 + mean_other**2 + first) * (variance_one + variance_other + second)
    return float(numpy.mean(above / below))


def run(peers, request):
    with open(request["file"], "rb") as file:
        data = file.read()
    work, width, form = peers[request["peer"]], request["width"], request["format"]
    more = {}
    if request.get("badges"):
        work, more["badges"] = peers[f"{request['peer']} with badges"], request["badges"]
    elif request["peer"] == "OpenCV":
        more["shrink"] = opencv_shrink(data, width)
    times, cpu = [], []
    if request.get("warm"):
        work(data, width, form, **more)
    for _ in range(request["runs"]):
        start, used = time.perf_counter(), time.process_time()
        result = work(data, width, form, **more)
        times.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - used))
    with open(request["output"], "wb") as file:
        file.write(result)
    return {"ms": times, "cpu": cpu, "bytes": len(result)}


def encode(request):
    import pyvips

    picture = pyvips.Image.new_from_file(request["encode"]).copy_memory()
    quality, effort = request["quality"], request["effort"]
    save = {
        "avif": lambda: picture.heifsave_buffer(Q=quality, effort=effort, compression="av1", keep="none"),
        "jpeg": lambda: picture.jpegsave_buffer(Q=quality, keep="none"),
        "webp": lambda: picture.webpsave_buffer(Q=quality, effort=effort, keep="none"),
    }[request["format"]]
    times, cpu = [], []
    for _ in range(request["runs"]):
        start, used = time.perf_counter(), time.process_time()
        result = save()
        times.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - used))
    with open(request["output"], "wb") as file:
        file.write(result)
    return {"ms": times, "cpu": cpu, "bytes": len(result)}


def compare(request):
    references, pairs, luma, chroma = {}, [], [], []
    for index, output in enumerate(request["outputs"]):
        picture = upright(output)
        size = picture.size
        pairs.append((f"{request['references']}-{size[0]}x{size[1]}.png", f"{request['references']}-{index}.png"))
        if size not in references:
            references[size] = upright(request["original"], size)
            references[size].save(pairs[-1][0], compress_level=1)
        picture.save(pairs[-1][1], compress_level=1)
        values = [ssim(one, other) for one, other in zip(planes(references[size]), planes(picture))]
        luma.append(values[0])
        chroma.append(None if None in values else (values[1] + values[2]) / 2)
    answer = {"ssim": luma, "chroma": chroma, "pairs": pairs}
    if request.get("check"):
        from ssimulacra2 import compute_ssimulacra2

        answer["ssimulacra2"] = [compute_ssimulacra2(*pair) for pair in pairs]
    return answer


def main():
    peers, versions = {}, {}
    for install in (install_libvips, install_pillow, install_opencv):
        try:
            install(peers, versions)
        except (ImportError, OSError):
            pass
    print(json.dumps({"peers": versions}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = run(peers, request) if "peer" in request else encode(request) if "encode" in request else compare(request)
        except Exception as error:  # a peer's failure is a result, too
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
