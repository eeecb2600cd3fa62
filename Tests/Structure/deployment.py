#!/usr/bin/env python3
"""Compares the files of deploy/, the Dockerfile and docs/dependencies.md with the program, and with Package.swift and the Makefile. Exit status 1 if they differ.

usage: deployment.py      needs: nothing. Run in any folder.

- Each variable ONESHEET_… and each option is one of the program's, by Tests/Structure/interface.txt, or is an option of another program, in OTHERS.
- All images and packages have the version of the first section of CHANGELOG.md.
- Files that kustomization.yaml names exist, and the base uses the names of its generators.
- The tables of docs/dependencies.md have each package of Package.swift with its least version, and each package of the Makefile's PACKAGES.
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Options of other programs, by file.
OTHERS = {
    "Dockerfile": {"from", "chown", "interval", "timeout", "start-period", "no-install-recommends", "static-swift-stdlib", "product", "stop-timeout"},
    "deploy/compose.yaml": {"rm", "wait"},
    "deploy/compose.cluster.yaml": {"addr", "auth-key", "config", "wait"},
    "deploy/debian/postinst": {"group", "gecos", "home", "no-create-home", "quiet", "system"},
    "deploy/debian/prerm": set(),
    "deploy/debian/postrm": {"system"},
    "deploy/quadlet/onesheet.container": {"cpus", "env", "memory", "pids-limit", "pull", "stop-timeout", "user"},
}
# Programs that make packages, generated files, and files without options.
SKIPPED = {"deploy/onesheet.1", "deploy/debian/build.sh", "deploy/debian/lintian-overrides"}
IMAGE = re.compile(r"onesheet[:_-](\d+\.\d+\.\d+)|newTag: (\d+\.\d+\.\d+)")


def known_options():
    """The options of `onesheet serve`, and of all commands."""
    lines = re.findall(r"^option (.+) --([a-z-]+): ", (ROOT / "Tests/Structure/interface.txt").read_text(), re.M)
    return {name for command, name in lines if command == "serve"}, {name for _, name in lines}


def deploy_files():
    files = [ROOT / "Dockerfile", *sorted(path for path in (ROOT / "deploy").rglob("*") if path.is_file())]
    for path in files:
        name = str(path.relative_to(ROOT))
        if name not in SKIPPED: yield name, path.read_text()


def options(complaints):
    served, all_options = known_options()
    variables = {"ONESHEET_" + name.upper().replace("-", "_") for name in served}
    for name, text in deploy_files():
        for number, line in enumerate(text.splitlines(), 1):
            for each in re.findall(r"\bONESHEET_[A-Z0-9_]*[A-Z0-9]\b", line):
                if each not in variables: complaints.append(f"{name}:{number}: the program has no variable {each}")
            for each in re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", line):
                if each not in all_options | {"help"} | OTHERS.get(name, set()): complaints.append(f"{name}:{number}: the program has no option --{each}")
            if name == "deploy/debian/onesheet.yaml" and (match := re.match(r"#?([a-z][a-z-]*):", line)) and match[1] not in served:
                complaints.append(f"{name}:{number}: the program has no option {match[1]}")


def versions(complaints):
    version = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    documents = [(str(path.relative_to(ROOT)), path.read_text()) for path in (ROOT / "README.md", ROOT / "docs/installing.md", ROOT / "docs/faq.md")]
    for name, text in [*deploy_files(), *documents]:
        for each in {one or other for one, other in IMAGE.findall(text)} - {version}:
            complaints.append(f"{name}: version {each}; the first section of CHANGELOG.md is {version}")


def kustomizations(complaints):
    base = (ROOT / "deploy/cluster/kubernetes.yaml").read_text()
    for path in sorted((ROOT / "deploy").rglob("kustomization.yaml")):
        text, name = re.sub(r"^\s*#.*\n", "", path.read_text(), flags=re.M), path.relative_to(ROOT)
        for each in [item for words in re.findall(r"(?:resources|envs|files): \[(.*?)\]", text) for item in re.split(r", *", words)]:
            if not (path.parent / each).exists(): complaints.append(f"{name}: there is no {each}")
        for generators in re.findall(r"^(?:configMap|secret)Generator:\n((?:  .*\n)+)", text, re.M):
            for each in re.findall(r"^  - name: (\S+)", generators, re.M):
                if not re.search(rf"\b{re.escape(each)}\b", base): complaints.append(f"{name}: kubernetes.yaml does not use {each}")


def dependencies(complaints):
    document = (ROOT / "docs/dependencies.md").read_text()
    rows = {match[1]: match[2].strip() for match in re.finditer(r"^\| \[?`?([\w.+-]+)`?(?:\]\([^)]*\))? \| ([^|]*)\|", document, re.M)}
    packages = dict(re.findall(r'\("[\w-]+", "([\w.-]+)", "([\d.]+)",', (ROOT / "Package.swift").read_text()))
    makefile = (ROOT / "Makefile").read_text()
    debian = re.search(r"^PACKAGES := (.*)", makefile, re.M)[1].split()
    for name, version in packages.items():
        if rows.get(name) != version: complaints.append(f"docs/dependencies.md: Package.swift has {name} from {version}; the table has {rows.get(name, 'no such row')}")
    for name in debian:
        if name not in rows: complaints.append(f"docs/dependencies.md: there is no row for {name}, one of the Makefile's PACKAGES")
    for name in rows.keys() - packages.keys() - set(debian):
        if name.startswith(("swift-", "lib")): complaints.append(f"docs/dependencies.md: {name} is neither in Package.swift nor in the Makefile's PACKAGES")


def main():
    complaints = []
    for part in (options, versions, kustomizations, dependencies): part(complaints)
    sys.exit("\n".join(complaints) or None)


main()
