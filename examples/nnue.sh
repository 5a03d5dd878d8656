#!/usr/bin/env bash
# Makes a network for the searchers of one game: plays games, learns from them, and tests the result
# against the hand-made evaluation, and against the network that comes with the program, if any.
#
#   examples/nnue.sh GAME FOLDER      # run again to go on from FOLDER
#
# The first generation learns from games of the hand-made evaluation, each other one from games of
# the generation before. Needs python3-torch and python3-numpy. Settings in the environment:
#   GENERATIONS (3): networks to train
#   GAMES (60000): games of each generation; NODES (60): positions per move in them
#   ACCUMULATOR (128): the network's width; PASSES (1): how often it sees each sample
#   RESULT_SHARE (0.3; 0.02 with three players): weight of a game's result, the rest is the search's
#   TEST_MS (10), TEST_GAMES (400): time for a move, and games of each final test; 0: no test
#   SLOTS (all cores): games at a time; TRAIN_FLAGS: more flags of examples/train/nnue.py
#   TRIARCH, PYTHON (python3): the programs
# docs/nnue.md has the results.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ $# -ne 2 || $1 == -* ]]; then
  echo "usage: examples/nnue.sh GAME FOLDER" >&2
  exit 2
fi
game=$1
case $game in
  triumvirate | three-way | tri-d) ;;
  *)
    echo "examples/nnue.sh: expected triumvirate, three-way or tri-d, not \"$game\"" >&2
    exit 2
    ;;
esac
triarch=${TRIARCH:-$here/build/release/triarch}
python=${PYTHON:-python3}
generations=${GENERATIONS:-3}
slots=${SLOTS:-$(nproc)}
# With three players, the result of one game says little about one position.
[[ $game == tri-d ]] && result_share=0.3 || result_share=0.02
read -ra train_flags <<<"${TRAIN_FLAGS:-}"
mkdir -p "$2"
folder=$(cd "$2" && pwd)
"$python" -c 'import numpy, torch' 2>/dev/null || {
  echo "examples/nnue.sh: expected python3-torch and python3-numpy (apt-get install them)" >&2
  exit 1
}

# Plays the games from which generation $1 learns, with the network $2.
play() {
  cat >"$folder/play-$1.yaml" <<YAML
game: $game
mode: selfplay
name: games for generation $1
bots: [{bot: paranoid, net: $2, values: all}]
games: ${GAMES:-60000}
seed: $((1000 + $1))
openings: {random_plies: 8}
time_control: {nodes: ${NODES:-60}}
adjudication: {plies_max: 400}
selfplay:
  random_moves: 0.08
output: {data: "$folder/data-$1"}
YAML
  "$triarch" run "$folder/play-$1.yaml" --slots "$slots"
}

net=none
for ((i = 1; i <= generations; ++i)); do
  if [[ ! -e $folder/net-$i.net ]]; then
    play "$i" "$net"
    data=("$folder/data-$i")
    start=(--rate 0.002)
    if ((i > 1)); then
      if [[ -d $folder/data-$((i - 1)) ]]; then data+=("$folder/data-$((i - 1))"); fi
      start=(--rate 0.001 --start "$folder/net-$((i - 1)).net")
    fi
    "$python" "$here/examples/train/nnue.py" --triarch "$triarch" --data "${data[@]}" \
      --out "$folder/net-$i.net" --accumulator "${ACCUMULATOR:-128}" --passes "${PASSES:-1}" \
      --result-share "${RESULT_SHARE:-$result_share}" --note "examples/nnue.sh $game, generation $i" "${start[@]}" "${train_flags[@]}"
  fi
  "$triarch" net check "$folder/net-$i.net"
  net=$folder/net-$i.net
done

# Tests the last generation against another network.
compare() {
  echo "against net: $1"
  "$triarch" test "paranoid:net=$net" "paranoid:net=$1" --game "$game" --elo 0,100 \
    --movetime-ms "${TEST_MS:-10}" --games "${TEST_GAMES:-400}" --slots 1 \
    --db "$folder/test-$1.db" || (($? == 3 || $? == 4))
}
if [[ ${TEST_GAMES:-} != 0 ]]; then
  compare none
  if "$triarch" net info "$game" >/dev/null 2>&1; then compare bundled; fi
fi
