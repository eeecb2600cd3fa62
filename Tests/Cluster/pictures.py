"""Posters by number: small JPEGs and PNGs of varying sizes, with different bytes and pictures for each number and version.

Horizontal stripes encode the digits of both. A JPEG's stripes are restart intervals with only DC coefficients, so that ten thousand are made by joining bytes.
"""
import functools
import struct
import zlib

SIZES = [(160, 240), (200, 304), (240, 360), (320, 480), (400, 600)]
# Posters from this number on are large PNGs, with variants that take long enough to be stored beyond memory.
LARGE, LARGE_SIZE = 1_000_000, (2400, 3600)
PATTERNS = 16
BLOCK = 8
QUANTISER = 16
# Huffman tables: the number of codes by length, and the values in their order (ITU-T T.81, K.3). All AC coefficients are zero: one code.
DC_LENGTHS, DC_VALUES = [0, 1, 5, 1, 1, 1, 1, 1, 1] + 7 * [0], list(range(12))
AC_LENGTHS, AC_VALUES = [1] + 15 * [0], [0]
END_OF_BLOCK = "0"


def dc_codes():
    codes, code, values = {}, 0, iter(DC_VALUES)
    for length, count in enumerate(DC_LENGTHS, 1):
        for _ in range(count):
            codes[next(values)] = format(code, f"0{length}b")
            code += 1
        code <<= 1
    return codes


DC_CODES = dc_codes()


def colour(pattern, column):
    """Y, Cb and Cr of a stripe's block, in steps of the quantiser."""
    return (pattern * 5 + column * 3) % 100 - 50, (pattern * 9 + column) % 60 - 30, (pattern * 4 - column * 2) % 60 - 30


@functools.lru_cache(None)
def jpeg_stripe(width, pattern):
    """A restart interval."""
    bits, last = [], [0, 0, 0]
    for column in range(width // BLOCK):
        for component, value in enumerate(colour(pattern, column)):
            difference, last[component] = value - last[component], value
            size = abs(difference).bit_length()
            bits.append(DC_CODES[size])
            if size: bits.append(format(difference if difference > 0 else difference + (1 << size) - 1, f"0{size}b"))
            bits.append(END_OF_BLOCK)
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")


@functools.lru_cache(None)
def png_stripe(width, pattern):
    """A line of samples, with its filter."""
    line = bytes(128 + part for column in range(width) for part in colour(pattern, column // BLOCK))
    return b"\0" + line


def patterns(number, version, count):
    """The patterns of the stripes from the top."""
    digits = [number >> shift & 15 for shift in (0, 4, 8, 12, 16)] + [version >> shift & 15 for shift in (0, 4, 8)]
    return [digits[row] if row < len(digits) else (number * 7 + version * 5 + row * 3) % PATTERNS for row in range(count)]


def segment(marker, payload):
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


def jpeg(number, version, width, height):
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    head = [b"\xff\xd8", segment(0xDB, b"\0" + bytes([QUANTISER] * 64)), segment(0xC0, frame),
            segment(0xC4, b"\x00" + bytes(DC_LENGTHS) + bytes(DC_VALUES)), segment(0xC4, b"\x10" + bytes(AC_LENGTHS) + bytes(AC_VALUES)),
            segment(0xDD, struct.pack(">H", width // BLOCK)),
            segment(0xFE, f"poster {number}, version {version}".encode().ljust(64 + number * 37 % 8192, b".")),
            segment(0xDA, b"\3\1\0\2\0\3\0\0\x3f\0")]
    stripes = []
    for row, pattern in enumerate(patterns(number, version, height // BLOCK)):
        if row: stripes.append(bytes([0xFF, 0xD0 + (row - 1) % 8]))
        stripes.append(jpeg_stripe(width, pattern))
    return b"".join(head + stripes) + b"\xff\xd9"


def png(number, version, width, height):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    lines = b"".join(png_stripe(width, pattern) * BLOCK for pattern in patterns(number, version, height // BLOCK))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", f"Comment\0poster {number}, version {version}".encode()) + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b""))


def poster(number, version=0):
    """The media type and bytes of a poster. Every tenth is a PNG."""
    if number >= LARGE: return "image/png", png(number, version, *LARGE_SIZE)
    width, height = SIZES[number % len(SIZES)]
    return ("image/png", png(number, version, width, height)) if number % 10 == 7 else ("image/jpeg", jpeg(number, version, width, height))
