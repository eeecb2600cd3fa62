#!/usr/bin/env bash
# Makes a virtual environment of Python with packages from PyPI, unless it has them, and says so.
#
# usage: python-environment.sh NAME REQUIREMENTS      leaves .build/NAME; REQUIREMENTS is a file, or the packages themselves
#
# With SCRATCH the environment is in that folder, for all clones that share it, and .build/NAME leads to it.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build/$1
if [ "${SCRATCH:-.build}" != .build ] && [ ! -d "$folder" ]; then
  mkdir -p .build "$SCRATCH/python/$1"
  ln -sfn "$(realpath "$SCRATCH/python/$1")" "$folder"
fi
# The programs of an environment name its folder.
[ ! -d "$folder" ] || folder=$(realpath "$folder")
shift
if [ -f "$1" ]; then wanted=$(cat "$1"); else wanted=$(printf '%s\n' "$@"); fi
[ "$(cat "$folder/requirements.txt" 2>/dev/null)" != "$wanted" ] || exit 0

scripts/install-packages.sh python3-venv
echo "Installing Python packages in $folder: $(paste -sd ' ' <<<"$wanted")"
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --disable-pip-version-check -r <(echo "$wanted")
echo "$wanted" >"$folder/requirements.txt"
