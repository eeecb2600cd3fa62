#!/usr/bin/env bash
# Makes a Debian package of a built program. Usage: build.sh PROGRAM FOLDER; the package is written to the folder.
# The program is one that needs no Swift: swift build -c release --static-swift-stdlib --product onesheet.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
folder=$2
mkdir -p "$folder"
folder=$(realpath "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022

# As the first line of CHANGELOG.md would have it, but of this program.
version=$("$program" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
architecture=$(dpkg --print-architecture)
strip -o "$work/onesheet" "$program"
# `make install` sets modes; resources are those of the tree, not of the program's folder.
make -s -C "$here/../.." install PREFIX=/usr DESTDIR="$root" PROGRAM="$work/onesheet"
mkdir -p "$root/lib/systemd"
mv "$root/usr/lib/systemd/system" "$root/lib/systemd/system"
rmdir -p --ignore-fail-on-non-empty "$root/usr/lib/systemd"
# A user of its own in place of a dynamic one: files in /etc/onesheet can be given to it, and the data is in /var/lib/onesheet.
sed -i 's/^DynamicUser=yes$/User=onesheet\nGroup=onesheet/' "$root/lib/systemd/system/onesheet.service" "$root/lib/systemd/system/onesheet@.service"
# Debian's zsh reads completions of packages in a folder of its own.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_onesheet" "$root/usr/share/zsh/vendor-completions/_onesheet"
rmdir "$root/usr/share/zsh/site-functions"
for file in bash-completion/completions/onesheet zsh/vendor-completions/_onesheet fish/vendor_completions.d/onesheet.fish; do
  [ -s "$root/usr/share/$file" ] || { echo "The package has no /usr/share/$file"; exit 1; }
done
gzip -9n "$root/usr/share/man/man1/onesheet.1"
# For keys.
install -D -m 0600 "$here/default" "$root/etc/default/onesheet"
install -D -m 0644 "$here/onesheet.yaml" "$root/etc/onesheet/onesheet.yaml"
install -D -m 0644 "$here/copyright" "$root/usr/share/doc/onesheet/copyright"
install -D -m 0644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/onesheet"
for example in cluster kubernetes prometheus grafana quadlet; do
  install -d "$root/usr/share/doc/onesheet/examples/$example"
  install -m 0644 "$here/../$example"/* "$root/usr/share/doc/onesheet/examples/$example/"
done
install -m 0644 "$here"/../compose*.yaml "$root/usr/share/doc/onesheet/examples/"
# The same bytes from the same sources: times are those of the last change.
moment=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/../../CHANGELOG.md")}
printf 'onesheet (%s) unstable; urgency=medium\n\n  * See https://onesheet.invalid/CHANGELOG.md, or CHANGELOG.md of the sources.\n\n -- OneSheet <maintainers@onesheet.invalid>  %s\n' \
  "$version" "$(date -u -R -d "@$moment")" | gzip -9n >"$work/changelog.gz"
install -m 0644 "$work/changelog.gz" "$root/usr/share/doc/onesheet/changelog.gz"

install -d "$root/DEBIAN"
for script in postinst prerm postrm; do install -m 0755 "$here/$script" "$root/DEBIAN/$script"; done
printf '/etc/default/onesheet\n/etc/onesheet/onesheet.yaml\n' >"$root/DEBIAN/conffiles"
# What it is linked with.
mkdir "$work/debian"
cp "$here/control" "$work/debian/control"
libraries=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -e"$root/usr/bin/onesheet" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$libraries" ] || { echo "The libraries of $program are of no Debian package"; exit 1; }
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
{
  printf 'Package: onesheet\nVersion: %s\nArchitecture: %s\n' "$version" "$architecture"
  sed -n 's/^Maintainer: /&/p' "$here/control"
  printf 'Installed-Size: %s\nDepends: %s\n' "$(du -k -s --apparent-size "$root" | cut -f 1)" "$(sed -n 's/^Depends: //p' "$here/control" | sed "s|\${shlibs:Depends}|$libraries|")"
  sed -n 's/^Suggests: /&/p' "$here/control"
  printf 'Section: web\nPriority: optional\n'
  sed -n '/^Description:/,$p' "$here/control"
} >"$root/DEBIAN/control"
find "$root" -newermt "@$moment" -print0 | xargs -0r touch -h -d "@$moment"
SOURCE_DATE_EPOCH=$moment dpkg-deb --root-owner-group -Zxz --build "$root" "$folder/onesheet_${version}_$architecture.deb"
ls -l "$folder/onesheet_${version}_$architecture.deb" | awk '{ printf "%.1f MB in %s\n", $5 / 1e6, $9 }'
