#!/usr/bin/env bash
# Starts an S3 server in a folder and prints its port: tests/s3/server.sh FOLDER
# Needs node and npm, and the npm registry unless node_modules exists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# Several tests may start concurrently; only one installs.
(
  flock 9
  if [[ ! -d node_modules || package-lock.json -nt node_modules ]]; then
    npm ci --ignore-scripts --no-audit --no-fund --silent >&2
    touch node_modules
  fi
) 9<package.json
exec node --openssl-legacy-provider server.js "$1"
