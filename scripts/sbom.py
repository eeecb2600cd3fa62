#!/usr/bin/env python3
"""Writes the bill of materials of a release, CycloneDX 1.5 in JSON: Swift packages by Package.resolved, Swift's runtime, and Debian's libraries.

usage: sbom.py VERSION EPOCH LIBRARIES CHECKOUTS      LIBRARIES has lines "PACKAGE VERSION SOURCE ARCHITECTURE"; CHECKOUTS has the sources of packages, and may be missing

Licences are those that the texts begin with; of Debian's packages, the files /usr/share/doc/PACKAGE/copyright name them in a form that is not always SPDX, and those that are
no SPDX expression are names. Specification: https://cyclonedx.org/docs/1.5/json/
"""
import datetime, json, pathlib, re, subprocess, sys, urllib.parse, uuid

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXTS = {"Apache License": "Apache-2.0", "Permission is hereby granted, free of charge": "MIT"}
# Licence names of Debian's machine-readable copyright files (DEP 5) and their SPDX identifiers.
SPDX = {name: name for name in "BSD-2-Clause BSD-3-Clause CC0-1.0 FSFULLR MIT MPL-1.1 OLDAP-2.8 X11 curl".split()} | {
    "Apache-2": "Apache-2.0", "Apache-2.0": "Apache-2.0", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "Expat": "MIT", "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later",
    "GPL-3": "GPL-3.0-only", "GPL-3+": "GPL-3.0-or-later", "ISC": "ISC", "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later", "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3": "LGPL-3.0-only", "LGPL-3+": "LGPL-3.0-or-later", "MPL-2.0": "MPL-2.0", "Zlib": "Zlib", "zlib": "Zlib",
}


def swift_packages(checkouts):
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        location, state = pin["location"].removesuffix(".git"), pin["state"]
        host, owner, name = location.split("//", 1)[1].split("/")
        licences = {licence for path in sorted((checkouts / name).glob("LICENSE*")) for start, licence in TEXTS.items() if start in path.read_text(errors="replace")[:4000]}
        yield {
            "type": "library", "name": name, "group": f"{host}/{owner}", "version": state["version"], "purl": f"pkg:swift/{host}/{owner}/{name}@{state['version']}",
            "licenses": [{"license": {"id": licence}} for licence in sorted(licences)],
            "externalReferences": [{"type": "vcs", "url": location}], "properties": [{"name": "revision", "value": state["revision"]}]}


def swift_runtime():
    version = re.search(r"Swift version (\S+)", subprocess.run(["swiftc", "--version"], check=True, capture_output=True, text=True).stdout)[1]
    for name in ("swift", "swift-corelibs-foundation", "swift-corelibs-libdispatch", "swift-foundation", "swift-foundation-icu"):
        owner = "swiftlang" if name != "swift-corelibs-libdispatch" else "apple"
        yield {
            "type": "library", "name": name, "group": f"github.com/{owner}", "version": version, "purl": f"pkg:swift/github.com/{owner}/{name}@{version}",
            "licenses": [{"license": {"id": "Apache-2.0"}}] + [{"license": {"id": "Unicode-3.0"}}] * (name == "swift-foundation-icu")}


def debian_licences(package):
    try: text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    except OSError: return []
    names = {name.strip() for line in re.findall(r"^License:[ \t]*(\S.*)$", text, re.M) for name in re.split(r",?\s+(?:and|or|and/or)\s+|\|", line)}
    return [{"license": {"id": SPDX[name]} if name in SPDX else {"name": name}} for name in sorted(names)]


def debian_packages(listing):
    for line in listing.read_text().splitlines():
        package, version, source, architecture = line.split(" ")
        name = package.split(":")[0]
        purl = f"pkg:deb/debian/{name}@{urllib.parse.quote(version, safe='')}?arch={architecture}&distro=debian-12"
        yield {
            "type": "library", "name": name, "version": version, "purl": purl, "licenses": debian_licences(name), "properties": [{"name": "debian:source", "value": source}]}


def main():
    version, epoch, listing, checkouts = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    components = [*swift_packages(checkouts), *swift_runtime(), *debian_packages(listing)]
    for each in components:
        each["bom-ref"] = each["purl"]
        if not each["licenses"]: del each["licenses"]
    program = {"type": "application", "bom-ref": "onesheet", "name": "onesheet", "version": version, "purl": f"pkg:generic/onesheet@{version}", "licenses": [{"license": {"id": "Apache-2.0"}}]}
    content = json.dumps([program, components], sort_keys=True)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        # The same for the same content.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "metadata": {"timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "component": program},
        "components": sorted(components, key=lambda each: each["purl"]),
        "dependencies": [{"ref": "onesheet", "dependsOn": sorted(each["purl"] for each in components)}]}
    print(json.dumps(document, indent=1, sort_keys=True))


main()
