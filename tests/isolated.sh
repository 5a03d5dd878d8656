#!/usr/bin/env bash
# Runs a test isolated from the rest of the machine: tests/isolated.sh COMMAND...
# The test has an empty folder as its home and for temporary files, which is removed at the end, and
# only the environment variables listed here. The test ends with this script.
set -euo pipefail

umask 022
folder=$(mktemp -d "${TMPDIR:-/tmp}/triarch-test.XXXXXX")
trap 'rm -rf "$folder"' EXIT
chmod 1777 "$folder" # a test may start programs as other users

environment=("PATH=$PATH" "HOME=$folder" "TMPDIR=$folder" "TEST_TMPDIR=$folder" LANG=C.UTF-8 TZ=UTC)
for name in TRIARCH_FAULT_SEED ASAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS; do
  [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
done
env --ignore-environment "${environment[@]}" setpriv --pdeathsig KILL "$@"
