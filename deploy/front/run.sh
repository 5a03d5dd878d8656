#!/usr/bin/env bash
# Runs HAProxy in front of a coordinator: deploy/front/run.sh TOKENS
# TOKENS is the coordinator's token file; haproxy.cfg lists the variables. HAProxy gets only digests
# of the tokens. After a change of tokens or certificates, restart it.
set -euo pipefail
tokens=$1

digests() {
  local role secret
  tr -d '\r' <"$tokens" | while read -r role secret _ || [[ -n $role ]]; do
    [[ -z $role || $role == "#"* ]] || printf %s "$secret" | sha256sum | cut -d' ' -f1
  done
}

[[ -r $tokens ]] || { echo "error: cannot read $tokens" >&2 && exit 1; }
: "${TRIARCH_FRONT:?}" "${TRIARCH_COORDINATOR:?}" "${TRIARCH_FRONT_PEM:?}"
export TRIARCH_DIGESTS=/dev/fd/3 PATH=$PATH:/usr/sbin
exec haproxy -db -f "$(dirname "${BASH_SOURCE[0]}")/haproxy.cfg" 3< <(digests)
