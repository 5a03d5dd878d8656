#!/usr/bin/env python3
"""Trains a network for the searchers from self-play data, and writes it as integers.

  nnue.py --triarch build/release/triarch --data DIR... --out tri-d.net

`triarch data features` replays the games and shuffles the samples. The network (docs/nnue.md) learns
the points that each seat may expect: a mix of what the search at that move said and of the result.
A checkpoint beside the output, FILE.checkpoint, lets the same command go on after an interruption;
the result is the same. Needs python3-torch and python3-numpy.
"""
import argparse
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import time

import numpy as np
import torch
from torch.nn import functional

ROW = np.dtype([("features", "<u2", 64), ("points", "<f4", 3), ("value", "<f4", 3), ("in", "u1"),
                ("seat", "u1"), ("ply", "<u2")])
HIDDEN = 32
# As in bots/nnue/network.h.
ONE, WEIGHT_ONE = 255, 64
FEATURE_MAX, WEIGHT_MAX = 500, 2000


class Feed:
    """The rows of `triarch data features`, in batches, read ahead by a thread."""

    def __init__(self, args):
        command = [args.triarch, "data", "features", *args.data, "--seed", str(args.seed),
                   "--passes", str(args.passes), "--threads", str(args.feed_threads)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE)
        line = self._process.stdout.readline()
        if not line:
            sys.exit(self._process.wait() or 1)
        self.header = json.loads(line)
        if self.header["row_bytes"] != ROW.itemsize:
            sys.exit("nnue.py: the program writes other rows; use the nnue.py that came with it")
        self.seats, self.features = self.header["seats"], self.header["features"]
        views = self._process.stdout.read(2 * self.seats * self.features)
        self.views = np.frombuffer(views, "<u2").astype(np.int64).reshape(self.seats, -1)
        self._batch = args.batch
        self._queue = queue.Queue(16)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            block = self._process.stdout.read(self._batch * ROW.itemsize)
            if len(block) < self._batch * ROW.itemsize:
                break
            self._queue.put(np.frombuffer(block, ROW))
        self._queue.put(None)

    def next(self):
        """Returns the next batch, or None at the end."""
        return self._queue.get()

    def close(self):
        """Waits for the program, whose last samples did not fill a batch."""
        while self._queue.get() is not None:
            pass
        status = self._process.wait()
        if status != 0:
            sys.exit(status)


