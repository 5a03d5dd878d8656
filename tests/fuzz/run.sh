#!/usr/bin/env bash
# Runs fuzz targets that are already built, and reports how many inputs each one tried.
#   tests/fuzz/run.sh [TARGET] [SECONDS] [libFuzzer option…]
# TARGET is a name (tpgn), a binary of the preset "fuzz", or all (the default). SECONDS (default 10)
# applies to each target. Fails on a finding and keeps the input in build/fuzz/finds.
# FUZZ_KEEP=DIR keeps inputs that reached new code in DIR/TARGET, and starts from them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${1:-all}
seconds=${2:-10}
options=("${@:3}")

case $target in
  all) binaries=("$root"/build/fuzz/fuzz/*_fuzz) ;;
  */*) binaries=("$target") ;;
  *) binaries=("$root/build/fuzz/fuzz/${target%_fuzz}_fuzz") ;;
esac
for binary in "${binaries[@]}"; do
  if [[ ! -x $binary ]]; then
    echo "error: $binary does not exist; build with: cmake --preset fuzz && cmake --build" \
      "--preset fuzz --target fuzz_targets" >&2
    exit 2
  fi
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
finds=$root/build/fuzz/finds
mkdir -p "$finds"

# Runs one binary. Shows its output only on a finding.
run_target() {
  local binary=$1
  local name
  name=$(basename "$binary" _fuzz)
  local inputs=${FUZZ_KEEP:-$scratch}/$name
  local log=$scratch/$name.log
  mkdir -p "$inputs"
  local arguments=(-max_total_time="$seconds" -print_final_stats=1 -timeout=20 -rss_limit_mb=2048
    -max_len=4096 -artifact_prefix="$finds/$name-")
  [[ -f $here/$name.dict ]] && arguments+=(-dict="$here/$name.dict")
  if ! "$binary" "${arguments[@]}" ${options[@]+"${options[@]}"} "$inputs" "$here/corpus/$name" \
    >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "error: $name found a bug; reproduce it with: $binary FILE (see above)"
    return 1
  fi
  local executions
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  # With -fork there are no statistics, but each line begins with "#N:".
  [[ -n $executions ]] || executions=$(sed -n 's/^#\([0-9]*\):.*/\1/p' "$log" | tail -n 1)
  echo "$name: $executions executions in $seconds s"
}

failed=0
for binary in "${binaries[@]}"; do
  run_target "$binary" || failed=1
done
exit "$failed"
