#!/usr/bin/env bash
# Makes a Debian package of a program, or an image.
#
# usage: package.sh deb PROGRAM          a package in .build/debian, checked by lintian
#        package.sh deb-short            how the package is made, without the program's static build of ten minutes: lintian reads
#                                        one with a stand-in
#        package.sh image NAME [OPTIONS]   by docker, podman or buildah (or ENGINE), and prints its size
set -euo pipefail
cd "$(dirname "$0")/.."

case $1 in
deb | deb-short)
  folder=.build/debian${1#deb}
  mkdir -p "$folder"
  rm -f "$folder"/*.deb
  program=${2-$folder/onesheet}
  [ "$1" = deb ] || printf 'int puts(const char *text);\nint main(void) { return puts("%s") < 0; }\n' "$(scripts/version.sh)" | clang -x c - -o "$program"
  deploy/debian/build.sh "$program" "$folder"
  lintian --allow-root --fail-on error,warning "$folder"/*.deb
  ;;
image)
  name=$2
  shift 2
  engine=${ENGINE-}
  if [ -z "$engine" ]; then
    if docker info >/dev/null 2>&1; then engine=docker; else engine=$(command -v podman || command -v buildah || true); fi
    engine=${engine##*/}
  fi
  read -ra engine <<<"$engine"
  [ -n "${engine-}" ] || { echo "There is no docker whose service runs, no podman and no buildah: install one of them"; exit 1; }
  "${engine[@]}" build "$@" -t "$name" .
  if [ "${engine[0]}" = buildah ]; then
    buildah images --format '{{.Name}}: {{.Size}}' "$name"
  else
    "${engine[@]}" image inspect --format '{{.Size}}' "$name" | awk -v name="$name" '{ printf "%s: %.0f MB\n", name, $1 / 1e6 }'
  fi
  ;;
*)
  echo "usage: package.sh deb PROGRAM | deb-short | image NAME"
  exit 2
  ;;
esac