class Network(torch.nn.Module):
    """The network in floating point; `views` maps features to those of each seat."""

    def __init__(self, views, accumulator):
        super().__init__()
        seats, features = views.shape
        self.none = features
        padded = np.concatenate([views, np.full((seats, 1), features)], 1)
        self.register_buffer("views", torch.from_numpy(padded), persistent=False)
        self.rows = torch.nn.Parameter(torch.empty(features + 1, accumulator).normal_(0, 0.05))
        self.rows.data[features] = 0
        self.bias = torch.nn.Parameter(torch.full((accumulator,), 0.1))
        self.hidden = torch.nn.Linear(accumulator, HIDDEN)
        self.output = torch.nn.Linear(HIDDEN, 1)

    def forward(self, features):
        """Returns the standing of each seat, [batch, seats]; 1 is 600 hundredths of a pawn."""
        seats = len(self.views)
        seen = self.views[:, features].reshape(-1, features.shape[1])
        sums = functional.embedding_bag(seen, self.rows, mode="sum", padding_idx=self.none)
        a = torch.clamp(sums + self.bias, 0, 1)
        h = torch.clamp(self.hidden(a), 0, 1)
        return self.output(h).view(seats, -1).t()

    def clamp(self):
        """Keeps the weights within what integers hold."""
        with torch.no_grad():
            self.rows.clamp_(-FEATURE_MAX / ONE, FEATURE_MAX / ONE)
            self.bias.clamp_(-FEATURE_MAX / ONE, FEATURE_MAX / ONE)
            for layer in (self.hidden, self.output):
                layer.weight.clamp_(-WEIGHT_MAX / WEIGHT_ONE, WEIGHT_MAX / WEIGHT_ONE)

    def integers(self):
        """Returns the arrays of the file, in its order."""
        def scaled(weights, one, kind):
            return np.round(weights.detach().cpu().numpy().astype(np.float64) * one).astype(kind)
        return [scaled(self.rows[:self.none], ONE, "<i2"), scaled(self.bias, ONE, "<i2"),
                scaled(self.hidden.weight, WEIGHT_ONE, "<i2"),
                scaled(self.hidden.bias, ONE * WEIGHT_ONE, "<i4"),
                scaled(self.output.weight[0], WEIGHT_ONE, "<i2"),
                scaled(self.output.bias, ONE * WEIGHT_ONE, "<i4")]

    def load_integers(self, path):
        """Begins with the weights of a file."""
        with open(path, "rb") as file:
            data = file.read()
        first, line, rest = data.split(b"\n", 2)
        info = json.loads(line)
        width = self.bias.numel()
        if first != b"triarch-net 1" or (info["features"], info["accumulator"]) != (self.none, width):
            sys.exit(f"nnue.py: {path} is no network with {self.none} features and an accumulator "
                     f"of {width}")
        def take(count, kind, one):
            nonlocal rest
            size = count * np.dtype(kind).itemsize
            numbers, rest = np.frombuffer(rest[:size], kind), rest[size:]
            return torch.from_numpy(numbers.astype(np.float32) / one)
        with torch.no_grad():
            self.rows[:self.none] = take(self.none * width, "<i2", ONE).view(-1, width)
            self.bias.copy_(take(width, "<i2", ONE))
            self.hidden.weight.copy_(take(HIDDEN * width, "<i2", WEIGHT_ONE).view(-1, width))
            self.hidden.bias.copy_(take(HIDDEN, "<i4", ONE * WEIGHT_ONE))
            self.output.weight[0] = take(HIDDEN, "<i2", WEIGHT_ONE)
            self.output.bias.copy_(take(1, "<i4", ONE * WEIGHT_ONE))


def points_of(standings, inside):
    """Returns each seat's points from the standings, as bots/search/points.h does (sum: seats / 2)."""
    lead = standings[:, :, None] - standings[:, None, :]
    chance = 0.5 + 0.48 * lead / torch.sqrt(lead * lead + 1)
    settled = 0.5 + 0.5 * (inside[:, :, None] - inside[:, None, :])
    both = inside[:, :, None] * inside[:, None, :]
    pairs = both * chance + (1 - both) * settled
    seats = standings.shape[1]
    pairs = pairs * (1 - torch.eye(seats, device=standings.device))
    return pairs.sum(2) / (seats - 1)


def tensors(batch, seats, none, result_share, device):
    """Returns features, target points and who is in."""
    features = torch.from_numpy(batch["features"].astype(np.int64)).to(device, non_blocking=True)
    features = torch.where(features == 0xffff, none, features)
    points = torch.from_numpy(batch["points"][:, :seats].copy()).to(device)
    value = torch.from_numpy(batch["value"][:, :seats].copy()).to(device)
    mixed = result_share * points + (1 - result_share) * value
    target = torch.where(torch.isnan(value), points, mixed) * (seats / 2)
    inside = (batch["in"][:, None] >> np.arange(seats)) & 1
    return features, target, torch.from_numpy(inside.astype(np.float32)).to(device)


