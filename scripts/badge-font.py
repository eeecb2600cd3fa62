#!/usr/bin/env python3
"""Writes the font of badges, a part of Inter Bold, as an array for C.

usage: badge-font.py [FONT]      needs: fonttools 4 (PyPI), and FONT of Debian 12's package fonts-inter; writes Sources/Pictures/CPosterFonts/poster_font_data.c and LICENSE-font.txt

Letters of Latin, Greek and Cyrillic with marks, digits, punctuation and a few symbols remain, with kerning and the placement of marks. Hints go: the program hints by itself. The font is
under the SIL Open Font License 1.1, and "Inter" is a trademark: a modified font has another name.
"""
import io, pathlib, re, sys
from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = ROOT / "Sources/Pictures/CPosterFonts"
FONT = "/usr/share/fonts/opentype/inter/Inter-Bold.otf"
NAME = "OneSheet Badges"
COPYRIGHT = pathlib.Path("/usr/share/doc/fonts-inter/copyright")
RANGES = [
    # Latin with Vietnamese, and combining marks.
    (0x20, 0x7E), (0xA0, 0x17F), (0x18F, 0x18F), (0x192, 0x192), (0x218, 0x21B), (0x259, 0x259), (0x300, 0x304), (0x306, 0x30C), (0x323, 0x328), (0x1E9E, 0x1E9E), (0x1EA0, 0x1EF9),
    # Greek and Cyrillic.
    (0x384, 0x3CE), (0x400, 0x45F), (0x490, 0x493), (0x49A, 0x49B), (0x4A2, 0x4A3), (0x4AE, 0x4B1), (0x4BA, 0x4BB), (0x4D8, 0x4D9), (0x4E8, 0x4E9),
    # Spaces, dashes, quotation marks, currencies.
    (0x2002, 0x200A), (0x2010, 0x2015), (0x2018, 0x2026), (0x202F, 0x203A), (0x20A9, 0x20AC), (0x20B4, 0x20BF),
    # Arrows, mathematics, stars, hearts, ticks.
    (0x2116, 0x2116), (0x2122, 0x2122), (0x2190, 0x2193), (0x2212, 0x2212), (0x221E, 0x221E), (0x2248, 0x2248), (0x2260, 0x2265), (0x25A0, 0x25A0), (0x25B2, 0x25C0), (0x25CF, 0x25CF),
    (0x2605, 0x2606), (0x2665, 0x2665), (0x2713, 0x2717), (0x2764, 0x2764)]


def part(path):
    options = subset.Options()
    options.layout_features = ["ccmp", "kern", "mark"]
    options.hinting, options.desubroutinize, options.notdef_outline, options.glyph_names = False, False, True, False
    options.name_IDs, options.name_languages, options.drop_tables = [0, 1, 2, 4, 6, 7, 13, 14], [0x409], ["meta", "DSIG"]
    font = TTFont(path)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    for record in font["name"].names:
        if text := {1: NAME, 2: "Bold", 4: NAME, 6: NAME.replace(" ", "")}.get(record.nameID): record.string = text
    top = font["CFF "].cff
    top.fontNames = [NAME.replace(" ", "")]
    for key, text in (("FullName", NAME), ("FamilyName", NAME)):
        if hasattr(top.topDictIndex[0], key): setattr(top.topDictIndex[0], key, text)
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    bytes_ = io.BytesIO()
    font.save(bytes_, reorderTables=False)
    return bytes_.getvalue()


def array(data):
    lines, line = [], ""
    for byte in data:
        if len(line) + 4 > 120: lines, line = [*lines, line], ""
        line += f"{byte},"
    return "\n".join([*lines, line])


def licence():
    """The licence's text of Debian's file, in which a dot is an empty line."""
    text = COPYRIGHT.read_text()
    copyright_ = re.search(r"^Copyright: (.*)$", text, re.M)[1]
    body = re.search(r"^License: OFL-1\.1\n((?: .*\n)+)", text, re.M)[1]
    lines = ["" if line == " ." else line[1:] for line in body.splitlines()]
    return "\n".join([
        f"Copyright {copyright_}", "", f"\"{NAME}\" is a modified part of Inter (https://github.com/rsms/inter), made by scripts/badge-font.py.",
        "It is licensed under the SIL Open Font License, Version 1.1:", "", *lines, ""])


def main():
    data = part(sys.argv[1] if len(sys.argv) > 1 else FONT)
    (TARGET / "poster_font_data.c").write_text(
        f"// {NAME}: a part of Inter Bold, written by scripts/badge-font.py; see LICENSE-font.txt.\n#include \"poster_font.h\"\n\n"
        f"static const uint8_t font[] = {{\n{array(data)}\n}};\n\n"
        "const uint8_t *poster_font_bundled(size_t *count) {\n    *count = sizeof font;\n    return font;\n}\n")
    (TARGET / "LICENSE-font.txt").write_text(licence())
    font = TTFont(io.BytesIO(data))
    sizes = ", ".join(f"{tag} {font.reader.tables[tag].length}" for tag in font.reader.keys())
    print(f"{len(data)} bytes, {font['maxp'].numGlyphs} glyphs: {sizes}")


main()
