"""Measures the speed of the package: python3 -m triarch.bench [GAME…]

Each figure is the best of five runs on one core, with random legal moves.
"""

import random
import sys
import time

from . import GAMES, State, TriarchError, env, vector


def _best(run, rounds=5):
    """Returns the most steps per second; `run` returns its number of steps."""
    best = 0.0
    for _ in range(rounds):
        began = time.perf_counter()
        steps = run()
        best = max(best, steps / (time.perf_counter() - began))
    return best


def _batch(game, **forms):
    games = vector.Env(game, 1024, **forms)
    games.reset(seed=1)

    def run():
        for _ in range(100):
            games.step(games.sample())
        return 100 * games.n
    return _best(run)


def _single(game):
    state = State(game)
    choose = random.Random(1)
    played = []
    while not state.is_over:
        played.append(choose.choice(state.legal_moves()))
        state.play(played[-1])

    def run():
        again = State(game)
        for move in played:
            again.play(move)
            again.legal_moves()
        return len(played)
    return _best(run, 20)


def _aec(game, observe):
    one = env.env(game)
    choose = random.Random(1)

    def run():
        steps = 0
        while steps < 5000:
            one.reset()
            for _ in one.agent_iter():
                _, _, termination, truncation, info = one.last(observe)
                legal = info.get("legal")
                one.step(None if termination or truncation else
                         legal[choose.randrange(len(legal))])
                steps += 1
        return steps
    return _best(run)


def main():
    names = sys.argv[1:] or GAMES
    unknown = [name for name in names if name not in GAMES]
    if unknown:
        sys.exit(f"error: unknown game {unknown[0]!r}; known: {', '.join(GAMES)}")
    measures = (("batch of 1024, indices", lambda game: _batch(game)),
                ("  and planes as bytes", lambda game: _batch(game, planes="bytes")),
                ("  and planes as bits", lambda game: _batch(game, planes="bits")),
                ("  and legal moves as bits", lambda game: _batch(game, legal="bits")),
                ("  and a mask", lambda game: _batch(game, legal="mask")),
                ("AEC loop", lambda game: _aec(game, True)),
                ("  without observations", lambda game: _aec(game, False)),
                ("State.play + legal_moves", _single))
    print(f"{'thousand steps per second':28}" + "".join(f"{name:>14}" for name in names))
    for title, measure in measures:
        print(f"{title:28}" + "".join(f"{measure(name) / 1e3:14.0f}" for name in names),
              flush=True)


if __name__ == "__main__":
    try:
        main()
    except TriarchError as error:
        sys.exit(f"error: {error}")
