#!/usr/bin/env bash
# Generates the dashboards anew and compares them with those in dashboards/. Needs node and npm, and
# the npm registry unless node_modules is there.
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
  echo "error: dashboards/ is not what src/ makes; run: npm run generate" >&2
  exit 1
fi
echo "the dashboards are up to date"
