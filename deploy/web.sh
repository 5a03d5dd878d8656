#!/usr/bin/env bash
# Builds the web page into web/dist: deploy/web.sh [--wasm]
# With --wasm, builds the rules and the searchers for browsers first, which the page's analysis needs.
# Uses the npm registry, unless web/node_modules is as package-lock.json has it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

deploy/packages.sh web
[[ ${1:-} == --wasm ]] && deploy/build.sh wasm triarch_wasm
echo "building the page"
cd web
if [[ ! -d node_modules || package-lock.json -nt node_modules ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --silent
  touch node_modules
fi
npm run --silent build -- --logLevel warn
