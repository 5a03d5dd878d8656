#!/usr/bin/env python3
"""Plays random games as fast as one core can, and prints how they end.

    python3 random_play.py [--game three-way] [--games 10000] [--planes bits]
"""

import argparse
import collections
import time

import numpy as np

import triarch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=triarch.GAMES, default="tri-d")
    parser.add_argument("--games", type=int, default=10_000, help="how many to finish at least")
    parser.add_argument("--size", type=int, default=1024, help="games at a time")
    parser.add_argument("--planes", choices=("bytes", "bits"), help="also compute observations")
    options = parser.parse_args()

    env = triarch.vector.Env(options.game, options.size, planes=options.planes)
    env.reset(seed=1)
    endings = collections.Counter()
    first = np.zeros(env.game.seats)
    steps = 0
    began = time.perf_counter()
    while endings.total() < options.games:
        batch = env.step(env.sample())
        steps += options.size
        if batch.ended.any():
            over = batch.ended > 0
            endings.update(batch.ended[over].tolist())
            first += (batch.places[over] == 1).sum(axis=0)
    seconds = time.perf_counter() - began

    print(f"{endings.total()} games, {steps / seconds / 1e6:.2f} million moves per second")
    for number, count in endings.most_common():
        print(f"  {count / endings.total():6.1%}  {triarch.games.TERMINATIONS[number - 1]}")
    for name, wins in zip(env.game.seat_names, first):
        print(f"  {name} was first, alone or with others, in {wins / endings.total():.1%}")


if __name__ == "__main__":
    main()
