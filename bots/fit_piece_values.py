#!/usr/bin/env python3
"""Measures the values of a game's pieces, for its evaluate.cc.

Equal bots play each other from random openings. A few quiet positions are sampled from each game.
For each pair of seats still in, a logistic regression predicts which one finishes first:

  P(i before j) = 1 / (1 + exp(-(sum over t of value_t * (count_i,t - count_j,t) + seat and turn)))

t runs over pawn, knight, bishop, rook and queen, and over the pawns with one, two and three steps
left to promotion, whose coefficients are the extra value of such a pawn. A shared place counts as
half a win. The standard errors are clustered by opening (a sandwich estimator), because the
positions of one game and the games of one opening are not independent.

Needs only Python 3 and the triarch binary. From the root of the repository:

  ./run.sh --build
  bots/fit_piece_values.py --game three-way --games 12000
"""

import argparse
import collections
import math
import multiprocessing.pool
import os
import random
import re
import subprocess
import sys
import tempfile

PIECES = "nbrqp"  # in the order printed
STEPS = (1, 2, 3)
VALUES = ("knight", "bishop", "rook", "queen", "pawn") + tuple(f"pawn+{n}" for n in STEPS)
PAWN = VALUES.index("pawn")

Game = collections.namedtuple("Game", "opening places opening_plies moves")
# A pair of seats in one position: i's share of a win over j, and the columns.
Pair = collections.namedtuple("Pair", "opening seats_in won row")
Fit = collections.namedtuple("Fit", "coefficients covariance")


class Failure(Exception):
    """Ends the script with exit code 1."""


# --- the games ---


def play_games(options, folder):
    """Plays the tournament and returns its games."""
    rules = GAMES[options.game]
    bot = f"bot: {options.bot}, depth: {options.depth}"
    bots = "".join(f"  - {{name: {name}, {bot}}}\n" for name in "abc"[: len(rules.seats)])
    tpgn = os.path.join(folder, "games.tpgn")
    path = os.path.join(folder, "games.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f"game: {options.game}\nbots:\n{bots}games: {options.games}\nseed: {options.seed}\n"
            f"openings: {{random_plies: {options.random_plies}}}\nslots: {options.slots}\n"
            f"output: {{tpgn: {tpgn}}}\n"
        )
    triarch(options, ["run", path])
    with open(tpgn, encoding="utf-8") as file:
        return read_tpgn(file.read(), rules)


