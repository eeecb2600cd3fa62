#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says so. Debian's lists are read once an hour.
#
# usage: install-packages.sh [--without-services 'SERVICE…'] PACKAGE…
#
# The services of installed packages are not started, neither now nor with the machine.
set -euo pipefail
cd "$(dirname "$0")/.."

services=
if [ "$1" = --without-services ]; then
  services=$2
  shift 2
fi

command -v dpkg-query >/dev/null || {
  echo "This is no Debian (dpkg is missing): install what these packages hold by hand: $*"
  exit 1
}
missing=()
for package in "$@"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null || {
  echo "apt-get is missing: install these packages by hand: ${missing[*]}"
  exit 1
}
sudo=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "Not root, and sudo is missing: as root, run apt-get install ${missing[*]}"
    exit 1
  }
  sudo=sudo
fi

echo "Installing Debian packages: ${missing[*]}"
if [ -z "$(find .build/apt-updated -mmin -60 2>/dev/null)" ] || [ -z "$(ls /var/lib/apt/lists/*_Packages* 2>/dev/null)" ]; then
  $sudo apt-get update -q
  mkdir -p .build
  touch .build/apt-updated
fi
if [ -n "$services" ] && [ ! -e /usr/sbin/policy-rc.d ]; then
  trap '$sudo rm -f /usr/sbin/policy-rc.d' EXIT
  printf '#!/bin/sh\nexit 101\n' | $sudo tee /usr/sbin/policy-rc.d >/dev/null
  $sudo chmod +x /usr/sbin/policy-rc.d
fi
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
for service in $services; do
  case " ${missing[*]} " in
  *" $service "* | *" $service-"*) ! command -v systemctl >/dev/null || $sudo systemctl disable -q "$service" || true ;;
  esac
done
