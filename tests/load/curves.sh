#!/usr/bin/env bash
# Measures how cost grows with load, and draws the curves of docs/performance.md:
#   tests/load/curves.sh [FOLDER] [GAMES_MAX]
# Writes load-*.svg into FOLDER (docs/images if not given). Takes about ten minutes with the default
# GAMES_MAX of 10000000. Needs gnuplot and a release build with triarch-standings-load.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
images=$(realpath -m "${1:-docs/images}")
games_max=${2:-10000000}
triarch=$PWD/build/release/triarch
standings_load=$PWD/build/release/tests/load/triarch-standings-load
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$images"
cd "$work"

# Prints the seconds that the command takes, the least of three runs: `wall` time or, for steps whose
# threads need not be counted, `cpu` time.
seconds() {
  local TIMEFORMAT="%R %U %S" of=$1
  shift
  for _ in 1 2 3; do
    { time "$@" >/dev/null 2>run.err; } 2>time.txt || { cat run.err >&2; exit 1; }
    awk -v of="$of" '{ print of == "wall" ? $1 : $2 + $3 }' time.txt
  done | sort -g | head -n 1
}

# Plays a tournament of random bots from scratch: play BOTS GAMES PLIES_MAX SLOTS
play() {
  rm -f games.db*
  {
    echo "game: triumvirate"
    echo "bots:"
    for i in $(seq "$1"); do echo "  - {name: r$i, bot: random}"; done
    echo "games: $2"
    echo "adjudication: {plies_max: $3}"
    echo "output: {db: games.db}"
  } >games.yaml
  "$triarch" run --slots "$4" games.yaml
}

echo "games in one database"
before=0
for ((n = 100; n <= games_max; n *= 10)); do
  "$standings_load" many.db --games "$n" >times.txt
  awk -v n="$n" -v more=$((n - before)) '
    { cpu[$1] = $(NF - 5) }
    END { print n, cpu["a"], cpu["standings"], 1e6 * cpu["recording"] / more }' times.txt
  before=$n
done | tee games.dat

echo "bots (5000 games of at most 200 plies)"
for n in 3 10 30 100 300; do
  took=$(seconds cpu play "$n" 5000 200 1)
  standings=$(seconds cpu "$triarch" standings --db games.db)
  echo "$n $took $standings"
done | tee bots.dat

echo "slots (5000 games of at most 200 plies)"
for n in 1 2 4 8 16 32 64; do
  took=$(seconds wall play 3 5000 200 "$n")
  echo "$n $took"
done | tee slots.dat

echo "plies per game (5000 games)"
for n in 50 100 200 400 800 1200; do
  # The games' own length, because many end before the limit.
  took=$(seconds cpu play 3 5000 "$n" 1)
  plies=$("$triarch" games --db games.db --json | grep -o '"plies":[0-9]*' |
    awk -F: '{ n += $2 } END { print n / NR }')
  echo "$plies $took"
done | tee plies.dat

draw() {
  gnuplot -e "set terminal svg size 480,320 font 'sans-serif,11' background 'white'" \
    -e "set output '$images/load-$1.svg'; set key left top; set grid; set offsets 0,0,0,0" \
    -e "set yrange [0:*]" -e "$2"
}
style="with linespoints pointtype 7 pointsize 0.5"
draw games "set logscale x; set xlabel 'games in the database'; set ylabel 'CPU seconds';
  plot 'games.dat' using 1:2 $style title 'restart', '' using 1:3 $style title 'standings'"
draw recording "set logscale x; set xlabel 'games in the database'; set ylabel 'CPU µs per game';
  plot 'games.dat' using 1:4 $style notitle"
draw bots "set logscale x; set xlabel 'bots'; set ylabel 'CPU seconds';
  plot 'bots.dat' using 1:2 $style title '5000 games', '' using 1:3 $style title 'standings'"
draw slots "set logscale x 2; set xlabel 'slots'; set ylabel 'games/s';
  plot 'slots.dat' using 1:(5000/\$2) $style notitle"
draw plies "set xlabel 'plies per game'; set ylabel 'ms per game';
  plot 'plies.dat' using 1:(\$2/5) $style notitle"
