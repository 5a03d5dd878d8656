#!/usr/bin/env bash
# Builds Triarch, plays a tournament and builds the page that shows it.
#   ./run.sh              plays examples/quickstart.yaml and prints the standings
#   ./run.sh FILE.yaml    plays that file instead
#   ./run.sh --build      only installs what is missing and builds the program
#   ./run.sh --web        as the first one, with the rules and the searchers for the page's analysis
set -euo pipefail
invoked_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  sed -n '2,6s/^# \{0,1\}//p' "$0"
}

if [[ $# -gt 1 ]]; then
  echo "error: ./run.sh takes at most one argument" >&2
  usage >&2
  exit 2
fi
case "${1:-}" in
  -h | --help)
    usage
    exit 0
    ;;
  --build | --web) ;;
  -*)
    echo "error: unknown option $1" >&2
    usage >&2
    exit 2
    ;;
esac

file=${1:-}
page=()
if [[ $file == --web ]]; then
  page=(--wasm)
  file=""
fi
if [[ -n $file && $file != --build ]]; then
  [[ $file == /* ]] || file=$invoked_from/$file
  if [[ ! -r $file ]]; then
    echo "error: cannot read $1" >&2
    exit 2
  fi
fi

deploy/build.sh release triarch
if [[ $file == --build ]]; then
  echo "built build/release/triarch"
  exit 0
fi
if [[ -n $file ]]; then
  cd "$invoked_from"
  exec "$OLDPWD/build/release/triarch" run "$file"
fi
build/release/triarch run examples/quickstart.yaml
deploy/web.sh "${page[@]}"
deploy/build.sh release triarch # with the page
echo "build/release/triarch web --db quickstart.db   # shows it at http://127.0.0.1:8081/"
