#!/usr/bin/env bash
# Regenerates the dashboards and compares them with dashboards/. Needs node and npm, and the npm
# registry unless node_modules exists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [[ ! -d node_modules || package-lock.json -nt node_modules ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --silent
  touch node_modules
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
node_modules/.bin/tsc
node build/main.js "$out"
if ! diff -ru dashboards "$out"; then
  echo "error: dashboards/ is out of date; run: npm run generate" >&2
  exit 1
fi
echo "the dashboards are up to date"
