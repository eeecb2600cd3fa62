"""The source files of functions in a callgrind profile, found by their types, for `instructions.py --files`.

A function belongs to the file that declares or extends its type and contains its name. Inlined functions are not counted, nor are
those that the compiler made: accessors of metadata, copies, witnesses.
"""

import functools
import pathlib
import re
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
MADE = re.compile(r"outlined|value witness|metadata|default argument|lazy protocol|type info|one-time initialization|dispatch thunk")
TYPE = re.compile(r"^\s*(?:(?:public|package|private|fileprivate|final|indirect|@\w+(?:\([^)]*\))?)\s+)*(?:struct|class|enum|protocol|extension|actor)\s+([\w.]+)", re.M)


@functools.cache
def modules():
    """For each module, its files with their texts and the names of the types in them."""
    found = {}
    for path in SOURCES.rglob("*.swift"):
        parts = path.relative_to(SOURCES).parts
        text = path.read_text()
        found.setdefault(parts[1], []).append((path, text, {name.split(".")[-1] for name in TYPE.findall(text)}))
    return found


def file_of(function):
    """The file of a demangled function; `None` if it belongs to another package or was made by the compiler."""
    if MADE.search(function): return None
    function = re.sub(r"^.*(?:specialization <.*?> of|closure #\d+ .*? in|suspend resume partial function for) ", "", function)
    extension = re.search(r"\(extension in (\w+)\):\w+\.((?:\w+\.)*)(\w+)", function)
    for match in [extension] if extension else re.finditer(r"\b(\w+)\.((?:\(?\w+(?: in \w+\))?\.)*)(\w+)(?:\(| :|\.getter|\.setter|\.modify| ->|$)", function):
        module, types, member = match.group(1), re.sub(r"\(| in \w+\)", "", match.group(2)).split(".")[:-1], match.group(3)
        if module not in modules(): continue
        files = [each for each in modules()[module] if not types or types[-1] in each[2]]
        named = [path for path, text, _ in files if re.search(rf"\b(?:func|var|let|case) {member}\b|\b{member}\(", text)]
        return (named or [path for path, _, _ in files] or [None])[0]
    return None


def executed(profile, least):
    """The files of functions that were called at least `least` times."""
    names, calls, called = {}, {}, None
    for line in pathlib.Path(profile).read_text().splitlines():
        if match := re.match(r"(c?fn)=\((\d+)\)(?: (.+))?$", line):
            if match.group(3): names[match.group(2)] = re.sub(r"'\d+$", "", match.group(3))
            if match.group(1) == "cfn": called = match.group(2)
        elif match := re.match(r"calls=(\d+)", line):
            calls[called] = calls.get(called, 0) + int(match.group(1))
    often = {names[key] for key, count in calls.items() if count >= least}
    demangled = subprocess.run(["swift", "demangle"], input="\n".join(often), capture_output=True, text=True, check=True)
    return {path for path in map(file_of, demangled.stdout.splitlines()) if path}
