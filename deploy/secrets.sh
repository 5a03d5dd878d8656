#!/usr/bin/env bash
# Creates a cluster's secrets: deploy/secrets.sh [FOLDER], by default deploy/secrets.
# Existing files are kept, so it can be run again.
#   tokens             for the coordinators: all of these lines
#   worker_token       for workers
#   stranger_token     for the workers of one stranger, whose games are audited
#   operator_token     for operators
#   user_token         for authors of bots
#   postgres_password, grafana_password
set -euo pipefail
folder=${1:-$(dirname "${BASH_SOURCE[0]}")/secrets}

secret() {
  od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'
}
# The files are readable, the folder is not: containers mount single files and run as other users.
make() {
  [[ -s $folder/$1 ]] && return
  printf '%s\n' "$2" >"$folder/$1.tmp"
  chmod 644 "$folder/$1.tmp"
  mv "$folder/$1.tmp" "$folder/$1"
}

mkdir -p "$folder"
chmod 700 "$folder"
make worker_token "worker $(secret)"
make operator_token "operator $(secret)"
make user_token "user $(secret)"
make stranger_token "worker $(secret)"
make tokens "$(cat "$folder"/{worker,operator,user,stranger}_token | sed '$ s/$/ stranger audits=65/')"
for file in "$folder"/{worker,operator,user,stranger}_token; do
  grep -qF "$(cut -d ' ' -f 2 "$file")" "$folder/tokens" ||
    echo "note: $folder/tokens, which is older, lacks the token of $file: add it, or delete $file" >&2
done
make postgres_password "$(secret)"
make grafana_password "$(secret)"
echo "secrets are in $folder"
