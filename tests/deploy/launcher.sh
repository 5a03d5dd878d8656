#!/usr/bin/env bash
# Tests the launcher of a package with builds that only print how they were started:
# launcher.sh LAUNCHER
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"/{bin,libexec/triarch}
cp "$1" "$dir/bin/triarch"
for level in x86-64-v2 x86-64-v3; do
  printf '#!/bin/sh\necho %s "$#" "$@"\nexit 7\n' "$level" >"$dir/libexec/triarch/triarch-$level"
  chmod +x "$dir/libexec/triarch/triarch-$level"
done
# expect STATUS PATTERN ARGUMENTS…: what the launcher must return and print.
expect() {
  local text status=0
  text=$("$dir/bin/triarch" "${@:3}" 2>&1) || status=$?
  # shellcheck disable=SC2053
  [[ $status == "$1" && $text == $2 ]] && return
  echo "error: triarch ${*:3} returned $status and printed: $text; expected $1 and: $2" >&2
  exit 1
}

best=x86-64-v2
if grep -qw avx2 /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then best=x86-64-v3; fi
expect 7 "$best 3 run a b \*" run "a b" "*"
ln -s "$dir/bin/triarch" "$dir/link"
[[ $("$dir/link" || true) == "$best 0" ]]
export TRIARCH_CPU=x86-64-v2
expect 7 "x86-64-v2 0"
TRIARCH_CPU=pentium expect 1 "error: cannot start */libexec/triarch/triarch-pentium: No such file or directory"
rm "$dir/libexec/triarch/triarch-x86-64-v2"
expect 1 "error: cannot start */libexec/triarch/triarch-x86-64-v2: No such file or directory"
