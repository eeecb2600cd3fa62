#!/usr/bin/env python3
"""Changes operators, constants and early exits of a module, one at a time, and runs its tests: a mutant that passes them survives. Exit status 1 if less than
nine tenths of the mutants are killed, without the equivalent ones that equivalent.tsv lists with a reason.

usage: mutate.py [--list] [--part N/M] [--file NAME ...] [MODULE ...]      needs: swiftc, clang, the packages of a build in $ONESHEET_SCRATCH or .build

All mutants are compiled into one program, each behind its number, which the environment variable ONESHEET_MUTANT selects; the compiler rejects some. --part
runs the N-th of M parts of the mutants, --file the mutants of one source (repeatable).
"""
import argparse, collections, math, os, pathlib, re, subprocess, sys, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Structure")]
from sites import definition, sites
from unused_members import code

SCRATCH = pathlib.Path(os.environ.get("ONESHEET_SCRATCH") or ROOT / ".build").resolve()
FLAGS = ("-wmo -Onone -suppress-warnings -swift-version 6 -package-name onesheet -enable-testing -parse-as-library -enable-upcoming-feature ExistentialAny"
         " -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault").split()
LEAST = 0.9
# Seconds after which a mutant is killed, besides so many times the duration of the tests.
PATIENCE, FACTOR = 10, 5
ATTEMPTS = 12
# The beginning of a line of the tests' output that reports a failure.
FAILURE = "✘".encode()
# Lines after an error, such as those of a closure, that may cause it.
REACH = 8

# Per module: the modules to compile, in the order of their dependencies, with their sources and the mutated ones, and the tests.
BASE, FETCH, SUPPORT = "Sources/Base/", "Sources/HTTP/HTTPFetch/", "Tests/Support/PosterTesting/"
TESTING = ("PosterTesting", [SUPPORT + "System/SeededGenerator.swift", SUPPORT + "Concurrency/HangLimit.swift"], [])
FLIGHTS = ("Flights", [BASE + "Flights"], [])
PIPELINE, PICTURES = "Sources/Pictures/PosterPipeline/", "Tests/Support/PictureTesting/TestPicture.swift"
FRESHNESS = PIPELINE + "Freshness/Freshness.swift"
RENDERS = [PIPELINE + "Rendering/RenderTable.swift", PIPELINE + "Rendering/WantedTargets.swift"]
ADDRESSES = ("InternetAddress", [BASE + "InternetAddress"], [])
HTTP = [("HTTPTypes", [f"{SCRATCH}/checkouts/swift-http-types/Sources/HTTPTypes"], []), ("Cryptography", [BASE + "Cryptography"], []), ADDRESSES]
MODULES = {
    "HTTPSemantics": ([*HTTP, ("HTTPSemantics", [BASE + "HTTPSemantics"], [BASE + "HTTPSemantics"])], ["Tests/HTTPSemanticsTests"]),
    "Freshness": ([*HTTP, ("HTTPSemantics", [BASE + "HTTPSemantics"], []), ("PosterPipeline", [FRESHNESS], [FRESHNESS])],
                  ["Tests/PosterPipelineTests/FreshnessRuleTests.swift"]),
    "AddressGuard": ([("InternetAddress", [BASE + "InternetAddress"], [BASE + "InternetAddress"]), FLIGHTS, TESTING, ("CPosterCurl", ["Sources/HTTP/CPosterCurl"], []),
                      ("HTTPFetch", [FETCH + name for name in ("Hosts/AddressGuard.swift", "Messages/FetchURL.swift", "Messages/FetchError.swift", "Configuration")],
                       [FETCH + "Hosts/AddressGuard.swift"])],
                     ["Tests/HTTPFetchTests/AddressGuardTests.swift", "Tests/InternetAddressTests"]),
    "RateLimiter": ([("Flights", [BASE + "Flights"], [BASE + "Flights/RateLimiter.swift"]), TESTING],
                    ["Tests/FlightsTests/RateLimiterTests.swift", "Tests/FlightsTests/RateLimiterModelTests.swift"]),
    # The rest of the pipeline needs many packages; two stubs suffice for the types of an original.
    "RenderTable": ([*HTTP, ("HTTPSemantics", [BASE + "HTTPSemantics"], []), ("BoundedCache", [BASE + "BoundedCache"], []), FLIGHTS,
                     ("CPosterCodecs", ["Sources/Pictures/CPosterCodecs"], []), ("PosterCodec", ["Sources/Pictures/PosterCodec"], []),
                     *((name, [f"Tests/Mutation/Stubs/{name}.swift"], []) for name in ("NIOCore", "CodecWorkers")),
                     ("PosterPipeline", [*RENDERS, FRESHNESS, PIPELINE + "Freshness/StoredOriginal.swift", PIPELINE + "Originals/OriginalMetadataCache.swift",
                                         PIPELINE + "Variants/VariantKey.swift",
                                         *(f"{PIPELINE}Values/{name}.swift" for name in ("Digest", "Original", "OriginalBytes", "PosterError", "PosterID", "StableHash"))],
                      RENDERS),
                     TESTING, ("CodecTesting", ["Tests/Support/CodecTesting/SeededRandom.swift"], []), ("PictureTesting", [PICTURES], [])],
                    [f"Tests/PosterPipelineTests/{name}Tests.swift" for name in ("RenderTable", "RenderTableModel", "WantedTargets")]),
}
Mutant = collections.namedtuple("Mutant", "file line text change")

