#!/usr/bin/env bash
# One binary for every x86-64: checks that AVX is only in functions that are chosen at run time, and that a CPU without AVX
# (an emulated Nehalem) renders identical posters.
#
# usage: portable.sh PROGRAM        needs: binutils, qemu-user
set -euo pipefail

program=$1
for tool in objdump qemu-x86_64; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install binutils qemu-user"; exit 1; }
done
if [ "$(uname -m)" != x86_64 ]; then echo "this is not an x86-64 machine: nothing to check"; exit 0; fi

# BoringSSL, in swift-nio-ssl, dispatches by itself. Names without its prefix are those of its Keccak and of labels in its assembly.
boringssl='[a-zA-Z0-9_]*CNIOBoringSSL_?[a-zA-Z0-9_]*|_ZL[0-9]+keccak_[a-zA-Z0-9_]*_x4[a-zA-Z0-9_]*|(done|innerloop|karatsuba_loop)_[0-9a-f]{32}'
others=$(objdump -d --no-show-raw-insn "$program" |
    awk '/^[0-9a-f]+ <.*>:$/ { name = $2 } /%[yz]mm/ { print name }' | sort -u |
    grep -vE "^<(poster_resample_(columns|row|halve)|(row|errors|halve)_avx2|$boringssl)>:$" || true)
if [ -n "$others" ]; then
    echo "AVX outside of dispatched functions:"
    echo "$others"
    exit 1
fi
echo "AVX is only in dispatched functions."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
native=$("$program" --version)
old=$(qemu-x86_64 -cpu Nehalem "$program" --version)
echo "here:    $native"
echo "Nehalem: $old"
case $old in *portable*) ;; *) echo "the portable kernels do not run there"; exit 1 ;; esac
for original in Sources/Movies/EmbeddedCatalogue/Resources/originals/{nosferatu,metropolis}-19*.jpg; do
    # PNG and WebP originals, too.
    "$program" render "$original" "$folder/a.png" --width 700 --format png
    "$program" render "$original" "$folder/a.webp" --width 700 --format webp
    for input in "$original" "$folder/a.png" "$folder/a.webp"; do
        for format in jpeg webp png; do
            "$program" render "$input" "$folder/here" --width 368 --format $format
            qemu-x86_64 -cpu Nehalem "$program" render "$input" "$folder/there" --width 368 --format $format
            cmp "$folder/here" "$folder/there"
        done
    done
done
echo "Both CPUs render the same bytes, from JPEG, PNG and WebP originals, to JPEG, WebP and PNG."
