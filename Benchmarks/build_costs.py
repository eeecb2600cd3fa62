#!/usr/bin/env python3
"""Prints the cost of each package in a clean build, in CPU seconds of compilers and linkers.

usage: build_costs.py [-c release] [OPTIONS OF swift build]      needs: swift; the fetched packages in .build, or a network

Without -c it builds all tests, as `make test` does, and with -c release the program, as `make build` does. The build goes into
.build/costs, which is removed before and afterwards. Only the last line includes SwiftPM's own work and the compilation of
Package.swift. A module counts for its package, a C file for the package of the file, and linking for this package.
"""
import collections, os, pathlib, re, resource, shutil, stat, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build/costs"
# Wraps a compiler: writes a line with the CPU times of its children, in bash's format of "1m2.345s 0m0.678s", and the module or
# the file that identifies the package. Not through a pipe: `times` would be that of a subshell.
WRAPPER = r"""#!/bin/bash
'{program}' "$@"
status=$?
module=; previous=; source=
for argument; do
  case $previous in -module-name) module=$argument ;; -c | -modulewrap) source=$argument ;; esac
  previous=$argument
done
file=$(mktemp)
times >"$file"
mapfile -t lines <"$file"
rm -f "$file"
printf '%s %s\n' "${{lines[1]}}" "${{module:-$source}}" >>'{log}'
exit $status
"""
TARGET = re.compile(r'\.(?:target|executableTarget|macro|systemLibrary|plugin)\(\s*name:\s*"(\w+)"')
OWN = "this package"


def wrap(folder, name, log):
    program = shutil.which(name) or sys.exit(f"{name} is not in PATH")
    path = folder / name
    path.write_text(WRAPPER.format(program=os.path.realpath(program) if name != "swiftc" else program, log=log))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def seconds(text):
    """Seconds from the format of bash, "1m2.345s"."""
    minutes, rest = text.rstrip("s").split("m")
    return int(minutes) * 60 + float(rest)


def packages_of_modules():
    """Packages by module: the folders below Sources of the fetched packages have the names of modules."""
    found = {}
    for package in sorted((SCRATCH / "checkouts").iterdir()):
        for name in TARGET.findall((package / "Package.swift").read_text()): found.setdefault(name, package.name)
        for folder in package.glob("Sources/*/"): found.setdefault(folder.name, package.name)
    for folder in (*ROOT.glob("Sources/*/*/"), *ROOT.glob("Tests/*/"), *ROOT.glob("Tests/Support/*/"), *ROOT.glob("Benchmarks/*/")):
        found[folder.name] = OWN
    return found


def main():
    options = sys.argv[1:]
    if "-h" in options or "--help" in options: sys.exit(__doc__.strip())
    what = ["--product", "onesheet"] if any(option.endswith("release") for option in options) else ["--build-tests"]
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    for name in ("checkouts", "repositories", "artifacts", "workspace-state.json"):
        source = ROOT / ".build" / name
        if source.is_dir(): shutil.copytree(source, SCRATCH / name, symlinks=True)
        elif source.exists(): shutil.copy(source, SCRATCH / name)
    with tempfile.TemporaryDirectory() as folder:
        # SwiftPM looks for the toolchain's libraries beside the compiler.
        (pathlib.Path(folder) / "lib").symlink_to(pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib")
        folder = pathlib.Path(folder) / "bin"
        folder.mkdir()
        log = folder / "log"
        environment = os.environ | {"SWIFT_EXEC": wrap(folder, "swiftc", log), "CC": wrap(folder, "clang", log)}
        start = time.monotonic()
        build = subprocess.run(["swift", "build", "--scratch-path", str(SCRATCH), *what, *options], cwd=ROOT, env=environment)
        if build.returncode:
            shutil.rmtree(SCRATCH)
            sys.exit(build.returncode)
        wall, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        packages, costs, counts = packages_of_modules(), collections.Counter(), collections.Counter()
        for line in log.read_text().splitlines():
            user, system, name = (line.split(" ", 2) + [""])[:3]
            fetched = re.search(r"/checkouts/([^/]+)/", name)
            package = fetched[1] if fetched else packages.get(name, OWN)
            costs[package] += seconds(user) + seconds(system)
            counts[package] += 1
    for package, cost in costs.most_common(): print(f"{cost:8.1f} s  {counts[package]:5} commands  {package}")
    print(f"{used.ru_utime + used.ru_stime:8.1f} s of CPU in total, {wall:.0f} s")
    shutil.rmtree(SCRATCH)


main()
