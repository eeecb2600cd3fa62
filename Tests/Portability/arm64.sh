#!/usr/bin/env bash
# arm64 on an x86-64 machine: compiles all C code for arm64 against Debian's packages without a warning, and runs programs
# for both architectures:
# - kernels: NEON, AVX2 and the portable kernels give the same bytes.
# - libraries: the encoders give the same bytes, and open no file after their first pictures, in the worker's sandbox.
# - sandbox: the worker's filter of system calls.
#
# usage: arm64.sh [FOLDER]        needs: clang and lld (Swift has both), qemu-user
#
# FOLDER (.build/arm64) receives 160 MB of packages, which are not installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mkdir -p "${1:-.build/arm64}" && cd "${1:-.build/arm64}" && pwd)
for tool in clang ld.lld qemu-aarch64 apt-get dpkg; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: it needs Swift's clang and lld, and qemu-user"; exit 1; }
done

# The packages of this Debian for arm64, by a state of apt's own.
root=$folder/root
packages="libc6-dev libgcc-12-dev libavif-dev libbrotli-dev libcurl4-openssl-dev libde265-dev libfreetype-dev
    libharfbuzz-dev libhiredis-dev libjpeg62-turbo-dev libjxl-dev liblcms2-dev libpng-dev libpq-dev libseccomp-dev libssl-dev libwebp-dev zlib1g-dev"
if [ "$(cat "$root/packages" 2>/dev/null)" != "$packages" ]; then
    rm -rf "$root" "$folder/apt"
    mkdir -p "$root" "$folder"/apt/{state/lists,cache/archives}/partial
    touch "$folder/apt/state/status"
    sources=/etc/apt/sources.list.d/debian.sources
    [ -e $sources ] || sources=/etc/apt/sources.list
    cat >"$folder/apt/apt.conf" <<CONF
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/state/status";
Dir::Cache "$folder/apt/cache";
Dir::Etc::sourcelist "$sources";
Dir::Etc::sourceparts "/dev/null";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Acquire::Languages "none";
APT::Sandbox::User "root";
CONF
    export APT_CONFIG=$folder/apt/apt.conf
    apt-get update -qq
    # shellcheck disable=SC2086
    apt-get install -qq -y --no-install-recommends --download-only $packages >/dev/null
    for package in "$folder"/apt/cache/archives/*.deb; do dpkg -x "$package" "$root"; done
    rm -rf "$folder/apt"
    echo "$packages" >"$root/packages"
fi

warnings="-O2 -Wall -Wextra -Werror"
arm="clang --target=aarch64-linux-gnu --sysroot=$root $warnings"
count=0
# Files of C, and headers of targets that are only headers for Swift.
# shellcheck disable=SC2044
for source in $(find Sources Tests/Support Benchmarks -name '*.c') Sources/*/CPoster{Crypto,Redis,Postgres}/*.h; do
    $arm -x c -c -I"$(dirname "$source")/include" -I"$root"/usr/include/{freetype2,harfbuzz} "$source" -o "$folder/object.o"
    count=$((count + 1))
done
echo "$count C files and headers compile for arm64."

codecs=Sources/Pictures/CPosterCodecs
sandbox=Sources/Pictures/CPosterSandbox
build() {
    local name=$1 && shift
    "$@" -I$codecs/include -o "$folder/kernels-$name" Tests/Portability/arm64/kernels.c \
        $codecs/poster_{resample,png_rows,likeness}.c
    "$@" -I$codecs/include -o "$folder/libraries-$name" Tests/Portability/arm64/libraries.c $codecs/*.c \
        -ljpeg -lpng -lwebp -lavif -ljxl -lde265 -llcms2 -lz
    "$@" -I$sandbox/include -o "$folder/sandbox-$name" Tests/Portability/arm64/sandbox.c -lseccomp
}
# shellcheck disable=SC2086
build here clang $warnings
# shellcheck disable=SC2086
build arm64 $arm -fuse-ld=lld
for program in kernels libraries; do
    "$folder/$program-here" >"$folder/here.txt"
    qemu-aarch64 -strace -L "$root" "$folder/$program-arm64" 2>"$folder/calls.txt" | tee "$folder/arm64.txt"
    # With AVX2, the likeness is computed a second time.
    diff <(sort -u "$folder/here.txt") <(sort -u "$folder/arm64.txt")
    echo "Both architectures give the same bytes."
done
if sed -n '/getppid()/,$p' "$folder/calls.txt" | grep 'open'; then
    echo "A library opens files after its first picture: CodecWorker must do so before it enters the sandbox."
    exit 1
fi
"$folder/sandbox-here"
qemu-aarch64 -L "$root" "$folder/sandbox-arm64"
