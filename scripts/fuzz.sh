#!/usr/bin/env bash
# Fuzzes the codec, and the parsers of protocols and texts, with libFuzzer under sanitizers. Failing inputs are left in .build/fuzz.
#
# usage: fuzz.sh all [SECONDS [CORPUS]]      probing and rendering, from the hostile files of the tests and a corpus' on
#        fuzz.sh avif-gif [RUNS]             AVIF, HEIC, GIF and JPEG XL alone, from small files; at the end it prints how many were rendered
#        fuzz.sh jxl-heic [RUNS]             JPEG XL and HEIC alone, from files of at most 128 pixels a side; FUZZ_MAX_PIXELS (16,384)
#                                            is the most pixels of a picture that is decoded
#        fuzz.sh protocols DEBUG [SECONDS [TARGET…]]
#                                            the parsers of protocols and texts, all or some of them, each for so many seconds; DEBUG is
#                                            SwiftPM's folder of a current debug build. Each keeps its corpus in .build/fuzz/protocols
#        fuzz.sh files                       only writes those files: .build/hostile, of up to some MiB, and .build/fuzz-seeds
set -euo pipefail
cd "$(dirname "$0")/.."

options=(-timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
export SWIFT_BACKTRACE=enable=no
if [ "$1" = protocols ]; then
  folder=.build/fuzz/protocols
  mkdir -p "$folder"
  Tests/Fuzzing/Protocols/build.sh "$folder" "$2"
  FUZZ_SEEDS=$folder "$folder/fuzz-protocols"
  seconds=${3:-30}
  shift $(($# < 3 ? $# : 3))
  [ $# -gt 0 ] || set -- $(cd "$folder" && printf '%s\n' *.dict | sed 's/\.dict$//')
  for target in "$@"; do
    echo "Fuzzing $target for $seconds s"
    mkdir -p "$folder/$target-corpus"
    FUZZ_TARGET=$target "$folder/fuzz-protocols" -max_total_time="$seconds" -max_len=8192 -dict="$folder/$target.dict" "${options[@]}" \
      -malloc_limit_mb=512 -artifact_prefix="$folder/$target-" "$folder/$target-corpus" "$folder/$target" >"$folder/$target.log" 2>&1 || {
      grep -E 'INVARIANT|Fatal error|ERROR|SUMMARY|Test unit written' "$folder/$target.log"
      exit 1
    }
    grep -E 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)' "$folder/$target.log"
  done
  exit 0
fi

hostile=$PWD/.build/hostile
seeds=$PWD/.build/fuzz-seeds
mkdir -p "$hostile" "$seeds"
ONESHEET_ONLY=PosterCodecTests ONESHEET_HOSTILE_FILES=$hostile ONESHEET_FUZZ_SEEDS=$seeds \
  swift test --scratch-path "${ONESHEET_SCRATCH:-.build}/codec" --disable-xctest --filter 'HostileFileTests/writes'
[ "$1" != files ] || exit 0

Tests/Fuzzing/build.sh .build/fuzz
options+=(-artifact_prefix=.build/fuzz/)
case $1 in
all)
  mkdir -p .build/fuzz/corpus
  inputs=("$hostile" "$seeds")
  for folder in conformance hostile; do
    [ ! -d "${3-}/$folder" ] || inputs+=("$3/$folder")
  done
  .build/fuzz/fuzz-poster -max_total_time="${2:-60}" -max_len=16777216 "${options[@]}" .build/fuzz/corpus "${inputs[@]}"
  ;;
avif-gif)
  mkdir -p .build/fuzz/avif-gif
  .build/fuzz/fuzz-poster -runs="${2:-1000000}" -max_len=16384 -len_control=0 -mutate_depth=1 "${options[@]}" .build/fuzz/avif-gif "$seeds"
  ;;
jxl-heic)
  export FUZZ_MAX_PIXELS=${FUZZ_MAX_PIXELS:-16384}
  mkdir -p .build/fuzz/jxl-heic .build/fuzz/jxl-heic-seeds
  cp "$seeds"/jxl-* "$seeds"/heic-* .build/fuzz/jxl-heic-seeds
  .build/fuzz/fuzz-poster -runs="${2:-1000000}" -max_len=4096 -len_control=0 -mutate_depth=2 "${options[@]}" \
    .build/fuzz/jxl-heic .build/fuzz/jxl-heic-seeds
  ;;
esac
