#!/usr/bin/env python3
"""Writes a container image of an installed program as an OCI archive: the program, its resources, the shared libraries that it is linked with, certificates. No shell, no
package manager, no root.

usage: image.py ROOT VERSION EPOCH ARCHIVE LIBRARIES      ROOT has usr/bin/onesheet and usr/share/onesheet; EPOCH is the time of all files

The libraries are those of this machine, a Debian 12; LIBRARIES is written: their Debian packages and versions, one in a line. docker load, podman load and skopeo copy
oci-archive:ARCHIVE docker://… read it. Specification: https://github.com/opencontainers/image-spec, image-layout.md, config.md. manifest.json is for docker before 25.
"""
import gzip, hashlib, io, json, pathlib, re, subprocess, sys, tarfile

NAME, USER = "onesheet", 65532
# Those of the package, without the ones that this machine trusts in addition.
CERTIFICATES = pathlib.Path("/usr/share/ca-certificates/mozilla")
ACCOUNTS = {
    "etc/passwd": f"root:x:0:0:root:/:/sbin/nologin\n{NAME}:x:{USER}:{USER}:OneSheet:/var/lib/onesheet:/sbin/nologin\n",
    "etc/group": f"root:x:0:\n{NAME}:x:{USER}:\n",
    "etc/nsswitch.conf": "hosts: files dns\n",
}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def libraries(program):
    """Paths that the loader opens for the program, itself included."""
    text = run("ldd", program)
    if "not found" in text: sys.exit(f"{program} lacks libraries:\n{text}")
    return sorted(set(re.findall(r"(/\S+) \(0x", text)))


def package(path):
    """The Debian package of a file; in a merged /usr the database may have the path without it."""
    for each in (path, "/usr" + path, str(pathlib.Path(path).resolve()), path.removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", each], capture_output=True, text=True)
        if found.returncode == 0: return found.stdout.split(": ")[0].split(",")[0]
    sys.exit(f"{path} is of no Debian package: the image would have an unknown library")


def layer(root, paths, packages, epoch):
    """A tar archive with sorted names, without owners and times of this machine."""
    content = {name: text.encode() for name, text in ACCOUNTS.items()}
    for path in paths: content[path.lstrip("/")] = pathlib.Path(path).read_bytes()
    content["etc/ssl/certs/ca-certificates.crt"] = b"".join(path.read_bytes() for path in sorted(CERTIFICATES.glob("*.crt")))
    for each in packages:
        notice = f"usr/share/doc/{each.split(':')[0]}/copyright"
        content[notice] = pathlib.Path("/", notice).read_bytes()
    for path in root.rglob("*"):
        name = str(path.relative_to(root))
        if path.is_file() and re.match(r"usr/(?:bin|share/onesheet)/", name): content[name] = path.read_bytes()
    folders = {str(parent) for name in content for parent in pathlib.PurePath(name).parents if str(parent) != "."}
    folders |= {"proc", "tmp", "var/lib/onesheet"}
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(folders | {"var", "var/lib"} | set(content)):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.size = epoch, len(content.get(name, b""))
            is_program = name.startswith("usr/bin/") or ".so" in name
            entry.type, entry.mode = (tarfile.REGTYPE, 0o755 if is_program else 0o644) if name in content else (tarfile.DIRTYPE, 0o755)
            if name == "tmp": entry.mode = 0o1777
            if name == "var/lib/onesheet": entry.uid = entry.gid = USER; entry.mode = 0o700
            archive.addfile(entry, io.BytesIO(content[name]) if name in content else None)
    return output.getvalue()


def main():
    root, version, epoch, destination, listing = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], pathlib.Path(sys.argv[5])
    architecture = run("dpkg", "--print-architecture").strip()
    paths = libraries(root / "usr/bin/onesheet")
    packages = sorted({package(path) for path in paths} | {"ca-certificates"})
    versions = run("dpkg-query", "-W", "-f", "${binary:Package} ${Version} ${source:Package} ${Architecture}\n", *packages)
    listing.write_text("".join(sorted(versions.splitlines(True))))
    tag = f"localhost/{NAME}:{version}"
    tar = layer(root, paths, packages, epoch)
    blobs = {}

    def blob(data, media, **more):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": media, "digest": f"sha256:{digest}", "size": len(data), **more}

    def document(value, kind, **more):
        return blob(json.dumps(value, sort_keys=True, separators=(",", ":")).encode(), f"application/vnd.oci.image.{kind}.v1+json", **more)

    created = run("date", "-u", "-d", f"@{epoch}", "+%Y-%m-%dT%H:%M:%SZ").strip()
    configuration = document({
        "created": created, "architecture": architecture, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}", "ExposedPorts": {"8080/tcp": {}}, "Volumes": {"/var/lib/onesheet": {}}, "WorkingDir": "/", "StopSignal": "SIGTERM",
            "Env": ["PATH=/usr/bin", "ONESHEET_HOST=0.0.0.0", "ONESHEET_DATA_DIR=/var/lib/onesheet"], "Entrypoint": ["/usr/bin/onesheet"], "Cmd": ["serve"],
            "Labels": {"org.opencontainers.image.title": "OneSheet", "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "Apache-2.0"}},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(tar).hexdigest()]},
        "history": [{"created": created, "created_by": "make release"}]}, "config")
    compressed = blob(gzip.compress(tar, 6, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip")
    manifest = document({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": configuration, "layers": [compressed]}, "manifest",
        annotations={"org.opencontainers.image.ref.name": version, "io.containerd.image.name": tag},
        platform={"architecture": architecture, "os": "linux"})
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}
    files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}', "index.json": json.dumps(index, sort_keys=True).encode()}
    config, data = (f"blobs/{each['digest'].replace(':', '/')}" for each in (configuration, compressed))
    files["manifest.json"] = json.dumps([{"Config": config, "RepoTags": [tag], "Layers": [data]}]).encode()
    files |= {f"blobs/sha256/{digest}": data for digest, data in blobs.items()}
    with tarfile.open(destination, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(files[name]), epoch, 0o644
            archive.addfile(entry, io.BytesIO(files[name]))


main()
