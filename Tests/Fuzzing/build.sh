#!/bin/bash
# Builds the codec as one module with libFuzzer, AddressSanitizer and, for C, UndefinedBehaviorSanitizer.
#
# usage: build.sh FOLDER      creates FOLDER/fuzz-poster
#
# Without SwiftPM: the fuzzer has its own main function, and only the codec and its imports are built.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$out"  # the compiler writes by-products here
# The compiler that comes with Swift, so that both halves share one set of sanitizers.
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
sources=$root/Sources/Pictures/CPosterCodecs
fonts=$root/Sources/Pictures/CPosterFonts

{
  printf 'module CPosterCodecs { umbrella "%s/include" export * module * { export * } }\n' "$sources"
  printf 'module CPosterFonts { umbrella "%s/include" export * module * { export * } }\n' "$fonts"
  printf 'module FuzzMemory { header "%s/fuzz_memory.h" }\n' "$root/Tests/Fuzzing"
  printf 'module FuzzLibrary { header "%s/fuzz_library.h" }\n' "$root/Tests/Fuzzing"
} >"$out/module.modulemap"
objects=()
for file in "$sources"/*.c "$fonts"/*.c "$root/Tests/Fuzzing/fuzz_memory.c"; do
  object=$out/$(basename "$file" .c).o
  "$clang" -c -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
    -Wall -Wextra -D_GNU_SOURCE= -include "$root/Tests/Fuzzing/fuzz_memory.h" -I "$sources/include" \
    -I "$fonts/include" -I /usr/include/freetype2 -I /usr/include/harfbuzz "$file" -o "$object"
  objects+=("$object")
done
{
  find "$root/Sources/Pictures/PosterCodec" -name '*.swift' | sort
  find "$root/Tests/Fuzzing" -maxdepth 1 -name '*.swift' | sort
  echo "$root/Tests/Support/CodecTesting/SeededRandom.swift"
} >"$out/files"
settings=(-swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -package-name onesheet -parse-as-library -O -g -wmo)
# The only other module of ours that the codec imports.
swiftc "${settings[@]}" -module-name BoundedCache -sanitize=address -emit-module -emit-module-path "$out/BoundedCache.swiftmodule" \
  -c $(find "$root/Sources/Base/BoundedCache" -name '*.swift' | sort) -o "$out/BoundedCache.o"
objects+=("$out/BoundedCache.o")
swiftc "${settings[@]}" -module-name PosterFuzz \
  -sanitize=fuzzer,address -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table \
  -Xcc "-fmodule-map-file=$out/module.modulemap" -I "$out" @"$out/files" "${objects[@]}" \
  -ljpeg -lpng -lwebp -lavif -ljxl -lde265 -llcms2 -lfreetype -lharfbuzz -lz -Xlinker -rpath -Xlinker "$(dirname "$clang")/../lib/swift/linux" \
  -use-ld=lld -Xclang-linker -fsanitize=undefined -o "$out/fuzz-poster"
