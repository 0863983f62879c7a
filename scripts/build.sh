# shellcheck shell=bash
# Sourced by verify and test: quiet configure and build of one preset.

# build_preset PRESET [TARGET...]: configures and builds it.
build_preset() {
  local preset=$1
  shift
  configure_and_build() { cmake --preset "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}; }
  build_by "$preset" configure_and_build "$@"
}

# build_by NAME COMMAND...: one progress line on stderr; the log, build/NAME/build.log, only when something fails.
build_by() {
  local name=$1 log started=$SECONDS
  shift
  mkdir -p "build/$name"
  log="$PWD/build/$name/build.log"
  printf '%s: building %s ... ' "${0##*/}" "$name" >&2
  if ! "$@" >"$log" 2>&1; then
    printf 'failed\n' >&2
    # Ninja puts what failed last; a configure error is at the end as well.
    tail -n 80 "$log" >&2
    printf '%s: the build of %s failed; the whole log is %s\n' "${0##*/}" "$name" "$log" >&2
    return 1
  fi
  printf 'done in %d s\n' $((SECONDS - started)) >&2
}
