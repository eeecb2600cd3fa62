#!/usr/bin/env bash
# Builds the program that is released: without Swift's shared libraries, and with the same bytes from the same sources in any folder.
#
# usage: static.sh      leaves .build/static/release/onesheet, with its symbols
set -euo pipefail
cd "$(dirname "$0")/.."

# The compiler keeps the lengths of some paths, whatever they are mapped to, and the order of some things by their addresses: the sources are in the same folder for every build, in
# a mount namespace, and addresses are not randomised. Where a container forbids either, the program is the same but for some bytes.
fixed=/var/tmp/onesheet-build
if [ "$PWD" != "$fixed" ]; then
  namespace=(unshare --mount)
  [ "$(id -u)" = 0 ] || namespace+=(--map-root-user)
  # A relative link would lead elsewhere.
  if [ ! -L .build ] && mkdir -p "$fixed" && "${namespace[@]}" mount --rbind "$PWD" "$fixed" 2>/dev/null; then
    exec "${namespace[@]}" bash -c 'mount --rbind "$1" "$2" && exec "$2/scripts/static.sh"' - "$PWD" "$fixed"
  fi
  echo "Not built in $fixed: the program has the same code, but perhaps other bytes than one from another folder"
fi
fixed_addresses=()
! setarch --addr-no-randomize true 2>/dev/null || fixed_addresses=(setarch --addr-no-randomize)

scratch=$PWD/.build/static
mkdir -p "$scratch"
flags=()
# Paths of this machine, in messages of assertions and for debuggers.
for mapping in "$scratch=./.build/static" "$PWD=."; do
  flags+=(-Xswiftc -file-prefix-map -Xswiftc "$mapping" -Xcc "-ffile-prefix-map=$mapping" -Xcxx "-ffile-prefix-map=$mapping")
done
# Names of precompiled C modules have a hash of their path, and those of Swift modules one of their options.
flags+=(-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
# A section for each function, so that the linker drops those that nothing calls and merges equal ones.
flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections -Xcxx -ffunction-sections -Xcxx -fdata-sections)
# Of 103 MB without symbols: relative relocations in a bitmap (glibc 2.36) save 4, no table of exported symbols 5, and the part of ICU's data that is used 28.
symbol=$(python3 scripts/locale-data.py "$scratch/locale-data.o")
flags+=(-Xswiftc -use-ld=lld)
for option in --no-export-dynamic --icf=safe -z pack-relative-relocs "$scratch/locale-data.o" "$symbol"; do flags+=(-Xlinker "$option"); done
# The versions of packages that were tested.
[ ! -e Package.resolved ] || flags+=(--force-resolved-versions)
(set -x; "${fixed_addresses[@]}" swift build -c release --static-swift-stdlib --scratch-path "$scratch" "${flags[@]}" --product onesheet)
