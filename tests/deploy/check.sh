#!/usr/bin/env bash
# Checks deploy/ and examples/cluster.sh as far as possible without the target machines. Needs node,
# npm, docker-compose, promtool (prometheus), systemd-analyze (systemd) and shellcheck, and unless
# node_modules exists, the npm registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(cd ../.. && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

say() { printf '== %s\n' "$*"; }

say scripts
shellcheck "$root"/{run,test}.sh "$root"/deploy/{build,package,packages,progress,secrets}.sh "$root"/deploy/front/run.sh \
  "$root/deploy/kubernetes/rules.sh" "$root"/deploy/slurm/triarch-workers.sbatch "$root"/examples/cluster.sh \
  "$root"/tests/s3/server.sh ../isolated.sh ./*.sh

say secrets
"$root/deploy/secrets.sh" "$dir/secrets" >/dev/null
before=$(cat "$dir"/secrets/*)
"$root/deploy/secrets.sh" "$dir/secrets" >/dev/null # keeps what is there
[[ $(cat "$dir"/secrets/*) == "$before" ]]
[[ $(stat -c %a "$dir/secrets") == 700 ]]
diff "$dir/secrets/tokens" <(
  cat "$dir"/secrets/{worker,operator,user}_token
  echo "$(<"$dir/secrets/stranger_token") stranger audits=65"
)
rm "$dir/secrets/user_token"
[[ $("$root/deploy/secrets.sh" "$dir/secrets" 2>&1) == *"lacks the token of "*/user_token:* ]]

say compose
docker-compose -f "$root/deploy/compose.yaml" config >"$dir/compose.yaml"
for service in postgres coordinator standby worker prometheus grafana; do
  grep -q "^  $service:\$" "$dir/compose.yaml"
done
cp "$root"/deploy/prometheus.yml "$root"/dashboards/prometheus/{recording,alerting}_rules.yml "$dir"
promtool check config "$dir/prometheus.yml" >/dev/null

say systemd
# Ignore these: the binary and the user exist only after installation.
for unit in "$root"/deploy/systemd/*.service; do
  sed -E 's,^ExecStart=/usr/(bin/triarch|lib/triarch/front/run.sh) ,ExecStart=/bin/true ,' "$unit" \
    >"$dir/${unit##*/}"
done
cp "$dir/triarch-worker@.service" "$dir/triarch-worker@1.service"
cp "$root/deploy/systemd/triarch-arena.socket" "$dir"
for unit in triarch-coordinator triarch-front triarch-worker@1 triarch-arena; do
  found=$(systemd-analyze verify "$dir/$unit.service" 2>&1 | grep -F "$dir" || true)
  [[ -z $found ]] || { echo "$found" >&2 && exit 1; }
  # The exposure level goes from 0 (best) to 10; the threshold is in tenths.
  systemd-analyze security --offline=true --threshold=20 "$dir/$unit.service" >/dev/null
done

say Kubernetes
"$root/deploy/kubernetes/rules.sh" --check
if [[ ! -d node_modules || package-lock.json -nt node_modules ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --silent
  touch node_modules
fi
node check_manifests.js "$root/deploy/kubernetes"
echo "deploy/ is valid"
