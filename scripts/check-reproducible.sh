#!/usr/bin/env bash
# Makes the release of the last commit twice, in clones in two folders, and compares all files.
#
# usage: check-reproducible.sh [PROGRAM]      with a PROGRAM it is packaged twice, and not built; ONESHEET_CHECKOUTS then has the sources of Swift packages
set -euo pipefail
cd "$(dirname "$0")/.."

program=
[ $# = 0 ] || program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for clone in "$work/one" "$work/a-deeper-folder/two"; do
  mkdir -p "$(dirname "$clone")"
  git clone -q . "$clone"
  # Neither the folder of builds nor the settings of this one.
  (cd "$clone" && env -u ONESHEET_SCRATCH -u SOURCE_DATE_EPOCH -u DESTDIR -u PREFIX make -s release PACKAGED="$program") >"$clone.log" 2>&1 || { tail -n 30 "$clone.log"; exit 1; }
done
if diff -r "$work/one/dist" "$work/a-deeper-folder/two/dist"; then
  echo "Both releases have the same bytes:"
  cat "$work/one/dist/SHA256SUMS"
else
  mkdir -p .build
  rm -rf .build/reproducible
  mkdir .build/reproducible
  mv "$work/one/dist" .build/reproducible/one
  mv "$work/a-deeper-folder/two/dist" .build/reproducible/two
  echo "The releases differ: compare the folders of .build/reproducible, with diffoscope for instance"
  exit 1
fi
