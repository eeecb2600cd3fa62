#!/usr/bin/env bash
# Installs a package in a chroot, runs its service as its user, upgrades, removes and purges it. Usage: debian.sh PACKAGE [CHROOT]
# Needs root, debootstrap and, the first time, a Debian mirror (MIRROR); CHROOT is a base system, which is created if missing, and copied.
set -euo pipefail
package=$(realpath "$1")
base=${2:-.build/debian/base}
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "This needs root, for the chroot"; exit 1; }

if [ ! -e "$base.done" ]; then
  mkdir -p "$(dirname "$base")"
  rm -rf "$base"
  debootstrap --variant=minbase --include=ca-certificates,adduser bookworm "$base" "$mirror" >"$base.log" || { tail "$base.log"; exit 1; }
  touch "$base.done"
fi
work=$(mktemp -d)
root=$work/root
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  umount "$root/proc" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
cp -a --reflink=auto "$base" "$root"
mount -t proc proc "$root/proc"
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"

in_root() { DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"; }
claim() {
  local words=$1
  shift
  "$@" || { echo "FAILED $words"; exit 1; }
  echo "passed $words"
}
absent() { [ ! -e "$root/$1" ]; }

# The service without systemd: its own command line, as its user.
start() {
  local unit=$root/lib/systemd/system/onesheet.service user command
  user=$(sed -n 's/^User=//p' "$unit")
  command=$(sed -n 's/^ExecStart=//p' "$unit" | sed 's|${STATE_DIRECTORY}|/var/lib/onesheet|')
  install -d -m 0700 -o "$(in_root id -u "$user")" -g "$(in_root id -g "$user")" "$root/var/lib/onesheet"
  port=$((20000 + RANDOM % 10000))
  # shellcheck disable=SC2086
  chroot --userspec="$user:$user" "$root" env -i PATH=/usr/bin ONESHEET_PORT=$port $(grep -v '^#' "$root/etc/default/onesheet") $command >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    curl -s -f -o "$work/poster" "http://127.0.0.1:$port/poster/nosferatu-1922?w=92&format=jpeg" && return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/log"
  return 1
}
stop() {
  kill -TERM "$server"
  wait "$server"
  server=
}

cp "$package" "$root/tmp/onesheet.deb"
in_root apt-get update -q >"$work/apt" 2>&1 || { tail "$work/apt"; exit 1; }
in_root apt-get install -y -q --no-install-recommends /tmp/onesheet.deb >"$work/apt" 2>&1 || { tail -n 20 "$work/apt"; exit 1; }
claim "the user exists" in_root id onesheet
claim "the folder of secrets is for root and the service" test "$(in_root stat -c '%U:%G %a' /etc/onesheet)" = "root:onesheet 750"
claim "the configuration is accepted" in_root onesheet config --config /etc/onesheet/onesheet.yaml --json >/dev/null
claim "the unit is enabled" test -L "$root/etc/systemd/system/multi-user.target.wants/onesheet.service"
completions() {
  local file shell
  for file in bash:bash-completion/completions/onesheet zsh:zsh/vendor-completions/_onesheet fish:fish/vendor_completions.d/onesheet.fish; do
    shell=${file%%:*}
    file=$root/usr/share/${file#*:}
    grep -q boxoffice "$file" || return 1
    if command -v "$shell" >/dev/null; then "$shell" -n "$file" || return 1; else echo "skipped: $shell is not installed"; fi
  done
}
claim "completions are installed" completions
claim "the manual page is installed" test -s "$root/usr/share/man/man1/onesheet.1.gz"
claim "a poster is served as the service's user" start
claim "the poster is a JPEG" test "$(head -c 2 "$work/poster" | od -An -tx1 | tr -d ' ')" = ffd8
claim "the service stops with status 0" stop

# The next version, with a configuration changed by hand.
dpkg-deb -R "$package" "$work/next"
version=$(sed -n 's/^Version: //p' "$work/next/DEBIAN/control")
sed -i "s/^Version: .*/Version: $version+next/" "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/next" "$root/tmp/next.deb" >/dev/null
echo "max-age: 77" >>"$root/etc/onesheet/onesheet.yaml"
before=$(in_root stat -c '%U %s' /var/lib/onesheet/library.sqlite)
in_root apt-get install -y -q --no-install-recommends /tmp/next.deb >"$work/apt" 2>&1 || { tail -n 20 "$work/apt"; exit 1; }
claim "the upgrade is installed" test "$(in_root dpkg-query -W -f '${Version}' onesheet)" = "$version+next"
claim "the upgrade keeps the changed configuration" grep -q "^max-age: 77" "$root/etc/onesheet/onesheet.yaml"
claim "the upgrade keeps the data" test "$(in_root stat -c '%U %s' /var/lib/onesheet/library.sqlite)" = "$before"
claim "the new version serves" start
claim "the new version uses the changed configuration" grep -qi "^cache-control: public, max-age=77" <(curl -s -I "http://127.0.0.1:$port/poster/nosferatu-1922?w=92&format=png")
claim "the new version stops" stop

in_root apt-get remove -y -q onesheet >"$work/apt" 2>&1 || { tail -n 20 "$work/apt"; exit 1; }
claim "the program is removed" absent usr/bin/onesheet
claim "the configuration is kept" test -e "$root/etc/onesheet/onesheet.yaml"
claim "the data is kept" test -e "$root/var/lib/onesheet/library.sqlite"
in_root apt-get purge -y -q onesheet >"$work/apt" 2>&1 || { tail -n 20 "$work/apt"; exit 1; }
claim "the configuration is purged" absent etc/onesheet
claim "the data is purged" absent var/lib/onesheet
echo "The package is installed, serves, is upgraded, removed and purged"
