#!/usr/bin/env bash
# Makes the files of a release of a built program, in FOLDER: package, archive, image, symbols, documents, bill of materials, checksums. The same bytes for the same program,
# sources and Debian libraries: times are those of the last commit (SOURCE_DATE_EPOCH), and no owner, order or path of this machine is left.
#
# usage: release.sh PROGRAM [FOLDER]      PROGRAM is that of make static; FOLDER (dist) is emptied
set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "$1")
out=${2:-dist}
version=$(scripts/version.sh)
reported=$("$program" --version | cut -d ' ' -f 1)
[ "$reported" = "$version" ] || { echo "$1 is version $reported, the sources are $version: build it again"; exit 1; }
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
architecture=$(dpkg --print-architecture)
name=onesheet-$version-linux-$architecture
rm -rf "$out"
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A debugger finds the symbols by the name, beside the program or in /usr/lib/debug, and checks them by their checksum.
objcopy --only-keep-debug --compress-debug-sections=zlib "$program" "$out/$name.debug"
chmod 0644 "$out/$name.debug"
strip --strip-all -o "$work/onesheet" "$program"
objcopy --remove-section=.gnu_debuglink "$work/onesheet"
(cd "$out" && objcopy --add-gnu-debuglink="$name.debug" "$work/onesheet")

# Documents: those of the sources, which must be those of the program.
"$work/onesheet" openapi >"$out/openapi.json"
"$work/onesheet" config --man >"$out/onesheet.1"
if ! cmp "$out/openapi.json" docs/openapi.json || ! cmp "$out/onesheet.1" deploy/onesheet.1; then
  echo "The documents are not those of the program: run make docs"
  exit 1
fi
mkdir "$out/completions"
for shell in bash zsh fish; do "$work/onesheet" --generate-completion-script "$shell" >"$out/completions/onesheet.$shell"; done

deploy/debian/build.sh "$work/onesheet" "$out"
lintian --allow-root --fail-on error,warning "$out"/*.deb

# For any folder: the program finds its resources beside itself, in ../share/onesheet.
PREFIX=/usr/local DESTDIR=$work/tree scripts/install.sh "$work/onesheet"
mv "$work/tree/usr/local" "$work/$name"
install -m 0644 LICENSE README.md CHANGELOG.md "$work/$name/share/onesheet/"
dpkg-deb -f "$out"/*.deb Depends | sed 's/, /\n/g' >"$work/$name/share/onesheet/debian-packages.txt"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$name" | gzip -9n >"$out/$name.tar.gz"

PREFIX=/usr DESTDIR=$work/image scripts/install.sh "$work/onesheet"
python3 scripts/image.py "$work/image" "$version" "$SOURCE_DATE_EPOCH" "$out/$name.oci.tar" "$work/libraries"
checkouts=$(dirname "$program")/../../checkouts
python3 scripts/sbom.py "$version" "$SOURCE_DATE_EPOCH" "$work/libraries" "${ONESHEET_CHECKOUTS:-$checkouts}" >"$out/$name.cdx.json"

(cd "$out" && find . -type f -printf '%P\n' | sort | xargs sha256sum) >"$work/sums"
install -m 0644 "$work/sums" "$out/SHA256SUMS"
stat -c '%s %n' "$program" "$work/onesheet" "$out"/*.* |
  awk -v stripped="$work/onesheet" '{ n = split($2, path, "/"); printf "%7.1f MB  %s%s\n", $1 / 1e6, path[n], ($2 == stripped ? ", stripped" : "") }'
