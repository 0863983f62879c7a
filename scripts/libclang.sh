# For scripts that are sourced in the root: `with_libclang COMMAND...` runs it with libclang's binding for Python, which no
# distribution has in one version.
with_libclang() {
  local version=18.1.1
  local python=build/mutation/python
  if [ ! -d "$python/libclang-$version.dist-info" ]; then
    printf 'installing libclang %s from PyPI\n' "$version" >&2
    rm -rf "$python"
    mkdir -p build/mutation
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
      --target "$python" "libclang==$version" || exit 70
  fi
  PYTHONPATH=$python exec "$@"
}
