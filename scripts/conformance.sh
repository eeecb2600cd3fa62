#!/usr/bin/env bash
# Compares decoding with another program's, or the HTTP interface with specifications.
#
# usage: conformance.sh pillow PROGRAM CORPUS TOOLS      pictures of a corpus with Pillow's; writes docs/conformance.md
#        conformance.sh gif PROGRAM CORPUS               first frames of GIFs, which it writes itself, with Pillow's
#        conformance.sh avif SAMPLES                     AVIFs below a folder, such as tests/data of libavif's sources, with libavif's
#        conformance.sh jxl SAMPLES                      JPEG XLs below a folder, such as Debian's libjxl-testdata, with djxl's
#        conformance.sh heic SAMPLES                     HEICs below a folder, such as tests/images of pillow-heif's sources, with
#                                                        heif-convert's
#        conformance.sh http PROGRAM [PART [OPTIONS]]    a running server with suites of others; writes docs/conformance.md without PART:
#                                                        h2, cache, tls, short (h2 and cache), or openapi, its own /openapi.json by
#                                                        schemathesis, with its OPTIONS; these requests are left in .build/conformance-http
set -euo pipefail
cd "$(dirname "$0")/.."

form=$1
shift
case $form in
pillow)
  [ -d "$2/conformance" ] || { echo "There is no corpus at $2: set CORPUS"; exit 1; }
  scripts/python-environment.sh conformance pillow numpy
  .build/conformance/bin/python Tests/Conformance/conformance.py "$@" docs/conformance.md
  ;;
gif)
  scripts/python-environment.sh conformance pillow numpy
  .build/conformance/bin/python Tests/Conformance/gif_conformance.py "$@"
  ;;
avif)
  [ -d "${1-}" ] || { echo "Set SAMPLES to a folder of AVIFs, such as tests/data of libavif's sources"; exit 1; }
  ONESHEET_ONLY=PosterCodecTests ONESHEET_AVIF_SAMPLES=$(realpath "$1") \
    swift test --scratch-path "${ONESHEET_SCRATCH:-.build}/codec" --disable-xctest --filter AVIFSampleTests
  ;;
jxl)
  [ -d "${1-}" ] || { echo "Set SAMPLES to a folder of JPEG XLs, such as /usr/share/libjxl-testdata"; exit 1; }
  ONESHEET_ONLY=PosterCodecTests ONESHEET_JXL_SAMPLES=$(realpath "$1") \
    swift test --scratch-path "${ONESHEET_SCRATCH:-.build}/codec" --disable-xctest --filter JXLSampleTests
  ;;
heic)
  [ -d "${1-}" ] || { echo "Set SAMPLES to a folder of HEICs, such as tests/images of pillow-heif's sources"; exit 1; }
  ONESHEET_ONLY=PosterCodecTests ONESHEET_HEIC_SAMPLES=$(realpath "$1") \
    swift test --scratch-path "${ONESHEET_SCRATCH:-.build}/codec" --disable-xctest --filter HEICSampleTests
  ;;
http)
  program=$1 part=${2-all}
  shift $(($# > 1 ? 2 : 1))
  status=0
  case $part in
  all) python3 -B Tests/Conformance/suites.py "$program" --write docs/conformance.md || status=$? ;;
  short) python3 -B Tests/Conformance/suites.py "$program" h2 cache || status=$? ;;
  openapi) ;;
  *) python3 -B Tests/Conformance/suites.py "$program" "$part" "$@" || status=$? ;;
  esac
  case $part in
  all | openapi)
    # Generated values and sequences of requests take half an hour, examples and limits of parameters two minutes.
    [ "$part" = openapi ] || set -- --phases examples,coverage
    scripts/python-environment.sh schemathesis 'schemathesis>=4.32,<5'
    python3 -B Tests/Conformance/http_conformance.py "$program" .build/schemathesis/bin/schemathesis .build/conformance-http "$@" || status=$?
    ;;
  esac
  exit "$status"
  ;;
esac
