#!/usr/bin/env bash
# Installs what is missing, builds, runs every test and ends with the line
# "N passed, M failed, K skipped".
# FUZZ_SECONDS (default 5) is the running time of each fuzz target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

TRIARCH_TORCH=ON deploy/packages.sh test
deploy/web.sh --wasm
TRIARCH_TORCH=ON deploy/build.sh release
deploy/build.sh fuzz fuzz_targets

passed=0
failed=0
skipped=0

# Prints each skipped test of a ctest log, with the reason.
print_skipped() {
  awk '/: Skipped$/ { reason = ""; is_in = 1; next }
       is_in && /^\[  SKIPPED \]/ { print "skipped: " $4 ":" reason; is_in = 0 }
       is_in && NF { reason = reason " " $0 }' "$1"
}

# Adds one ctest run of a preset to the counts.
run_ctest() {
  local preset=$1
  local log=build/$preset/ctest.log
  echo "testing ($preset)"
  ctest --preset "$preset" -j "$(nproc)" --output-on-failure 2>&1 |
    tee "$log" | deploy/progress.sh tested || true
  local total bad not_run
  total=$(sed -n 's/^[0-9]*% tests passed, [0-9]* tests failed out of \([0-9]*\)$/\1/p' "$log")
  bad=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log")
  not_run=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log" || true)
  if [[ -z $total || $total -eq 0 ]]; then
    tail -n 50 "$log"
    echo "error: ctest ran no test"
    total=1
    bad=1
  elif [[ $bad -ne 0 ]]; then
    grep -v -E '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed)' "$log" || true
  fi
  print_skipped "build/$preset/Testing/Temporary/LastTest.log"
  sed -n 's/^seeds \([0-9]* to [0-9]*: [0-9]* worker-hours\).*/simulated seeds \1/p' \
    "build/$preset/Testing/Temporary/LastTest.log"
  passed=$((passed + total - bad - not_run))
  failed=$((failed + bad))
  skipped=$((skipped + not_run))
}

run_ctest release

# Uses a fixed seed, so that the inputs depend only on the change; tests/fuzz/README.md explains
# longer runs.
echo "fuzzing (${FUZZ_SECONDS:-5} s a target)"
for target in build/fuzz/fuzz/*_fuzz; do
  if tests/fuzz/run.sh "$target" "${FUZZ_SECONDS:-5}" -seed=1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
