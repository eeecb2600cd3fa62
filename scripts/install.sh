#!/usr/bin/env bash
# Installs a built program with its resources and units for systemd, or removes them. Needs no Swift.
#
# usage: install.sh PROGRAM      in the environment: PREFIX (/usr/local), DESTDIR, which is put before it by those who make packages
#        install.sh --remove     data directories and settings stay
#
# onesheet@8081 is a node of several on one machine, with its port as its name.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${PREFIX-/usr/local}
root=${DESTDIR-}$prefix
share=$root/share/onesheet
units=$root/lib/systemd/system
# Files of completions, by shell.
declare -A completions=(
  [bash]=$root/share/bash-completion/completions/onesheet
  [zsh]=$root/share/zsh/site-functions/_onesheet
  [fish]=$root/share/fish/vendor_completions.d/onesheet.fish
)

if [ "$1" = --remove ]; then
  rm -f "$root/bin/onesheet" "$root/share/man/man1/onesheet.1" "$units/onesheet@.service" "${completions[@]}"
  for unit in deploy/systemd/*; do rm -f "$units/$(basename "$unit")"; done
  rm -rf "$share/Resources"
  [ ! -d "$share" ] || rmdir --ignore-fail-on-non-empty "$share"  # in a home folder, user data is there, too
  exit
fi

[ -x "$1" ] || {
  echo "There is no program to install at $1: run make build"
  exit 1
}
# A build folder that clones share has the program of the last one, which needs its own resources.
built=$(dirname "$1")/../release.built
[ ! -e "$built" ] || grep -qF "$PWD " "$built" || {
  echo "$1 was built by another clone: run make build"
  exit 1
}
# Copies files, readable for all, into a folder.
copy() {
  local folder=$1
  shift
  install -d "$folder"
  install -m 0644 "$@" "$folder/"
}
install -D -m 0755 "$1" "$root/bin/onesheet"
catalogue=Sources/Movies/EmbeddedCatalogue/Resources
compatibility=Sources/Movies/MovieCompatibility/Resources
web=Sources/Movies/MovieWeb/Resources
rm -rf "$share/Resources"  # with files that this version no longer has
copy "$share/Resources" $catalogue/*.json $compatibility/*.txt $web/strings.tsv
for folder in templates templates/parts assets icons; do copy "$share/Resources/$folder" $web/$folder/*.*; done
for folder in originals scenes; do copy "$share/Resources/$folder" $catalogue/$folder/*; done
[ ! -f deploy/onesheet.1 ] || copy "$root/share/man/man1" deploy/onesheet.1
# Made by the program itself, which must be able to run here.
for shell in "${!completions[@]}"; do
  file=${completions[$shell]}
  install -d "$(dirname "$file")"
  "$1" --generate-completion-script "$shell" >"$file" || {
    rm -f "$file"
    echo "There are no completions for $shell: $1 does not run on this machine" >&2
    continue
  }
  sed -i '1{/^#!/d}' "$file"  # it is read by a shell, and not a program
  chmod 0644 "$file"
done

install -d "$units"
for unit in deploy/systemd/*; do
  sed "s|/usr/local/|$prefix/|g" "$unit" >"$units/$(basename "$unit")"
  chmod 0644 "$units/$(basename "$unit")"
done
sed -e "s|/usr/local/|$prefix/|g" -e 's|^Description=.*|& at port %i|' -e 's|^StateDirectory=onesheet$|&-%i|' -e 's|^RuntimeDirectory=onesheet$|&-%i|' \
  -e 's|^EnvironmentFile=.*|Environment=ONESHEET_PORT=%i\n&\n&-%i|' deploy/systemd/onesheet.service >"$units/onesheet@.service"
chmod 0644 "$units/onesheet@.service"
