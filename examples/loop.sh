#!/usr/bin/env bash
# The loop of self-play: a generation plays itself, a network learns from those games, and is the
# next generation; in the end all of them are rated together with bundled bots.
#
#   examples/loop.sh FOLDER       # given again it goes on from what is in FOLDER
#
# Generation 0 is the bundled searcher mcts: its games are what generation 1 learns from. Needs the
# torch bot (TRIARCH_TORCH=ON ./run.sh --build installs and builds it) and python3-numpy. What it
# plays and how long it learns is set in the environment:
#   GAME (three-way), GENERATIONS (2): networks to train
#   FIRST_GAMES (2000), FIRST_NODES (64): games of generation 0, nodes of its searches
#   GAMES (300), NODES (32): those of the networks
#   FIRST_STEPS (1500), STEPS (300): of training on the games of generation 0, and of a network
#   TRAIN_FLAGS: of examples/train/train.py; a small network and one thread if not given
#   RATED_GAMES (600), RATED_NODES (32): the tournament, where mcts has the networks' nodes
#   TRIARCH, PYTHON (python3): the programs
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
first_nodes=${FIRST_NODES:-64}
nodes=${NODES:-32}
first_steps=${FIRST_STEPS:-1500}
steps=${STEPS:-300}
rated_games=${RATED_GAMES:-600}
rated_nodes=${RATED_NODES:-32}
read -ra train_flags <<<"${TRAIN_FLAGS:---width 32 --layers 2 --batch 128 --threads 1}"
# Threads of linear algebra that wait for each other cost more than they bring on a few cores.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# Games of generation $1, which is the bot $2; $3 of them, $4 nodes a search.
play() {
  cat >"$folder/play-$1.yaml" <<YAML
game: $game
mode: selfplay
name: generation $1
bots: [$2]
games: $3
seed: $((1000 + $1))
openings: {random_plies: 4}
time_control: {nodes: $4}
limits: {max_plies: 400}
selfplay:
  temperature: [[0, 1.0], [24, 0.3]]
  noise: {alpha: 0.3, share: 0.25}
output: {data: $folder/data-$1}
YAML
  "$triarch" run "$folder/play-$1.yaml"
}

# Generation $1 learns $2 steps from the games of the one before, beginning with what that one knew.
train() {
  local model=$folder/model-$1.pt before=$folder/model-$(($1 - 1)).pt.checkpoint
  if [[ ! -e $model.done ]]; then
    [[ -e $model.checkpoint || ! -e $before ]] || cp "$before" "$model.checkpoint"
    "$python" "$here/examples/train/train.py" --data "$folder/data-$(($1 - 1))" --out "$model" \
      --steps "$2" "${train_flags[@]}" | tee -a "$folder/train-$1.log"
    touch "$model.done"
  fi
}

play 0 "{name: mcts, bot: mcts}" "$first_games" "$first_nodes"
train 1 "$first_steps"
for ((k = 2; k <= generations; ++k)); do
  play $((k - 1)) "{name: gen-$((k - 1)), bot: torch, model: $folder/model-$((k - 1)).pt}" \
    "$games" "$nodes"
  train "$k" "$steps"
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
