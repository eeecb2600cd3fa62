"""JPEG XL: the browser names the format, gets it, and shows it, also where a picture is a stack of frames."""
from web import Site

FILM = "/films/nosferatu-1922?language=en"
LARGE = "/poster/nosferatu-1922?w=780"
SHOWN = """() => { const image = document.querySelector(".film-poster img"); return image.complete && image.naturalWidth > 0; }"""
# The mean and the greatest row's mean of the distances between two encodings of one picture, of 255.
DISTANCES = """async ([one, other]) => {
  const pixels = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return [255, 255];
  const rows = Array.from({ length: a.height }, (_, y) => {
    let sum = 0;
    for (let index = y * a.width * 4; index < (y + 1) * a.width * 4; index++) sum += Math.abs(a.data[index] - b.data[index]);
    return sum / (a.width * 4);
  });
  return [rows.reduce((sum, row) => sum + row) / rows.length, Math.max(...rows)];
}"""


def run(browser, program, check, is_full):
    with Site(program) as site, browser.page(390, service_workers="block") as page:
        types = {}
        page.on("response", lambda response: types.update({response.url.removeprefix(site.base): response.headers.get("content-type")}))
        page.goto(site.base + FILM, wait_until="networkidle")
        posters = {address: kind for address, kind in types.items() if address.startswith("/poster/nosferatu-1922")}
        check("JPEG XL: the browser gets it", "image/jxl" in posters.values(), posters)
        check("JPEG XL: the browser shows it", page.evaluate(SHOWN))
        mean, worst = page.evaluate(DISTANCES, [LARGE + "&format=jxl", LARGE + "&format=png"])
        check("JPEG XL: several frames are one picture", mean < 5 and worst < 15, (mean, worst))
