#!/usr/bin/env python3
"""Trains a network for the searchers from self-play data, and writes it as integers.

  nnue.py --triarch build/release/triarch --data DIR... --out tri-d.net

`triarch data features` replays the games and shuffles the samples. The network (docs/nnue.md)
learns the points that each seat may expect: a mix of what the search at that move said and of the
result. It learns only from quiet positions, because a search looks at captures itself.
A checkpoint beside the output, FILE.checkpoint, lets the same command go on after an interruption;
the result is the same. Needs python3-torch and python3-numpy.
"""
import argparse
import hashlib
import json
import math
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
QUIET = 0x80
HIDDEN = 16
# As in bots/nnue/network.h.
ONE, WEIGHT_ONE = 255, 256
FEATURE_MAX, WEIGHT_MAX = 500, 7500


class Batch:
    """Rows, with the share of all rows read so far, and for a processor their features as `Sum`
    takes them."""

    def __init__(self, rows, features, share, device):
        self.rows = rows
        self.share = share
        self._features = features
        if device == "cpu":
            self._lists = self._lists_of_features()

    def inputs(self, device):
        """Returns what Network.forward takes."""
        if device == "cpu":
            return self._lists
        features = torch.from_numpy(self.rows["features"].view(np.int16)).to(device)
        features = (features.long() & 0xffff).clamp_(max=self._features)
        is_set = torch.zeros(len(self.rows), self._features + 1, device=device)
        return is_set.scatter_(1, features, 1)[:, :-1]

    def _lists_of_features(self):
        rows, features = self.rows, self._features
        is_feature = rows["features"] != 0xffff
        counts = is_feature.sum(1)
        flat = rows["features"][is_feature]
        samples = np.repeat(np.arange(len(rows), dtype=np.int32), counts)
        starts = np.zeros(len(rows), np.int32)
        np.cumsum(counts[:-1], out=starts[1:])
        of_feature = np.zeros(features, np.int32)
        np.cumsum(np.bincount(flat, minlength=features)[:-1], out=of_feature[1:])
        return [torch.from_numpy(array) for array in (
            flat.astype(np.int32), starts, samples[np.argsort(flat, kind="stable")], of_feature)]


