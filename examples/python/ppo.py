#!/usr/bin/env python3
"""Trains a network for Tri-D by playing against itself (proximal policy optimisation), then plays it
against a bundled bot.

    python3 ppo.py --minutes 1 10 --opponents random greedy

Needs python3-torch.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import triarch

GAME = triarch.find_game("tri-d")
INPUTS = len(GAME.plane_names) * GAME.cells + 1  # and the clock
BOARD_MOVES = 4 * GAME.cells ** 2  # the first policy index of a board's move
WIDTH, KEYS = 128, 8
STEPS, EPOCHS, BATCH = 32, 2, 512  # moves between two updates; passes over them; and their parts
LAMBDA = 0.9     # how far rewards reach back, beside what the values say
ENTROPY = 0.01   # keeps the policy from settling too early
CLIP = 0.2       # how much an update may change the policy
SHAPING = 0.5    # the reward for a queen
VALUES = np.array([1, 3, 3, 5, 9, 0], np.float32)  # pawn … king


class Network(nn.Module):
    """Scores each legal move by how well its two cells fit together, and estimates the reward."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(INPUTS, WIDTH), nn.ReLU(),
                                   nn.Linear(WIDTH, WIDTH), nn.ReLU())
        self.begin = nn.Linear(WIDTH, GAME.cells * KEYS)
        self.end = nn.Linear(WIDTH, GAME.cells * KEYS)
        self.promotion = nn.Linear(WIDTH, 4)
        self.boards = nn.Linear(WIDTH, GAME.policy_size - BOARD_MOVES)
        self.value = nn.Linear(WIDTH, 1)

    def forward(self, planes, legal):
        """Returns the logits of `legal`, policy indices [N, L] (-1: none), and the mover's expected
        reward [N]."""
        x = self.trunk(planes)
        row = torch.arange(len(x))[:, None]
        of_board = legal >= BOARD_MOVES
        move = torch.where(of_board, 0, legal.clamp(min=0))
        begin = self.begin(x).view(-1, GAME.cells, KEYS)[row, move // GAME.cells % GAME.cells]
        end = self.end(x).view(-1, GAME.cells, KEYS)[row, move % GAME.cells]
        logits = ((begin * end).sum(2) / KEYS ** 0.5
                  + self.promotion(x).gather(1, move // GAME.cells ** 2))
        boards = self.boards(x).gather(1, (legal - BOARD_MOVES).clamp(min=0))
        logits = torch.where(of_board, boards, logits).masked_fill(legal < 0, -1e9)
        return logits, self.value(x).squeeze(1)


def inputs(batch, rows=None):
    """Returns the network's input for some games: planes and clock, and the legal moves."""
    rows = np.arange(len(batch.seat)) if rows is None else rows
    planes = batch.planes[rows].reshape(-1, INPUTS - 1).astype(np.float32)
    counts = batch.counts()[rows]
    column = np.arange(counts.max())
    place = batch.legal_offsets[rows, None].astype(np.int64) + column
    legal = np.where(column < counts[:, None],
                     batch.legal[np.minimum(place, len(batch.legal) - 1)].astype(np.int64), -1)
    clock = batch.clock[rows, None] / np.float32(255)
    return torch.from_numpy(np.hstack([planes, clock])), torch.from_numpy(legal)


def material(batch):
    """Returns the mover's lead in material, in queens."""
    own, other = batch.planes[:, :6].sum(2), batch.planes[:, 6:12].sum(2)
    return torch.from_numpy((own.astype(np.float32) - other) @ VALUES / VALUES[4])


def play(network, env, batch):
    """Plays STEPS moves in all games. Returns the samples of an update, and the last batch."""
    kept = []
    for _ in range(STEPS):
        x, seat, lead = inputs(batch), batch.seat.copy(), material(batch)
        with torch.no_grad():
            logits, value = network(*x)
        # The highest logit plus Gumbel noise is a sample of the policy.
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        action = (logits + noise).argmax(1, keepdim=True)
        chosen = torch.log_softmax(logits, 1).gather(1, action)
        batch = env.step(x[1].gather(1, action).squeeze(1).numpy())
        # What is good for one player is bad for the other.
        sign = torch.from_numpy(np.where(batch.seat == seat, 1, -1).astype(np.float32))
        sign *= torch.from_numpy(batch.ended == 0)
        reward = torch.from_numpy(batch.rewards[np.arange(env.n), seat])
        # Winning material is rewarded at once, and paid back when the game ends.
        reward = reward + SHAPING * (sign * material(batch) - lead)
        kept.append((*x, action, chosen, value, reward, sign))
    with torch.no_grad():
        following = network(*inputs(batch))[1]
    gain = torch.zeros(env.n)
    samples = []
    width = max(legal.shape[1] for _, legal, *_ in kept)
    for planes, legal, action, chosen, value, reward, sign in reversed(kept):
        gain = reward + sign * following - value + LAMBDA * sign * gain
        legal = nn.functional.pad(legal, (0, width - legal.shape[1]), value=-1)
        samples.append((planes, legal, action, chosen, gain, gain + value))
        following = value
    return [torch.cat(column) for column in zip(*samples)], batch


def update(network, optimizer, samples):
    """Makes the moves that gained more than expected likelier (PPO)."""
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(samples[0])).split(BATCH):
            planes, legal, action, before, gain, target = (column[rows] for column in samples)
            logits, value = network(planes, legal)
            log_policy = torch.log_softmax(logits, 1)
            ratio = (log_policy.gather(1, action) - before).exp().squeeze(1)
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            better = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            entropy = -(log_policy.exp() * log_policy).sum(1)
            loss = (-better - ENTROPY * entropy + (value - target) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1)
            optimizer.step()


def match(network, opponent, games, seed):
    """Plays the network's best moves, after a few random ones, against a bundled bot, half of the
    games from each seat. Returns "62.5% (100 wins, 50 draws, 50 losses)"."""
    env = triarch.vector.Env("tri-d", games, planes="bytes", resets=False)
    batch = env.reset(seed=seed)
    for _ in range(4):
        batch = env.step(env.sample())
    bots = [triarch.bot(opponent, seed=seed + i) for i in range(games)]
    mine = np.arange(games) % 2
    score = np.full(games, np.nan)
    while np.isnan(score).any():
        actions = np.full(games, triarch.vector.NONE, np.uint16)
        for is_mine, rows in env.groups([[True, False], [False, True]] * (games // 2)):
            rows = rows[np.isnan(score[rows])]
            if is_mine and len(rows):
                with torch.no_grad():
                    x = inputs(batch, rows)
                    best = network(*x)[0].argmax(1, keepdim=True)
                actions[rows] = x[1].gather(1, best).squeeze(1).numpy()
            for row in [] if is_mine else rows:
                state = env.state(row)
                move = bots[row].choose(state)
                actions[row] = triarch.data.rotation("tri-d", state.to_move).policy[move.index]
        batch = env.step(actions)
        over = batch.ended > 0
        score[over] = (1 + batch.rewards[over, mine[over]]) / 2
    won, lost = (score == 1).sum(), (score == 0).sum()
    return f"{score.mean():.1%} ({won} wins, {games - won - lost} draws, {lost} losses)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, nargs="+", default=[1],
                        help="of training, after which it plays matches")
    parser.add_argument("--opponents", nargs="+", default=["random"], help="bundled bots")
    parser.add_argument("--games", type=int, default=200, help="of a match")
    parser.add_argument("--size", type=int, default=128, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    env = triarch.vector.Env("tri-d", options.size, planes="bytes")
    batch = env.reset(seed=options.seed)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    trained = 0.0
    moves = 0
    for minutes in [0] + sorted(options.minutes):
        while trained < 60 * minutes:
            began = time.monotonic()
            samples, batch = play(network, env, batch)
            update(network, optimizer, samples)
            moves += STEPS * options.size
            trained += time.monotonic() - began
        for opponent in options.opponents:
            print(f"after {minutes:g} minutes and {moves} moves: "
                  f"{match(network, opponent, options.games, 7)} against {opponent}", flush=True)


if __name__ == "__main__":
    main()
