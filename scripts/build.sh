#!/usr/bin/env bash
# Runs a build, and notes when it began.
#
# usage: build.sh [--unless-current PROGRAM] STAMP COMMAND…
#
# With --unless-current nothing runs if the program is current: comparing times takes no second, SwiftPM's plan ten. The change times of files (ctime) count, as copied and unpacked
# files keep their modification times; folders count, as they change when a file is removed; and the compiler, which builds everything again after an update. A build of a part
# (ONESHEET_ONLY), with other options (TEST_BUILD, ONESHEET_SANITIZED) or of another clone leaves no current program.
set -euo pipefail
cd "$(dirname "$0")/.."

program=
if [ "$1" = --unless-current ]; then
  program=$2
  shift 2
fi
stamp=$1
shift
conditions="$PWD $(stat -c %d:%i Sources) ${ONESHEET_SANITIZED-} ${TEST_BUILD-}"

if [ -n "$program" ] && [ -x "$program" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$conditions" ] && [ -z "${ONESHEET_ONLY-}" ]; then
  inputs=("$(command -v swift)" Package.swift Sources)
  [ ! -e Package.resolved ] || inputs+=(Package.resolved)
  [ -n "$(find -H "${inputs[@]}" -cnewer "$stamp" -print -quit)" ] || exit 0
fi

mkdir -p "$(dirname "$stamp")"
# Clang's cached module of a folder of headers lacks a header that was added to the folder. Not the modules of a sanitized build, which may run now and comes here itself.
if [ ! -e "$stamp" ] || [ -n "$(find Sources Tests Benchmarks -type d -name include -cnewer "$stamp" -print -quit)" ]; then
  shopt -s nullglob
  caches=("$(dirname "$stamp")"/{,codec/,static/}*-*/*/ModuleCache)
  [ ${#caches[@]} = 0 ] || find "${caches[@]}" \( -name 'CPoster*.pcm' -o -name 'C*Testing-*.pcm' \) -delete
fi
rm -f "$stamp"
begun=$stamp.$$
trap 'rm -f "$begun"' EXIT
echo "$conditions" >"$begun"
(set -x; "$@")
[ -n "${ONESHEET_ONLY-}" ] || mv "$begun" "$stamp"
