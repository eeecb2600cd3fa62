#!/usr/bin/env bash
# Fuzzes the codec with libFuzzer, under sanitizers. Failing inputs are left in .build/fuzz.
#
# usage: fuzz.sh all [SECONDS [CORPUS]]      probing and rendering, from the hostile files of the tests and a corpus' on
#        fuzz.sh avif-gif [RUNS]             AVIF, HEIC, GIF and JPEG XL alone, from small files; at the end it prints how many were rendered
#        fuzz.sh jxl-heic [RUNS]             JPEG XL and HEIC alone, from files of at most 128 pixels a side; FUZZ_MAX_PIXELS (16,384)
#                                            is the most pixels of a picture that is decoded
#        fuzz.sh files                       only writes those files: .build/hostile, of up to some MiB, and .build/fuzz-seeds
set -euo pipefail
cd "$(dirname "$0")/.."

hostile=$PWD/.build/hostile
seeds=$PWD/.build/fuzz-seeds
mkdir -p "$hostile" "$seeds"
ONESHEET_ONLY=PosterCodecTests ONESHEET_HOSTILE_FILES=$hostile ONESHEET_FUZZ_SEEDS=$seeds \
  swift test --scratch-path "${ONESHEET_SCRATCH:-.build}/codec" --disable-xctest --filter 'HostileFileTests/writes'
[ "$1" != files ] || exit 0

Tests/Fuzzing/build.sh .build/fuzz
options=(-timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=.build/fuzz/)
export SWIFT_BACKTRACE=enable=no
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
