#!/usr/bin/env bash
# Tells how far ninja or ctest has come: COMMAND | progress.sh VERB
# Of a line that begins with "[12/340]" or "12/340" it prints "VERB 12 of 340", at most every 5 s.
set -euo pipefail
due=0
while IFS= read -r line; do
  if ((SECONDS >= due)) && [[ $line =~ ^\ *\[?([0-9]+)/([0-9]+)[\]\ ] ]]; then
    echo "  $1 ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    due=$((SECONDS + 5))
  fi
done
