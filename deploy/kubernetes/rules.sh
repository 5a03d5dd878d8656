#!/usr/bin/env bash
# Writes rules.yaml, the rules of dashboards/prometheus as the Prometheus operator wants them.
#   rules.sh           writes it
#   rules.sh --check   says whether it is up to date
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

make() {
  cat <<'HEADER'
# Made by rules.sh from dashboards/prometheus; change it there.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: triarch
  namespace: triarch
spec:
  groups:
HEADER
  local kind
  for kind in recording alerting; do
    # Both files name their group "triarch"; in one resource they need two names.
    sed -e '1,/^groups:$/d' -e '/^ *#/d' -e '/^$/d' -e "s/^  - name: triarch\$/  - name: triarch-$kind/" \
      -e 's/^/  /' "../../dashboards/prometheus/${kind}_rules.yml"
  done
}

if [[ ${1:-} == --check ]]; then
  diff -u rules.yaml <(make) && exit
  echo "error: rules.yaml is not what rules.sh makes; run it" >&2
  exit 1
fi
make >rules.yaml.tmp
mv rules.yaml.tmp rules.yaml
