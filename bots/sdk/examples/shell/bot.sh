#!/bin/sh
# Plays random legal moves: a bot only needs to read and write lines. It uses no helper and starts
# no program while it plays, so a move takes only a millisecond or two.
set -f
return=$(printf '\r')
variants=" var triumvirate var three-way var tri-d"
seed=1

# Sets seed to the last nine digits of a number: arithmetic has 64 bits and rejects 08.
set_seed() {
  digits=000000000$1
  seed=1${digits#"${digits%?????????}"}
}

# Sets move to one of the arguments.
choose() {
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  shift $((seed / 65536 % $#))
  move=$1
}

while read -r line; do
  line=${line%"$return"}
  case $line in
    uci)
      echo "id name random-sh 1.0"
      echo "option name UCI_Variant type combo default tri-d$variants"
      echo "option name LegalMoves type check default false"
      echo "option name Seed type string default 1"
      echo uciok
      ;;
    isready) echo readyok ;;
    "setoption name Seed value "*) set_seed "${line##* }" ;;
    "go legal "* | "go "*" legal "*)
      # Pass the moves as separate arguments.
      # shellcheck disable=SC2086
      choose ${line#* legal }
      echo "bestmove $move"
      ;;
    go | "go "*)
      echo "error: go without legal moves; LegalMoves must be set" >&2
      exit 1
      ;;
    quit) exit 0 ;;
  esac
done
