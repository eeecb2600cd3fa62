#!/usr/bin/env python3
"""Compares the imports of each target's Swift files with the target's dependencies in Package.swift.

An import that is not declared is an error, even if another dependency provides the module (which SwiftPM's
--explicit-target-dependency-import-check accepts), and so is a dependency that no file imports. Exit status 1 if there are any.

usage: dependencies.py [PACKAGE]      needs: swift
"""
import json, os, pathlib, re, subprocess, sys

# Modules of the toolchain.
SYSTEM = {"Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Swift", "Synchronization", "Testing"}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)(?:\.\w+)*\s*(?://.*)?$", re.M)


def manifest(package):
    """Package.swift as JSON, always evaluated as a whole."""
    environment = {name: value for name, value in os.environ.items() if name != "ONESHEET_ONLY"}
    command = ["swift", "package", "--package-path", str(package), "dump-package"]
    dump = subprocess.run(command, env=environment, stdout=subprocess.PIPE)
    if dump.returncode != 0: sys.exit("Package.swift cannot be read")
    return json.loads(dump.stdout)


def folder(package, target):
    kind = "Tests" if target["type"] == "test" else "Sources"
    return package / target.get("path", f"{kind}/{target['name']}")


def imports(package, target):
    """The modules that files of a target import, with the first place of each: "path:line"."""
    found = {}
    for file in sorted(folder(package, target).rglob("*.swift")):
        text = file.read_text()
        for match in IMPORT.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            found.setdefault(match[1], f"{file.relative_to(package)}:{line}")
    return found


def main():
    package = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    complaints = []
    for target in manifest(package)["targets"]:
        name = target["name"]
        # A product has the same name as its module.
        declared = {next(iter(dependency.values()))[0] for dependency in target["dependencies"]}
        imported = imports(package, target)
        for module, place in sorted(imported.items()):
            if module not in declared | SYSTEM | {name}:
                complaints.append(f"{place}: {name} imports {module}, which is not among its dependencies in Package.swift")
        for module in sorted(declared - imported.keys()):
            complaints.append(f"Package.swift: {name} depends on {module}, which no file of it imports")
    print("\n".join(complaints), end="\n" if complaints else "")
    sys.exit(bool(complaints))


main()
