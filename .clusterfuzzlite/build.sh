#!/usr/bin/env bash
# Builds the fuzz targets with the compiler and flags of the environment (CC, CXX, CXXFLAGS, LIB_FUZZING_ENGINE) into
# OUT: executables, dictionaries, seeds, and the libraries that they are run with. For ClusterFuzzLite and OSS-Fuzz;
# `scripts/fuzz` is the way to fuzz by hand.
set -euo pipefail

# Beside the sources, or, where it was copied away from them, below SRC.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -f "$root/CMakeLists.txt" ] || root=${SRC:?the folder of the sources}/pteproof
: "${OUT:?the folder that everything goes to}"
work=${WORK:-$root/build}/oss-fuzz

# fmt and Z3 are the system's, and speak libstdc++.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DPTEPROOF_TESTS=OFF -DPTEPROOF_SHARED=ON -DPTEPROOF_FUZZ=ON \
  -DPTEPROOF_FUZZ_ENGINE="${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}" \
  -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH="\$ORIGIN/lib"
cmake --build "$work" --target fuzz_targets

mkdir -p "$OUT/lib"
while read -r target kind; do
  cp "$work/fuzz/$target" "$OUT/"
  dictionary=$root/fuzz/dictionaries/$kind.dict
  [ ! -f "$dictionary" ] || cp "$dictionary" "$OUT/$target.dict"
  printf '[libfuzzer]\nmax_len = 8192\ntimeout = 60\n' >"$OUT/$target.options"
  seeds=()
  for folder in "$root/corpus/seeds/$kind" "$root/corpus/regressions/$kind"; do
    [ ! -d "$folder" ] || seeds+=("$folder")
  done
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip -q -j -r "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
done <"$root/fuzz/targets.txt"

cp -L "$work/python/pteproof/libpteproof.so.1" "$OUT/lib/"
ldd "$OUT/fuzz_read" | awk '/libfmt|libz3|libstdc\+\+|libgmp/ { print $3 }' | xargs -r -I{} cp -L {} "$OUT/lib/"
