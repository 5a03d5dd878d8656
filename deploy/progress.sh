#!/usr/bin/env bash
# Reports the progress of ninja or ctest: COMMAND | progress.sh VERB
# For lines that begin with "[12/340]" or "12/340", prints "VERB 12 of 340", at most every 5 s.
set -euo pipefail
due=0
while IFS= read -r line; do
  if ((SECONDS >= due)) && [[ $line =~ ^\ *\[?([0-9]+)/([0-9]+)[\]\ ] ]]; then
    echo "  $1 ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    due=$((SECONDS + 5))
  fi
done