SELECTION = """\
import Glibc
/// The number of the selected mutant; 0 for none.
let selectedMutant = getenv("ONESHEET_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""
RUNNER = """\
import Testing
@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }
"""


def files(paths):
    return [file for path in paths for file in ([ROOT / path] if path.endswith(".swift") else sorted((ROOT / path).rglob("*.swift")))]


class Program:
    """The mutants of a module, and the program with all of them."""

    def __init__(self, module):
        self.module, (self.parts, self.tests) = module, MODULES[module]
        self.folder = ROOT / ".build/mutants" / module
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mutants, self.rejected, self.libraries = {}, set(), set()
        # When the sources of the modules so far, or this script, last changed.
        self.changed = pathlib.Path(__file__).stat().st_mtime

    def mutated(self, file, first):
        """A source with all mutants that the compiler accepts, numbered from `first`, their operators, and the next number."""
        # Inlinable code could not use the selection.
        text = re.sub(r"@(?:inlinable|usableFromInline|frozen)\b", lambda match: " " * len(match[0]), file.read_text())
        edits, operators, number = [], "", first
        for site in sites(code(text)):
            line = text.count("\n", 0, site.start) + 1
            numbers = {}
            for new in site.news:
                self.mutants[number] = Mutant(file, line, text.splitlines()[line - 1].strip(), f"{' '.join(text[site.start:site.start + len(site.old)].split())} → {new}")
                if number not in self.rejected: numbers[new] = number
                number += 1
            if not numbers: continue
            if (place := site.edits[0])[2].__name__ == "<lambda>" and place[0] < place[1]: operators += definition(site.old, numbers)
            edits += [(start, end, make(text[start:end], numbers)) for start, end, make in site.edits]
        for start, end, replacement in sorted(edits, reverse=True): text = text[:start] + replacement + text[end:]
        return text, operators, number

    def compile(self, name, sources, arguments=()):
        command = ["swiftc", *FLAGS, "-I", str(self.folder), "-I", str(ROOT / BASE / "CPosterCrypto"), *arguments, *map(str, sources)]
        return subprocess.run(command, capture_output=True, text=True)

    def library(self, name):
        return ["-module-name", name, "-emit-module", "-emit-module-path", str(self.folder / f"{name}.swiftmodule"), "-c", "-o", str(self.folder / f"{name}.o")]

    def build_module(self, name, paths, mutated, first):
        """Compiles a module, unless it is up to date; mutants that the compiler rejects are left out. Returns the next number."""
        if not mutated and self.is_current(name, files(paths)): return first
        if mutated: self.changed = math.inf
        for attempt in range(ATTEMPTS):
            sources, operators, number = [], SELECTION, first
            for file in files(paths):
                if file in files(mutated):
                    text, new, number = self.mutated(file, number)
                    operators += new
                    sources.append(self.folder / f"{name}-{file.name}")
                    sources[-1].write_text(text)
                else: sources.append(file)
            if mutated:
                sources.append(self.folder / f"{name}-Selection.swift")
                sources[-1].write_text(operators)
            result = self.compile(name, sources, self.library(name))
            if result.returncode == 0: return number
            errors = {(match[1], int(match[2])) for match in re.finditer(rf"/{name}-([^/:\n]+):(\d+):\d+: error:", result.stdout + result.stderr)}
            new = self.at(errors) or self.at({(file, line + next) for file, line in errors for next in range(REACH)})
            if not new: break
            self.rejected |= new
        sys.exit(f"{name} cannot be compiled with its mutants:\n{result.stdout}{result.stderr}"[:5000])

    def at(self, places):
        """The mutants on these lines, without the rejected ones."""
        return {number for number, mutant in self.mutants.items() if (mutant.file.name, mutant.line) in places} - self.rejected

    def is_current(self, name, sources):
        """Whether a module was compiled from these sources, after they and the modules before it last changed. Otherwise it and the later ones are to be compiled."""
        built, noted, names = self.folder / f"{name}.o", self.folder / f"{name}.sources", "\n".join(map(str, sources))
        self.changed = max(self.changed, *(file.stat().st_mtime for file in sources))
        if built.exists() and built.stat().st_mtime > self.changed and noted.exists() and noted.read_text() == names: return True
        built.unlink(missing_ok=True)
        noted.write_text(names)
        self.changed = math.inf
        return False

    def build_c_module(self, name, folder):
        (self.folder / "module.modulemap").write_text(f'module {name} {{ umbrella "{folder / "include"}"\n export * }}\n')
        manifest = (ROOT / "Package.swift").read_text()
        self.libraries |= {f"-l{library}" for library in re.search(rf'{folder.relative_to(ROOT)}", libraries: "(.*)"', manifest)[1].split()}
        if self.is_current(name, sorted(file for file in folder.rglob("*") if file.is_file())): return
        subprocess.run(["clang", "-r", "-nostdlib", "-O1", "-I", folder / "include", *sorted(folder.glob("*.c")), "-o", self.folder / f"{name}.o"], check=True)

    def build(self):
        number = 1
        for name, paths, mutated in self.parts:
            if (ROOT / paths[0] / "include").exists(): self.build_c_module(name, ROOT / paths[0])
            else: number = self.build_module(name, paths, mutated, number)
        (self.folder / "Runner.swift").write_text(RUNNER)
        plugins = pathlib.Path(subprocess.run(["bash", "-c", "readlink -f $(command -v swiftc)"], capture_output=True, text=True).stdout.strip()).parents[1] / "lib/swift/host/plugins"
        result = self.compile("Tests", [self.folder / "Runner.swift", *files(self.tests), *(self.folder / f"{name}.o" for name, _, _ in self.parts)],
                              ["-plugin-path", str(plugins), *self.libraries, "-module-name", "MutationTests", "-o", str(self.folder / "tests")])
        if result.returncode: sys.exit(f"The tests of {self.module} cannot be compiled:\n{result.stdout}{result.stderr}"[:5000])

    def passes(self, number, limit=None):
        """Whether the tests pass with a mutant. The first failure ends them."""
        environment = {**os.environ, "ONESHEET_MUTANT": str(number), "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"}
        with subprocess.Popen([self.folder / "tests"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tests:
            timer = threading.Timer(limit or 3600, tests.kill)
            timer.start()
            if any(line.startswith(FAILURE) for line in tests.stdout): tests.kill()
            status = tests.wait()
            timer.cancel()
        return status == 0


def equivalent(module):
    """The listed mutants of a module that no test can kill: (file, line's text, change)."""
    rows = [line.split("\t") for line in (ROOT / "Tests/Mutation/equivalent.tsv").read_text().splitlines() if line and not line.startswith("#")]
    return {tuple(row[1:4]) for row in rows if row[0] == module}


def run(module, part, names, is_list):
    program = Program(module)
    program.build()
    known = equivalent(module)
    numbers = [number for number in sorted(program.mutants) if number not in program.rejected]
    wanted = [number for number in numbers if (mutant := program.mutants[number]) and (mutant.file.name, mutant.text, mutant.change) not in known
              and (not names or mutant.file.name in names)]
    if is_list: return print("\n".join(f"{number} {mutant.file.name}:{mutant.line}: {mutant.change}" for number, mutant in program.mutants.items() if number in numbers)) or True
    wanted = wanted[part[0] - 1::part[1]]
    begin = time.monotonic()
    if not program.passes(0): sys.exit(f"The tests of {module} fail without a mutant")
    limit = FACTOR * (time.monotonic() - begin) + PATIENCE
    survivors = []
    for number in wanted:
        if not program.passes(number, limit): continue
        survivors.append(mutant := program.mutants[number])
        print(f"{mutant.file.relative_to(ROOT)}:{mutant.line}: {mutant.change}\t{mutant.text}", flush=True)
    killed = len(wanted) - len(survivors)
    print(f"{module}: {killed} of {len(wanted)} mutants killed ({killed / max(1, len(wanted)):.1%}); {len(numbers) - len([1 for n in numbers if n in wanted])} not run, "
          f"{len(program.rejected)} rejected by the compiler; {time.monotonic() - begin:.0f} s", flush=True)
    return killed >= LEAST * len(wanted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("modules", nargs="*", choices=[*MODULES, []])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--file", action="append", default=[])
    arguments = parser.parse_args()
    part = [int(each) for each in arguments.part.split("/")]
    sys.exit(not all([run(module, part, arguments.file, arguments.list) for module in arguments.modules or MODULES]))


main()
