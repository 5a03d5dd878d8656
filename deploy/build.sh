#!/usr/bin/env bash
# Configures and builds a preset: deploy/build.sh PRESET [TARGET…]
# Prints progress and, on failure, the compiler's output. With TRIARCH_TORCH=ON in the environment,
# also builds the torch bot.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
targets=("$@")

kind=build
[[ ${#targets[@]} -eq 0 ]] && kind="test"
[[ $preset == wasm ]] && kind=wasm
deploy/packages.sh "$kind"

build=build/$preset
mkdir -p build
log=$build.log
options=()
[[ -n ${TRIARCH_TORCH:-} ]] && options+=("-DTRIARCH_TORCH=$TRIARCH_TORCH")
if [[ ! -f $build/build.ninja || ${#options[@]} -gt 0 ]] &&
  ! cmake --preset "$preset" "${options[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "error: configuring the preset $preset failed" >&2
  exit 1
fi
echo "building ${targets[*]:-everything} ($preset)"
arguments=(--build --preset "$preset")
[[ ${#targets[@]} -gt 0 ]] && arguments+=(--target "${targets[@]}")
if [[ -t 1 ]]; then
  cmake "${arguments[@]}"
elif ! cmake "${arguments[@]}" 2>&1 | tee "$log" | deploy/progress.sh built; then
  grep -v -E '^\[[0-9]+/[0-9]+\] ' "$log" >&2
  echo "error: building the preset $preset failed" >&2
  exit 1
fi
