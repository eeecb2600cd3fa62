#!/bin/bash
# Builds the fuzzer of protocols and texts: the modules that parse them with libFuzzer and AddressSanitizer, everything else from SwiftPM's debug build.
#
# usage: build.sh FOLDER DEBUG      creates FOLDER/fuzz-protocols; DEBUG is SwiftPM's folder of a current debug build, such as .build/debug
#
# An unchanged module is not compiled again.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
debug=$(cd "$2" && pwd -P)
# In the order of their dependencies. FUZZ_MODULES= are fewer, and FUZZ_OPTIMISATION=-Onone compiles quicker. The codec is among them for the format of messages.
read -rd '' -a modules <<<"${FUZZ_MODULES:-InternetAddress PosterCodec CodecWorkers HTTPSemantics RedisClient HTTPFetch ObjectStorage HTTPServer MovieDomain
  MovieHTTP MovieCompatibility PosterPipeline PosterAPI PosterOrigins ClusterState MovieWeb}" || true
cd "$out"  # the compiler writes by-products here

# SwiftPM names the package after its folder, and both halves share declarations within the package.
package=$(grep -oE '"-module-name","HTTPSemantics".*"-package-name","[^"]+"' "$debug/../../debug.yaml" | sed -nE '1s/.*"-package-name","([^"]+)".*/\1/p')
settings=(-swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault -package-name "$package"
  -DSWIFT_PACKAGE -DSWIFT_MODULE_RESOURCE_BUNDLE_UNAVAILABLE -parse-as-library -enable-testing ${FUZZ_OPTIMISATION:--O} -g -wmo -I "$out" -I "$debug/Modules"
  -sanitize=fuzzer,address -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table)
for map in "$root"/Sources/*/C*/module.modulemap "$debug"/C*.build/module.modulemap "$debug"/../../checkouts/*/Sources/*/{,include/}module.modulemap; do
  [ ! -e "$map" ] || settings+=(-Xcc "-fmodule-map-file=$map")
done
for folder in "$root"/Sources/*/C*/include "$debug"/../../checkouts/*/Sources/{C*,_*Shims}/include; do
  [ ! -d "$folder" ] || settings+=(-Xcc -I -Xcc "$folder")
done

version="$(swiftc --version 2>/dev/null) ${settings[*]}"
objects=()
for module in "${modules[@]}"; do
  files=("$(echo "$root"/Sources/*/"$module")")
  mapfile -t files < <(find "${files[0]}" -name '*.swift' | sort; find "$debug/$module.build/DerivedSources" -name '*.swift' 2>/dev/null)
  # Each module depends on those before it.
  version=$(sha256sum <<<"$version $(cat "${files[@]}" | sha256sum)")
  object=$out/$module-${version:0:16}.o
  if [ ! -e "$object" ]; then
    rm -f "$out/$module"-*.o
    echo "Compiling $module"
    swiftc "${settings[@]}" -module-name "$module" -emit-module -emit-module-path "$out/$module.swiftmodule" -c "${files[@]}" -o "$object.new"
    mv "$object.new" "$object"
  fi
  objects+=("$object")
done

# The program's objects without its main function and without those modules.
pattern=$(IFS='|'; echo "${modules[*]}|onesheet")
grep -vE "/($pattern)\.build/" "$debug/onesheet.product/Objects.LinkFileList" >"$out/others"
find "$debug/NIOEmbedded.build" -name '*.o' >>"$out/others"
sort -u -o "$out/others" "$out/others"
libraries=$(sed -nE 's/^ *(cTarget\()?"Sources[^"]*", libraries: "([^"]*)".*/\2/p' "$root/Package.swift" | tr ' ' '\n' | sort -u)
echo "Linking fuzz-protocols"
swiftc "${settings[@]}" -module-name ProtocolFuzz $(find "$root/Tests/Fuzzing/Protocols" -name '*.swift' | sort) "${objects[@]}" @"$out/others" -lstdc++ \
  $(sed 's/^./-l&/' <<<"$libraries") -use-ld=lld -o "$out/fuzz-protocols"