def integer_standings(arrays, views, features):
    """Computes the standings as bots/nnue/network.cc does, in hundredths of a pawn."""
    rows, bias, hidden, hidden_bias, output, output_bias = [array.astype(np.int64)
                                                            for array in arrays]
    rows = np.concatenate([rows, np.zeros((1, rows.shape[1]), np.int64)])
    standings = []
    for view in views:
        sums = rows[view[features]].sum(1) + bias
        a = np.clip(sums, 0, ONE)
        h = np.clip((a @ hidden.T + hidden_bias) // WEIGHT_ONE, 0, ONE)
        out = h @ output + output_bias
        standings.append(np.trunc(out * 600 / (ONE * WEIGHT_ONE)))
    return np.stack(standings, 1)


def check_integers(network, batch, seats):
    """Returns the mean and the greatest difference in points between float and integer."""
    features, _, inside = tensors(batch, seats, network.none, 0, "cpu")
    network = network.cpu()
    with torch.no_grad():
        exact = points_of(network(features), inside)
    whole = integer_standings(network.integers(), network.views.numpy(), features.numpy())
    rounded = points_of(torch.from_numpy(whole / 600).float(), inside)
    difference = (exact - rounded).abs()
    return difference.mean().item(), difference.max().item()


def write_network(network, info, path):
    body = b"triarch-net 1\n" + json.dumps(info).encode() + b"\n"
    body += b"".join(array.tobytes() for array in network.integers())
    with open(path + ".tmp", "wb") as file:
        file.write(body + hashlib.sha256(body).hexdigest().encode())
    os.replace(path + ".tmp", path)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--triarch", default="triarch", help="the program")
    parser.add_argument("--data", nargs="+", required=True, help="folders of self-play data")
    parser.add_argument("--out", required=True, help="the network to write")
    parser.add_argument("--start", help="begin with the weights of this network")
    parser.add_argument("--accumulator", type=int, default=128)
    parser.add_argument("--passes", type=int, default=1, help="how often each sample is learnt")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=0.002, help="the highest learning rate")
    parser.add_argument("--result-share", type=float, default=0.3,
                        help="weight of the result in the target; the rest is the search's value")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--feed-threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint-seconds", type=float, default=60,
                        help="how often to write FILE.checkpoint")
    parser.add_argument("--note", default="", help="a remark for the network's description")
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    feed = Feed(args)
    seats = feed.seats
    steps = feed.header["rows"] // args.batch
    if steps < 100:
        sys.exit(f"nnue.py: {feed.header['rows']} samples are too few; expected at least "
                 f"{100 * args.batch} (100 batches)")
    network = Network(feed.views, args.accumulator)
    if args.start:
        network.load_integers(args.start)
    network = network.to(args.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.rate, total_steps=steps, pct_start=0.05, final_div_factor=50)
    step = 0
    saved = args.out + ".checkpoint"
    if os.path.exists(saved):
        state = torch.load(saved, map_location=args.device)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        step = state["step"]
        print(f"going on after step {step}", flush=True)
        for _ in range(step):
            feed.next()
    print(f"{feed.header['game']}: {feed.header['rows']:,} samples, {steps} steps of {args.batch}",
          flush=True)
    began, began_at, saved_at, loss_sum, count = time.time(), step, time.time(), 0.0, 0
    batch = None
    while step < steps:
        taken = feed.next()
        if taken is None:
            break
        batch = taken
        features, target, inside = tensors(batch, seats, network.none, args.result_share,
                                           args.device)
        loss = ((points_of(network(features), inside) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        network.clamp()
        step += 1
        if step % 20 == 0:
            loss_sum, count = loss_sum + loss.item(), count + 1
        if step % 200 == 0 or step == steps:
            speed = (step - began_at) * args.batch / (time.time() - began)
            print(f"step {step} of {steps}, loss {loss_sum / max(count, 1):.5f}, "
                  f"{speed:,.0f} samples/s", flush=True)
            loss_sum, count = 0.0, 0
        if time.time() - saved_at >= args.checkpoint_seconds and step < steps:
            torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(),
                        "schedule": schedule.state_dict(), "step": step}, saved + ".tmp")
            os.replace(saved + ".tmp", saved)
            saved_at = time.time()
    if batch is None or step < steps:
        sys.exit("nnue.py: the samples ended early")
    feed.close()
    mean, most = check_integers(network, batch, seats)
    print(f"integers differ from floating point by {mean:.5f} points on average, {most:.5f} at most",
          flush=True)
    if mean > 0.01:
        sys.exit("nnue.py: that is too much; expected at most 0.01 on average")
    info = {"game": feed.header["game"], "features": feed.features, "accumulator": args.accumulator,
            "hidden": HIDDEN, "samples": feed.header["rows"] // args.passes,
            "passes": args.passes, "batch": args.batch, "rate": args.rate,
            "result_share": args.result_share, "seed": args.seed}
    if args.note:
        info["note"] = args.note
    write_network(network, info, args.out)
    if os.path.exists(saved):
        os.remove(saved)
    print(f"{args.out}: {os.path.getsize(args.out):,} bytes", flush=True)


if __name__ == "__main__":
    main()