def triarch(options, arguments):
    """Runs the binary and returns its output."""
    try:
        done = subprocess.run([options.triarch] + arguments, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{options.triarch}: {error.strerror}") from error
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failure(f"triarch {arguments[0]}: {reason[-1]}")
    return done.stdout


def read_tpgn(text, rules):
    games = []
    for part in re.split(r"\n\n(?=\[Event )", text):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', part, re.MULTILINE))
        body = re.sub(r"\{.*?\}", " ", part[part.index("\n\n") :], flags=re.DOTALL)
        # Drop move numbers, the result, and turns of eliminated or skipped seats.
        moves = [word for word in body.split() if re.match(rules.move, word)]
        games.append(
            Game(
                opening=int(tags["Round"].split(".")[0]),
                places=[int(place) for place in tags["Placement"].split("-")],
                opening_plies=int(tags["OpeningPlies"]),
                moves=moves,
            )
        )
    return games


# --- the positions ---


def choose_plies(game, options, rng):
    """Returns plies before which the position is quiet: no capture just before or after."""
    is_loud = [any(mark in move for mark in "x=#") for move in game.moves]
    quiet = [
        ply
        for ply in range(game.opening_plies + options.settle_plies, len(game.moves) - 2)
        if not any(is_loud[ply - 1 : ply + 3])
    ]
    return sorted(rng.sample(quiet, min(options.positions, len(quiet))))


def replay(game, plies, options):
    """Returns the positions before those plies as text, except those shortly before a capture."""
    texts = []
    last = None  # the position before ply `played`
    played = 0
    for ply in plies:
        for wanted in (ply, ply + 2):
            start = ["--position", last] if last else []
            moves = [move.rstrip("+#") for move in game.moves[played:wanted]]
            command = ["play", "--game", options.game] + start + moves
            text = triarch(options, command).splitlines()[0]
            if wanted == ply:
                texts.append(text)
                last, played = text, ply
            elif GAMES[options.game].count_men(text) != GAMES[options.game].count_men(texts[-1]):
                texts.pop()
            if GAMES[options.game].marks_captures:
                break
    return texts


# --- Three-Way Chess ---


def on_board(q, r, s):
    return max(q, r, s) <= 3 or min(q, r, s) >= -4


def steps_to_promotion(third, row, column, seat):
    """Returns the steps left for a pawn of the seat on that cell (rules, §1 and §2)."""
    a0 = column - 4
    a1 = row - 4 if column < 4 else row - column
    cell = [a0, a1, 3 - column - a1]
    turn = lambda hexagon, times: hexagon[-times:] + hexagon[:-times] if times else hexagon
    cell = turn(cell, third)
    step = turn([0, 1, -1], seat)
    steps = 0
    while on_board(*(cell := [a + b for a, b in zip(cell, step)])):
        steps += 1
    return steps


def count_three_way(hexfen):
    """Returns each seat's counts in the order of VALUES (None if out) and the seat to move."""
    fields = hexfen.split()
    counts = []
    for seat, part in enumerate(fields[:3]):
        count = [0] * len(VALUES)
        row_index = 0
        for row in part.split("/"):
            if row == "X":
                row_index += 4
                continue
            column = 0
            for letter in row:
                if letter.isdigit():
                    column += int(letter)
                    continue
                if letter in PIECES:
                    count[PIECES.index(letter)] += 1
                if letter == "p":
                    left = steps_to_promotion(row_index // 4, row_index % 4, column, seat)
                    if left in STEPS:
                        count[PAWN + left] += 1
                column += 1
            row_index += 1
        counts.append(count if "k" in part else None)
    return counts, "WGB".index(fields[3])


# --- Tri-D chess ---


def tri_d_blocks(tfen):
    """Yields the file, rank and letter of each piece."""
    pins, placement = tfen.split()[:2]
    first_ranks = {"1": 0, "2": 4, "3": 2, "4": 6, "5": 4, "6": 8}
    corners = [(1, 1), (1, 3), (1, 5)] + [
        (0 if pin[0] == "Q" else 4, first_ranks[pin[2]]) for pin in pins.split(",")
    ]
    for (file, rank), block in zip(corners, placement.split("|")):
        rows = block.split("/")
        for i, row in enumerate(rows):
            column = 0
            for letter in row:
                if letter.isdigit():
                    column += int(letter)
                    continue
                yield file + column, rank + len(rows) - 1 - i, letter
                column += 1


def count_tri_d(tfen):
    """Returns each seat's counts in the order of VALUES, and the seat to move."""
    counts = [[0] * len(VALUES) for _ in range(2)]
    for file, rank, letter in tri_d_blocks(tfen):
        seat = 0 if letter.isupper() else 1
        kind = "p" if letter in "Dd" else letter.lower()
        if kind in PIECES:
            counts[seat][PIECES.index(kind)] += 1
        if kind == "p":
            # Files a and d end on rank 8 if no board stands on the corner pin.
            corner = ("QL" if file == 1 else "KL") + ("6" if seat == 0 else "1")
            is_early = file in (1, 4) and corner not in tfen.split()[0].split(",")
            last = 8 if file in (2, 3) or is_early else 9
            left = last - rank if seat == 0 else rank - (9 - last)
            if left in STEPS:
                counts[seat][PAWN + left] += 1
    return counts, "wb".index(tfen.split()[2])


Rules = collections.namedtuple("Rules", "seats move count count_men marks_captures")
GAMES = {
    "three-way": Rules(
        ("White", "Gray", "Black"), r"[a-o]\d", count_three_way, lambda text: 0, True
    ),
    "tri-d": Rules(
        ("White", "Black"),
        r"[a-ez]\d|[QK]L\d|0-0(-0)?[+#]?$",
        count_tri_d,
        lambda text: sum(1 for _ in tri_d_blocks(text)),
        False,
    ),
}


# --- pairs of seats ---


def columns_of(rules):
    """Returns the coefficients' names, except the last seat and turn: each kind sums to 0."""
    turns = ("to move", "next", "last")[: len(rules.seats)]
    return VALUES + rules.seats[:-1] + turns[:-1]


def effect(index, count):
    """Returns the columns of the index-th of `count` terms that sum to 0."""
    if index == count - 1:
        return [-1] * (count - 1)
    return [int(k == index) for k in range(count - 1)]


def pairs_of(game, text, rules):
    counts, on_turn = rules.count(text)
    n = len(rules.seats)
    rows = [
        None if count is None else count + effect(seat, n) + effect((seat - on_turn) % n, n)
        for seat, count in enumerate(counts)
    ]
    seats = [seat for seat in range(n) if rows[seat] is not None]
    pairs = []
    for i in seats:
        for j in seats:
            if i >= j:
                continue
            ahead = game.places[j] - game.places[i]
            won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
            row = [(k, a - b) for k, (a, b) in enumerate(zip(rows[i], rows[j])) if a != b]
            pairs.append(Pair(game.opening, len(seats), won, row))
    return pairs


# --- the regression ---


def invert(matrix, names):
    """Inverts by Gauss-Jordan elimination."""
    n = len(matrix)
    rows = [list(row) + [float(i == k) for k in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        if abs(rows[pivot][i]) < 1e-9:
            raise Failure(f"too few games to estimate the value of a {names[i]}")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                factor = rows[k][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def multiply(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def fit(pairs, names):
    """Maximizes the likelihood by Newton's method; the covariance is clustered by opening."""
    n = len(names)
    beta = [0.0] * n
    for _ in range(30):
        gradient = [0.0] * n
        information = [[0.0] * n for _ in range(n)]
        scores = collections.defaultdict(lambda: [0.0] * n)
        for pair in pairs:
            # Bounded, because a few games may be predicted with certainty.
            odds = max(-50.0, min(50.0, sum(beta[k] * x for k, x in pair.row)))
            p = 1 / (1 + math.exp(-odds))
            weight = p * (1 - p)
            score = scores[pair.opening]
            for k, x in pair.row:
                score[k] += (pair.won - p) * x
                weighted = weight * x
                line = information[k]
                for m, y in pair.row:
                    line[m] += weighted * y
        for score in scores.values():
            gradient = [a + b for a, b in zip(gradient, score)]
        inverse = invert(information, names)
        step = [sum(a * b for a, b in zip(row, gradient)) for row in inverse]
        if max(map(abs, step)) < 1e-8:
            spread = [[0.0] * n for _ in range(n)]
            for score in scores.values():
                for k in range(n):
                    for m in range(n):
                        spread[k][m] += score[k] * score[m]
            return Fit(beta, multiply(multiply(inverse, spread), inverse))
        beta = [a + b for a, b in zip(beta, step)]
    raise Failure("the regression does not converge")


def ratio(result, k, unit):
    """Returns 100 * coefficient k / unit and its standard error; `unit` weights coefficients."""
    beta, covariance = result
    base = sum(w * beta[m] for m, w in unit.items())
    value = 100 * beta[k] / base
    slope = {m: -value * w / base for m, w in unit.items()}
    slope[k] = slope.get(k, 0.0) + 100 / base
    variance = sum(a * b * covariance[m][l] for m, a in slope.items() for l, b in slope.items())
    return value, math.sqrt(max(variance, 0.0))


def term(result, first, count, index):
    """Returns the index-th of `count` terms that sum to 0 (all but one fitted), and its error."""
    beta, covariance = result
    weights = effect(index, count)
    value = sum(w * beta[first + k] for k, w in enumerate(weights))
    variance = sum(
        a * b * covariance[first + k][first + m]
        for k, a in enumerate(weights)
        for m, b in enumerate(weights)
    )
    return value, math.sqrt(variance)


# --- the report ---


def report(pairs, rules):
    groups = [("all positions", pairs)]
    if len(rules.seats) == 3:
        groups.append(("three in", [pair for pair in pairs if pair.seats_in == 3]))
        groups.append(("two in", [pair for pair in pairs if pair.seats_in == 2]))
    fits = [(name, group, fit(group, columns_of(rules))) for name, group in groups]
    print("\nHundredths of a pawn, with standard errors; pawn+N is the extra value of a pawn")
    print("N steps from promotion")
    print(f"{'':12}" + "".join(f"{name:>18}" for name, _, _ in fits))
    for k, name in sorted(enumerate(VALUES), key=lambda item: (item[0] != PAWN, item[0])):
        cells = (ratio(result, k, {PAWN: 1.0}) for _, _, result in fits)
        print(f"{name:12}" + "".join(f"{value:>11.0f} ±{error:>5.0f}" for value, error in cells))

    print("\nLog odds of finishing first of two")
    cells = ((r.coefficients[PAWN], math.sqrt(r.covariance[PAWN][PAWN])) for _, _, r in fits)
    print(f"{'a pawn':12}" + "".join(f"{v:>11.3f} ±{e:>5.3f}" for v, e in cells))
    n = len(rules.seats)
    turns = ("to move", "next", "last")[:n]
    for first, names in ((len(VALUES), rules.seats), (len(VALUES) + n - 1, turns)):
        for index, name in enumerate(names):
            cells = (term(result, first, n, index) for _, _, result in fits)
            print(f"{name:12}" + "".join(f"{v:>11.3f} ±{e:>5.3f}" for v, e in cells))
    print(f"{'pairs':12}" + "".join(f"{len(group):>18}" for _, group, _ in fits))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Measures the values of a game's pieces by self-play."
    )
    add = parser.add_argument
    add("--game", default="three-way", choices=GAMES, help="(default: %(default)s)")
    add("--triarch", default="build/release/triarch", help="the binary (default: %(default)s)")
    add("--bot", default="paranoid", choices=("paranoid", "maxn"), help="(default: %(default)s)")
    add("--depth", type=int, default=2, help="depth of the bots (default: %(default)s)")
    add("--games", type=int, default=12000, help="(default: %(default)s)")
    add("--seed", type=int, default=1, help="(default: %(default)s)")
    add("--random-plies", type=int, default=8, help="plies of each opening (default: %(default)s)")
    add("--settle-plies", type=int, default=6, help="plies to skip after it (default: %(default)s)")
    add("--positions", type=int, default=4, help="maximum per game (default: %(default)s)")
    add("--slots", type=int, default=os.cpu_count(), help="parallel games (default: one per core)")
    options = parser.parse_args()
    for name in ("depth", "games", "positions", "slots"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1")
    if options.random_plies < 0 or options.settle_plies < 1 or options.seed < 0:
        parser.error("--seed and --random-plies must be at least 0, --settle-plies at least 1")
    return options


def main():
    options = parse_arguments()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        games = play_games(options, folder)
    plies = [choose_plies(game, options, rng) for game in games]
    # Threads suffice: each only waits for the binary.
    with multiprocessing.pool.ThreadPool(options.slots) as pool:
        replayed = pool.starmap(replay, [(g, p, options) for g, p in zip(games, plies)])
    pairs = []
    for game, positions in zip(games, replayed):
        for text in positions:
            pairs += pairs_of(game, text, GAMES[options.game])
    if not pairs:
        raise Failure("these games have no quiet positions")
    print(
        f"{options.bot} at depth {options.depth}: {len(games)} games, {sum(map(len, replayed))} "
        f"positions, {len(pairs)} pairs of seats"
    )
    report(pairs, GAMES[options.game])


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
