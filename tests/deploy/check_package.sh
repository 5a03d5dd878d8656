#!/usr/bin/env bash
# Checks that the builds in packages follow the same rules and play the same games:
# check_package.sh PACKAGE…
# Runs a package for arm64 in qemu-aarch64, with the libraries of deploy/package.sh. Takes minutes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# play NAME COMMAND…: prints the signatures and plays a tournament of each game.
play() {
  local name=$1 game
  shift
  mkdir "$dir/$name"
  "$@" bench --json tri-d/samples >"$dir/$name/bench.json"
  grep -o '_signatures": {[^}]*}' <(tr -d '\n' <"$dir/$name/bench.json") >"$dir/$name/signatures"
  for game in triumvirate three-way tri-d; do
    cat >"$dir/$name/$game.yaml" <<END
game: $game
bots: [random, greedy, {name: maxn-2, bot: maxn, depth: 2}, {name: mcts-50, bot: mcts, nodes: 50}]
games: 24
seed: 3
output: {db: $game.db, tpgn: $game.tpgn}
END
    (cd "$dir/$name" && "$@" run "$game.yaml" >"$game.log")
  done
  (cd "$dir/$name" && cat signatures ./*.tpgn | sha256sum)
}

for package in "$@"; do
  name=$(basename "$package" .deb)
  dpkg-deb -x "$package" "$dir/unpacked-$name"
  program=$dir/unpacked-$name/usr/bin/triarch
  case $(dpkg-deb -f "$package" Architecture) in
    amd64)
      for level in x86-64-v2 x86-64-v3; do
        echo "$name, $level: $(play "$name-$level" env TRIARCH_CPU=$level "$program")"
      done
      ;;
    arm64)
      echo "$name: $(play "$name" qemu-aarch64 -L "$root/build/arm64-root" "$program")"
      ;;
  esac
done | tee "$dir/results"
if [[ $(sed 's/.*: //' "$dir/results" | sort -u | wc -l) != 1 ]]; then
  echo "error: the builds differ" >&2
  exit 1
fi