class Sum(torch.autograd.Function):
    """Adds up the rows of each sample's features. The gradient of a feature is likewise the sum of
    those of its samples, which is much faster than what embedding_bag does for a gradient."""

    @staticmethod
    def forward(context, weights, features, starts, samples, of_feature):
        context.save_for_backward(samples, of_feature)
        return functional.embedding_bag(features, weights, starts, mode="sum")

    @staticmethod
    def backward(context, gradient):
        samples, of_feature = context.saved_tensors
        return functional.embedding_bag(samples, gradient, of_feature, mode="sum"), *[None] * 4


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
        self._device = args.device
        self._queue = queue.Queue(16)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        kept = np.empty(0, ROW)
        count = 0
        while block := self._process.stdout.read(self._batch * ROW.itemsize):
            rows = np.frombuffer(block[:len(block) // ROW.itemsize * ROW.itemsize], ROW)
            count += len(rows)
            kept = np.concatenate([kept, rows[rows["in"] & QUIET != 0]])
            if len(kept) >= self._batch:
                self._queue.put(Batch(kept[:self._batch], self.features,
                                      count / self.header["rows"], self._device))
                kept = kept[self._batch:]
        self._queue.put(None)

    def next(self):
        """Returns the next batch, or None at the end."""
        return self._queue.get()

    def close(self):
        """Waits for the program, and ends with it if it failed."""
        status = self._process.wait()
        if status != 0:
            sys.exit(status)


class Network(torch.nn.Module):
    """The network in floating point; `views` maps features to those of each seat."""

    def __init__(self, views, accumulator):
        super().__init__()
        features = views.shape[1]
        self.register_buffer("views", torch.from_numpy(views), persistent=False)
        self.rows = torch.nn.Parameter(torch.empty(features, accumulator).normal_(0, 0.05))
        self.bias = torch.nn.Parameter(torch.full((accumulator,), 0.1))
        self.hidden = torch.nn.Linear(accumulator, HIDDEN)
        self.output = torch.nn.Linear(HIDDEN, len(views) - 1)

    def forward(self, inputs):
        """Returns each seat's leads over the next seat and the one after it, [batch, seats, seats
        - 1]; 1 is 600 hundredths of a pawn."""
        leads = []
        for view in self.views:
            rows = self.rows[view]
            # For a GPU the inputs are zeros and ones.
            sums = inputs @ rows if torch.is_tensor(inputs) else Sum.apply(rows, *inputs)
            a = torch.clamp(sums + self.bias, 0, 1)
            h = torch.clamp(self.hidden(a), 0, 1)
            leads.append(self.output(h))
        return torch.stack(leads, 1)

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
        return [scaled(self.rows, ONE, "<i2"), scaled(self.bias, ONE, "<i2"),
                scaled(self.hidden.weight, WEIGHT_ONE, "<i2"),
                scaled(self.hidden.bias, ONE * WEIGHT_ONE, "<i4"),
                scaled(self.output.weight, WEIGHT_ONE, "<i2"),
                scaled(self.output.bias, ONE * WEIGHT_ONE, "<i4")]

    def load_integers(self, path):
        """Begins with the weights of a file."""
        with open(path, "rb") as file:
            data = file.read()
        first, line, rest = data.split(b"\n", 2)
        info = json.loads(line)
        features, width = self.rows.shape
        sizes = info["features"], info["accumulator"], info["hidden"]
        outputs = len(self.output.bias)
        if first != b"triarch-net 1" or sizes != (features, width, HIDDEN):
            sys.exit(f"nnue.py: {path} is no network with {features} features, an accumulator of "
                     f"{width} and {HIDDEN} hidden units")
        def take(count, kind, one):
            nonlocal rest
            size = count * np.dtype(kind).itemsize
            numbers, rest = np.frombuffer(rest[:size], kind), rest[size:]
            return torch.from_numpy(numbers.astype(np.float32) / one)
        with torch.no_grad():
            self.rows.copy_(take(features * width, "<i2", ONE).view(-1, width))
            self.bias.copy_(take(width, "<i2", ONE))
            self.hidden.weight.copy_(take(HIDDEN * width, "<i2", WEIGHT_ONE).view(-1, width))
            self.hidden.bias.copy_(take(HIDDEN, "<i4", ONE * WEIGHT_ONE))
            self.output.weight.copy_(take(outputs * HIDDEN, "<i2", WEIGHT_ONE).view(-1, HIDDEN))
            self.output.bias.copy_(take(outputs, "<i4", ONE * WEIGHT_ONE))


def points_of(leads, inside):
    """Returns each seat's points from its own leads, as bots/search/points.h does."""
    chance = 0.5 + 0.48 * leads / torch.sqrt(leads * leads + 1)
    mine = inside[:, :, None]
    others = torch.stack([torch.roll(inside, -i, 1) for i in range(1, leads.shape[1])], 2)
    settled = 0.5 + 0.5 * (mine - others)
    return (mine * others * chance + (1 - mine * others) * settled).mean(2)


def tensors(batch, seats, result_share, device):
    """Returns the network's inputs, target points and who is in."""
    rows = batch.rows
    points = torch.from_numpy(rows["points"][:, :seats].copy()).to(device)
    value = torch.from_numpy(rows["value"][:, :seats].copy()).to(device)
    mixed = result_share * points + (1 - result_share) * value
    target = torch.where(torch.isnan(value), points, mixed) * (seats / 2)
    inside = (rows["in"][:, None] >> np.arange(seats)) & 1
    return batch.inputs(device), target, torch.from_numpy(inside.astype(np.float32)).to(device)


def integer_leads(arrays, views, features):
    """Computes the leads as bots/nnue/network.cc does, in hundredths of a pawn."""
    rows, bias, hidden, hidden_bias, output, output_bias = [array.astype(np.int64)
                                                            for array in arrays]
    rows = np.concatenate([rows, np.zeros((1, rows.shape[1]), np.int64)])
    features = np.minimum(features, len(rows) - 1)
    leads = []
    for view in views:
        sums = rows[np.append(view, len(view))[features]].sum(1) + bias
        a = np.clip(sums, 0, ONE)
        h = np.clip(a @ hidden.T + hidden_bias, 0, ONE * WEIGHT_ONE)
        out = h @ output.T + output_bias * WEIGHT_ONE
        leads.append(np.trunc(out * 600 / (ONE * WEIGHT_ONE ** 2)))
    return np.stack(leads, 1)


def check_integers(network, batch, seats):
    """Returns the mean and the greatest difference in points between float and integer."""
    batch = Batch(batch.rows, len(network.rows), 1, "cpu")
    inputs, _, inside = tensors(batch, seats, 0, "cpu")
    network = network.cpu()
    with torch.no_grad():
        exact = points_of(network(inputs), inside)
    whole = integer_leads(network.integers(), network.views.numpy(), batch.rows["features"])
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
    parser.add_argument("--batch", type=int, default=2048)
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


def rate_at(share, highest):
    """Returns the learning rate after this share of the samples: up, then down along a cosine."""
    start = 0.05
    if share < start:
        return highest * max(share / start, 0.04)
    return highest * max((1 + math.cos(math.pi * (share - start) / (1 - start))) / 2, 0.002)


def main():
    args = parse()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    feed = Feed(args)
    seats, rows = feed.seats, feed.header["rows"]
    if rows < 100 * args.batch:
        sys.exit(f"nnue.py: {rows} samples are too few; expected at least {100 * args.batch} "
                 "(100 batches)")
    network = Network(feed.views, args.accumulator)
    if args.start:
        network.load_integers(args.start)
    network = network.to(args.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, betas=(0.9, 0.99))
    step, batch = 0, None
    saved = args.out + ".checkpoint"
    if os.path.exists(saved):
        state = torch.load(saved, map_location=args.device)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
        print(f"going on after step {step}", flush=True)
        for _ in range(step):
            batch = feed.next()
    print(f"{feed.header['game']}: {rows:,} samples; learning the quiet ones", flush=True)
    began, began_at, saved_at, losses = time.time(), step, time.time(), []

    def report():
        speed = (step - began_at) * args.batch / (time.time() - began)
        print(f"step {step}, {batch.share:.0%}, loss {sum(losses) / len(losses):.5f}, "
              f"{speed:,.0f} quiet samples/s", flush=True)
        losses.clear()

    while (taken := feed.next()) is not None:
        batch = taken
        for group in optimizer.param_groups:
            group["lr"] = rate_at(batch.share, args.rate)
        inputs, target, inside = tensors(batch, seats, args.result_share, args.device)
        loss = ((points_of(network(inputs), inside) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        network.clamp()
        step += 1
        if step % 20 == 0:
            losses.append(loss.item())
        if step % 200 == 0:
            report()
        if time.time() - saved_at >= args.checkpoint_seconds:
            torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(),
                        "step": step}, saved + ".tmp")
            os.replace(saved + ".tmp", saved)
            saved_at = time.time()
    feed.close()
    if batch is None:
        sys.exit("nnue.py: fewer quiet samples than a batch")
    if losses:
        report()
    mean, most = check_integers(network, batch, seats)
    print(f"integers differ from floating point by {mean:.5f} points on average, {most:.5f} at "
          "most", flush=True)
    if mean > 0.01:
        sys.exit("nnue.py: that is too much; expected at most 0.01 on average")
    info = {"game": feed.header["game"], "features": feed.features, "accumulator": args.accumulator,
            "hidden": HIDDEN, "leads": seats - 1, "samples": rows // args.passes,
            "quiet": step * args.batch // args.passes, "passes": args.passes,
            "batch": args.batch, "rate": args.rate,
            "result_share": args.result_share, "seed": args.seed}
    if args.note:
        info["note"] = args.note
    write_network(network, info, args.out)
    if os.path.exists(saved):
        os.remove(saved)
    print(f"{args.out}: {os.path.getsize(args.out):,} bytes", flush=True)


if __name__ == "__main__":
    main()
