#!/usr/bin/env python3
"""Writes an object file with a part of the data of Foundation's ICU: the root and English locales, normalisation, time zones, without charsets and other languages.

usage: locale-data.py OBJECT      needs: the toolchain's programs; prints the linker's option that replaces ICU's symbol

A static program has 34 MB of such data, and the service uses normalisation alone: its languages, dates and numbers are its own. Nothing refers to the whole data then, and the
linker drops it. The format is ICU's "CmnD" (icu4c, common/ucmndata.h): a header, a sorted table of names and offsets, the items.
"""
import json, pathlib, re, struct, subprocess, sys, tempfile

SYMBOL = "onesheet_locale_data"
KEPT = re.compile(r"(?:(?:[a-z]+/)?(?:root|en|en_US|en_US_POSIX|pool|res_index|tzdbNames)\.res|[^/]+\.(?:icu|nrm|spp|cfu|res)|coll/ucadata\.icu|brkitr/[^/]+\.brk)")
OTHER_LOCALE = re.compile(r"(?!en\.|en_US|pool|root|res_index)[a-z]{2,3}(?:_\w+)?\.res")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def items(data):
    """The names and the bytes of a package of data, in its order."""
    start = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, start)[0]
    places = [[start + place for place in struct.unpack_from("<II", data, start + 4 + 8 * index)] for index in range(count)]
    ends = [begin for _, begin in places[1:]] + [len(data)]
    return [(data[name:data.index(b"\0", name)].decode(), data[begin:end]) for (name, begin), end in zip(places, ends)]


def package(header, entries):
    names, offsets = b"", []
    for name, _ in entries:
        offsets.append(4 + 8 * len(entries) + len(names))
        names += name.encode() + b"\0"
    position = 4 + 8 * len(entries) + len(names)
    table, content = struct.pack("<I", len(entries)), b"\0" * (-position % 16)
    for (_, data), name in zip(entries, offsets):
        table += struct.pack("<II", name, position + len(content))
        content += data + b"\0" * (-len(data) % 16)
    return header + table + names + content


def main():
    resources = pathlib.Path(json.loads(run("swiftc", "-print-target-info"))["paths"]["runtimeResourcePath"])
    archive = resources.parent / "swift_static/linux/lib_FoundationICU.a"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(["llvm-ar", "x", archive, "icu_packaged_data.cpp.o"], cwd=folder, check=True)
        symbol = re.search(r" R (icudt\d+_dat)$", run("llvm-nm", str(folder / "icu_packaged_data.cpp.o")), re.M)[1]
        run("llvm-objcopy", "-O", "binary", "--only-section=.rodata", str(folder / "icu_packaged_data.cpp.o"), str(folder / "all"))
        data = (folder / "all").read_bytes()
        kept = [(name, item) for name, item in items(data) if KEPT.fullmatch(short := name.split("/", 1)[1]) and not OTHER_LOCALE.fullmatch(short)]
        header = data[:struct.unpack_from("<H", data)[0]]
        (folder / "part").write_bytes(package(header, kept))
        source = f'.section .rodata\n.balign 16\n.globl {SYMBOL}\n.type {SYMBOL}, @object\n{SYMBOL}:\n.incbin "part"\n.size {SYMBOL}, . - {SYMBOL}\n.section .note.GNU-stack,"",@progbits\n'
        subprocess.run(["clang", "-c", "-x", "assembler", "-o", pathlib.Path(sys.argv[1]).absolute(), "-"], input=source, text=True, cwd=folder, check=True)
        print(f"--defsym={symbol}={SYMBOL}")


main()
