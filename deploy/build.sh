#!/usr/bin/env bash
# Configures and builds a preset: deploy/build.sh PRESET [TARGET…]
# Prints the compiler's output only where it has something to say.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
targets=("$@")

kind=build
[[ ${#targets[@]} -eq 0 ]] && kind=test
deploy/packages.sh "$kind"

build=build/$preset
mkdir -p build
log=$build.log
if [[ ! -f $build/build.ninja ]] && ! cmake --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  echo "error: configuring the preset $preset failed" >&2
  exit 1
fi
arguments=(--build --preset "$preset")
[[ ${#targets[@]} -gt 0 ]] && arguments+=(--target "${targets[@]}")
if [[ -t 1 ]]; then
  cmake "${arguments[@]}"
elif ! cmake "${arguments[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "error: building the preset $preset failed" >&2
  exit 1
fi
