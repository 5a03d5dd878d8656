#!/usr/bin/env bash
# The loop of self-play: a generation plays itself, a network learns from those games, and is the
# next generation; in the end all of them are rated together with bundled bots.
#
#   examples/loop.sh FOLDER       # given again it goes on from what is in FOLDER
#
# Generation 0 is the bundled searcher mcts: its games are what generation 1 learns from. Needs
# the torch bot (TRIARCH_TORCH=ON ./run.sh --build installs and builds it) and python3-numpy. What it
# plays and how long it learns can be set:
#   TRIARCH      the binary                                  GAME         three-way
#   GENERATIONS  networks to train (2)                       GAMES        of each generation (300)
#   FIRST_GAMES  of generation 0 (2000)                      NODES        of a full search (64)
#   STEPS        of training, each generation (1500)         RATED_GAMES  in the tournament (600)
#   RATED_NODES  of networks and of mcts there (64)          PYTHON       python3
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ $# -ne 1 ]]; then
  echo "usage: examples/loop.sh FOLDER" >&2
  exit 2
fi
triarch=${TRIARCH:-$here/build/release/triarch}
python=${PYTHON:-python3}
game=${GAME:-three-way}
generations=${GENERATIONS:-2}
games=${GAMES:-300}
first_games=${FIRST_GAMES:-2000}
nodes=${NODES:-64}
steps=${STEPS:-1500}
rated_games=${RATED_GAMES:-600}
rated_nodes=${RATED_NODES:-64}
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# Games of generation $1, which is the bot $2; $3 of them.
play() {
  cat >"$folder/play-$1.yaml" <<YAML
game: $game
mode: selfplay
name: generation $1
bots: [$2]
games: $3
seed: $((1000 + $1))
openings: {random_plies: 4}
time_control: {nodes: $nodes}
limits: {max_plies: 400}
selfplay:
  temperature: [[0, 1.0], [24, 0.3]]
  noise: {alpha: 0.3, share: 0.25}
output: {data: $folder/data-$1}
YAML
  "$triarch" run "$folder/play-$1.yaml"
}

# Generation $1 learns from the games of the one before, beginning with what that one knew.
train() {
  local model=$folder/model-$1.pt before=$folder/model-$(($1 - 1)).pt.checkpoint
  if [[ ! -e $model.done ]]; then
    [[ -e $model.checkpoint || ! -e $before ]] || cp "$before" "$model.checkpoint"
    "$python" "$here/examples/train/train.py" --data "$folder/data-$(($1 - 1))" --out "$model" \
      --steps "$steps" | tee -a "$folder/train-$1.log"
    touch "$model.done"
  fi
}

play 0 "{name: mcts, bot: mcts}" "$first_games"
for ((k = 1; k <= generations; ++k)); do
  train "$k"
  ((k == generations)) || play "$k" "{name: gen-$k, bot: torch, model: $folder/model-$k.pt}" "$games"
done

{
  echo "game: $game"
  echo "name: generations"
  echo "bots:"
  echo "  - {name: random, bot: random}"
  echo "  - {name: greedy, bot: greedy}"
  echo "  - {name: paranoid-1, bot: paranoid, depth: 1}"
  echo "  - {name: mcts-$rated_nodes, bot: mcts, nodes: $rated_nodes}"
  for ((k = 1; k <= generations; ++k)); do
    echo "  - {name: gen-$k, bot: torch, model: $folder/model-$k.pt, nodes: $rated_nodes}"
  done
  echo "anchor: greedy"
  echo "games: $rated_games"
  echo "seed: 7"
  echo "limits: {max_plies: 400}"
  echo "output: {db: $folder/rated.db}"
} >"$folder/rated.yaml"
"$triarch" run "$folder/rated.yaml"
