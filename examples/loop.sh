#!/usr/bin/env bash
# Runs the training loop: a generation plays itself, a network learns from its games and becomes the
# next generation; finally, all of them are rated together with bundled bots.
#
#   examples/loop.sh FOLDER       # run again to resume from FOLDER, also for more generations
#
# Generation 0 is the bundled searcher mcts; generation 1 learns from its games. Needs the torch bot
# (TRIARCH_TORCH=ON ./run.sh --build installs and builds it) and python3-numpy. Settings in the
# environment:
#   GAME (tri-d), GENERATIONS (3): networks to train
#   FIRST_GAMES (3000), FIRST_NODES (400): games of generation 0, nodes of its searches
#   GAMES (400), NODES (64): games and nodes of the networks
#   FIRST_STEPS (4000), STEPS (1500): training steps on the games of generation 0, and of a network
#   TRAIN_FLAGS (--threads 1): flags of examples/train/train.py
#   RATED_GAMES (1500), RATED_NODES (64): the tournament, where mcts gets the networks' nodes
#   TRIARCH, PYTHON (python3): the programs
# docs/selfplay-loop.md has the results.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ $# -ne 1 || $1 == -* ]]; then
  echo "usage: examples/loop.sh FOLDER" >&2
  exit 2
fi
triarch=${TRIARCH:-$here/build/release/triarch}
python=${PYTHON:-python3}
game=${GAME:-tri-d}
generations=${GENERATIONS:-3}
games=${GAMES:-400}
first_games=${FIRST_GAMES:-3000}
first_nodes=${FIRST_NODES:-400}
nodes=${NODES:-64}
first_steps=${FIRST_STEPS:-4000}
steps=${STEPS:-1500}
rated_games=${RATED_GAMES:-1500}
rated_nodes=${RATED_NODES:-64}
read -ra train_flags <<<"${TRAIN_FLAGS:---threads 1}"
# On few cores, waiting threads of linear algebra cost more than they gain.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# Plays $3 games of generation $1, the bot $2, with $4 nodes per search; $5 adds keys to `selfplay`.
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
adjudication: {plies_max: 300}
selfplay:
  temperature: [[0, 1.0], [24, 0.3]]
  $5
output: {data: "$folder/data-$1"}
YAML
  "$triarch" run "$folder/play-$1.yaml"
}

# Trains generation $1 for $2 steps at rate $3 on the games of the two (or one) generations before,
# starting from the last one's weights.
train() {
  local model=$folder/model-$1.pt before=$folder/model-$(($1 - 1)).pt.checkpoint
  local data=(--data "$folder/data-$(($1 - 1))")
  [[ $1 -eq 1 ]] || data=(--data "$folder/data-$(($1 - 2))" "${data[@]}")
  if [[ ! -e $model.done ]]; then
    if [[ ! -e $model.checkpoint && -e $before ]]; then
      cp "$before" "$model.checkpoint.tmp"
      mv "$model.checkpoint.tmp" "$model.checkpoint"
    fi
    "$python" "$here/examples/train/train.py" "${data[@]}" --out "$model" --steps "$2" --rate "$3" \
      "${train_flags[@]}" | tee -a "$folder/train-$1.log"
    touch "$model.done"
  fi
}

# Networks need noise, because their policies can be sure of a wrong move; mcts tries all moves.
play 0 "{name: mcts, bot: mcts}" "$first_games" "$first_nodes" ""
train 1 "$first_steps" 3e-3
for ((k = 2; k <= generations; ++k)); do
  play $((k - 1)) "{name: gen-$((k - 1)), bot: torch, model: \"$folder/model-$((k - 1)).pt\"}" \
    "$games" "$nodes" "noise: {alpha: 0.3, share: 0.25}"
  train "$k" "$steps" 1e-3
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
    echo "  - {name: gen-$k, bot: torch, model: \"$folder/model-$k.pt\", nodes: $rated_nodes}"
  done
  echo "anchor: greedy"
  echo "games: $rated_games"
  echo "seed: 7"
  echo "adjudication: {plies_max: 300}"
  echo "output: {db: \"$folder/rated-$generations.db\"}"
} >"$folder/rated-$generations.yaml"
"$triarch" run "$folder/rated-$generations.yaml"
