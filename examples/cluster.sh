#!/usr/bin/env bash
# Runs a whole cluster on this machine for one tournament: its own PostgreSQL, a Prometheus, a
# coordinator and two workers, all on loopback. Nothing is left behind.
#   examples/cluster.sh               plays examples/cluster.yaml
#   examples/cluster.sh FILE.yaml     plays that file instead
#   examples/cluster.sh --stay [FILE] keeps everything running afterwards, until Ctrl-C
set -euo pipefail
invoked_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '2,6s/^# \{0,1\}//p' examples/cluster.sh
}

stay=no
file=examples/cluster.yaml
case "${1:-}" in
  -h | --help)
    usage
    exit 0
    ;;
  --stay)
    stay=yes
    shift
    ;;
  -*)
    echo "error: unknown option $1" >&2
    usage >&2
    exit 2
    ;;
esac
if [[ $# -gt 0 ]]; then
  file=$1
  [[ $file == /* ]] || file=$invoked_from/$file
fi
if [[ $# -gt 1 || ! -r $file ]]; then
  echo "error: expected one readable tournament file" >&2
  exit 2
fi

# ---- Prerequisites: the binary, PostgreSQL and Prometheus.

newest_postgres() {
  local folders=(/usr/lib/postgresql/*/bin)
  printf '%s\n' "${folders[@]}" | sort -V | tail -n 1
}
if [[ ! -x $(newest_postgres)/initdb ]] || ! command -v prometheus promtool >/dev/null; then
  deploy/packages.sh test
fi
./run.sh --build
postgres_bin=$(newest_postgres)
triarch=$PWD/build/release/triarch

# ---- Processes: everything started here is stopped here, the last one first.

dir=$(mktemp -d -p /tmp) # short: a socket's path may have at most 107 characters
chmod 711 "$dir"
started=()

stop_all() {
  trap - EXIT
  local i
  for ((i = ${#started[@]} - 1; i >= 0; --i)); do
    kill -INT "${started[i]}" 2>/dev/null || continue # makes PostgreSQL end its sessions and stop
    wait "${started[i]}" 2>/dev/null || true
  done
  rm -rf "$dir"
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# start NAME COMMAND…: runs it in the background, in its own process group so that Ctrl-C reaches only
# this script; its output goes to $dir/NAME.log.
start() {
  local name=$1
  shift
  set -m
  "$@" >"$dir/$name.log" 2>&1 </dev/null &
  set +m
  started+=($!)
  last_name=$name
}

# Waits until a command succeeds. If it does not, shows the log of the most recently started
# process.
wait_for() {
  local _
  for _ in {1..300}; do
    "$@" >/dev/null 2>&1 && return
    kill -0 "${started[-1]}" 2>/dev/null || break
    sleep 0.1
  done
  echo "error: $last_name did not start:" >&2
  tail -n 20 "$dir/$last_name.log" >&2
  exit 1
}

# port_of NAME WORDS: prints the number after these words in a process's output.
port_of() {
  sed -nE "s/.*$2([0-9]+)$/\1/p" "$dir/$1.log" | grep -m 1 .
}

# ---- PostgreSQL: on a Unix socket only. It refuses to run as root.

as_postgres=()
mkdir "$dir/postgres"
if [[ $EUID -eq 0 ]]; then
  as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  chown postgres: "$dir/postgres"
fi
"${as_postgres[@]}" "$postgres_bin/initdb" --pgdata="$dir/postgres/data" --username=triarch \
  --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions >"$dir/initdb.log" 2>&1 ||
  { cat "$dir/initdb.log" >&2 && exit 1; }
start postgresql "${as_postgres[@]}" "$postgres_bin/postgres" -D "$dir/postgres/data" \
  -c listen_addresses= -c unix_socket_directories="$dir/postgres" -c unix_socket_permissions=0700
wait_for "$postgres_bin/pg_isready" --quiet --host="$dir/postgres"
"$postgres_bin/createdb" --host="$dir/postgres" --username=triarch triarch
store="postgresql://triarch@/triarch?host=$dir/postgres"
echo "PostgreSQL    $store"

# ---- The coordinator and two workers, with tokens.

secret() {
  od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'
}
(umask 077 && printf 'worker %s\noperator %s\n' "$(secret)" "$(secret)" >"$dir/tokens")

start coordinator "$triarch" serve --store "$store" --listen 127.0.0.1:0 --http 127.0.0.1:0 \
  --token-file "$dir/tokens"
wait_for port_of coordinator ' listen=.*:'
coordinator=127.0.0.1:$(port_of coordinator ' listen=.*:')
coordinator_http=127.0.0.1:$(port_of coordinator ' http=.*:')
echo "coordinator   $coordinator, http://$coordinator_http/metrics"

slots=$((($(nproc) + 1) / 2))
worker_http=()
for name in worker-1 worker-2; do
  start "$name" "$triarch" work --coordinator "$coordinator" --slots "$slots" --name "$name" \
    --metrics 127.0.0.1:0 --token-file "$dir/tokens" --spill "$dir/$name.spill"
  wait_for port_of "$name" ' metrics=.*:'
  worker_http+=("127.0.0.1:$(port_of "$name" ' metrics=.*:')")
  echo "$name      $slots slots, http://${worker_http[-1]}/metrics"
done

# ---- Prometheus, with the rules and configuration of dashboards/prometheus on our ports.

cp dashboards/prometheus/{recording,alerting}_rules.yml "$dir"
sed -e "s/\"127.0.0.1:9080\"/\"$coordinator_http\"/" \
  -e "s/\"127.0.0.1:9081\"/\"${worker_http[0]}\"/" \
  -e "s/\"127.0.0.1:9082\"/\"${worker_http[1]}\"/" \
  -e 's/_interval: 5s/_interval: 1s/' dashboards/prometheus/prometheus.yml >"$dir/prometheus.yml"
start prometheus prometheus --config.file="$dir/prometheus.yml" \
  --storage.tsdb.path="$dir/prometheus" --web.listen-address=127.0.0.1:0
wait_for port_of prometheus 'msg="Listening on" address=.*:'
prometheus=http://127.0.0.1:$(port_of prometheus 'msg="Listening on" address=.*:')
echo "Prometheus    $prometheus"

# ---- A tournament.

operate() {
  "$triarch" "$@" --coordinator "$coordinator" --token-file "$dir/tokens"
}
ask() {
  printf '\n%s\n' "$1"
  promtool query instant "$prometheus" "$1" | sed -E 's/^(.*) @\[[0-9.]+\]$/  \1/'
}

id=$(operate submit "$file")
printf '\ntriarch submit: tournament %s\n\ntriarch watch %s\n' "$id" "$id"
operate watch "$id"
printf '\ntriarch list\n'
operate list
printf '\ntriarch standings %s\n' "$id"
operate standings "$id" | sed -n '3,8p'
printf '\ntriarch games %s\n' "$id"
operate games "$id" | sed -n '1,4p'
sleep 3 # until the last figures are scraped and the rules evaluated
ask 'sum by (tournament, game) (triarch_games_total)'
ask 'sum by (worker) (triarch_worker_recorded_games_total)'
ask 'round(100 * max_over_time(triarch:slot_utilisation:ratio[1m]))'
ask 'count by (alertname) (ALERTS{alertstate="firing"}) or vector(0)'

if [[ $stay == yes ]]; then
  printf '\nUntil Ctrl-C, from %s:\n' "$PWD"
  echo "  build/release/triarch list --coordinator $coordinator --token-file $dir/tokens"
  while sleep 1; do :; done
fi
