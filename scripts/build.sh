# shellcheck shell=bash
# Sourced by verify and test: quiet configure and build of one preset.

# build_preset PRESET [TARGET...]: one progress line on stderr; the log only when something fails.
build_preset() {
  local preset=$1 log started=$SECONDS
  shift
  mkdir -p "build/$preset"
  log="$PWD/build/$preset/build.log"
  printf '%s: building %s ... ' "${0##*/}" "$preset" >&2
  if ! { cmake --preset "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
    printf 'failed\n' >&2
    # Ninja puts what failed last; a configure error stands at the end as well.
    tail -n 80 "$log" >&2
    printf '%s: the build of preset %s failed; the whole log is %s\n' "${0##*/}" "$preset" "$log" >&2
    return 1
  fi
  printf 'done in %d s\n' $((SECONDS - started)) >&2
}
