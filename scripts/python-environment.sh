#!/usr/bin/env bash
# Makes a virtual environment of Python with packages from PyPI, unless it has them, and says so.
#
# usage: python-environment.sh NAME REQUIREMENTS      leaves .build/NAME; REQUIREMENTS is a file, or the packages themselves
#
# With ONESHEET_SCRATCH the environment is in that folder, for all clones with the same requirements, and .build/NAME leads to it.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/.build/$1
if [ -f "$2" ]; then wanted=$(cat "$2"); else wanted=$(printf '%s\n' "${@:2}"); fi
note="$(python3 -V 2>&1 || true)
$wanted"
if [ -n "${ONESHEET_SCRATCH-}" ]; then
  shared=$ONESHEET_SCRATCH/python/$1-$(cksum <<<"$note" | cut -d ' ' -f 1)
  mkdir -p .build "$shared"
  [ -L "$folder" ] || rm -rf "$folder"
  ln -sfn "$(realpath "$shared")" "$folder"
  folder=$(realpath "$shared")
elif [ -L "$folder" ]; then
  rm "$folder"
fi
# The programs of an environment name its python. Those that pip installs through a link name the link, which may be gone.
programs_start() {
  local program line
  for program in "$folder"/bin/*; do
    line=
    if [ -f "$program" ]; then IFS= read -r line <"$program" 2>/dev/null || true; fi
    case $line in "#!$folder/"* | '#!/usr/'* | '#!/bin/'*) ;; '#!'*) return 1 ;; esac
  done
}
if [ "$(cat "$folder/requirements.txt" 2>/dev/null)" = "$note" ] && "$folder/bin/python" -c '' 2>/dev/null &&
  programs_start 2>/dev/null; then exit 0; fi

scripts/install-packages.sh python3-venv
echo "Installing Python packages in $folder: $(paste -sd ' ' <<<"$wanted")"
rm -f "$folder/requirements.txt"
python3 -m venv --clear "$folder"
"$folder/bin/python" -m pip install -q --disable-pip-version-check -r <(echo "$wanted")
echo "$note" >"$folder/requirements.txt"
