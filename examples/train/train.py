#!/usr/bin/env python3
"""Trains a small network on self-play data and writes it as a model of the bot torch.

  apt-get install python3-torch python3-numpy
  examples/train/train.py --data data --out model.pt --steps 2000

With several --data, each contributes the same share of every batch, and the last provides the
held-out games. Run it again with the same --out to resume from MODEL.pt.checkpoint: this finishes
an interrupted run, or trains --steps more, also on other data.
docs/torch-bot.md defines a model's interface, docs/selfplay-data.md the data.
"""

import argparse
import math
import os
import pathlib
import sys
import time
import warnings

import numpy as np
import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import triarch.data as td  # noqa: E402

warnings.filterwarnings("ignore", "scatter_reduce.. is in beta")  # from torch 1.13, at the first use

FORMAT = 1  # of a model's inputs and outputs
KINDS = 4   # of promotion, in a policy index
PINS = 12   # of Tri-D


class Block(nn.Module):
    """Lets each cell see all others. Every head learns a matrix of weights between cells (lines,
    jumps, neighbours); each cell weighs what it sees by its own piece. A layer per cell follows."""

    def __init__(self, cells, width, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.split = nn.Linear(width, 2 * width)
        self.sight = nn.Parameter(torch.randn(heads, cells, cells) * (0.5 / math.sqrt(cells)))
        self.join = nn.Linear(width, width)
        self.each = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(),
                                  nn.Linear(2 * width, width))

    def forward(self, x: torch.Tensor):
        count, cells, width = x.shape
        shown, weight = self.split(self.norm(x)).chunk(2, 2)
        shown = shown.reshape(count, cells, self.heads, width // self.heads).permute(2, 1, 0, 3)
        seen = self.sight @ shown.reshape(self.heads, cells, -1)
        seen = seen.reshape(self.heads, cells, count, -1).permute(2, 1, 0, 3)
        x = x + self.join(seen.reshape(count, cells, width) * weight)
        return x + self.each(x)


class Net(nn.Module):
    """Takes positions in the board's numbers, converts them to the mover's view, applies the blocks
    and converts the results back."""

    triarch_game: str
    triarch_format: int

    def __init__(self, game, width, layers, heads):
        super().__init__()
        shape = td.GAMES[game]
        self.triarch_game = game
        self.triarch_format = FORMAT
        self.cells, self.kinds, self.pins_in_all = shape.cells, KINDS, PINS
        self.is_tri_d = game == "tri-d"
        self.marks = {"tri-d": [td.EN_PASSANT, td.PENDING], "triumvirate": [td.EN_PASSANT],
                      "three-way": [td.EN_PASSANT + seat for seat in range(3)]}[game]
        view = td.rotations(game)
        for name in view._fields:
            if name != "policy":
                table = torch.from_numpy(np.array(getattr(view, name))).long()
                self.register_buffer("view_" + name, table, persistent=False)
        first = KINDS * shape.cells ** 2
        pins = view.policy[:, first:first + PINS] if self.is_tri_d else np.zeros((1, 1), np.int64)
        self.register_buffer("view_pins", torch.from_numpy((pins - first) % PINS), persistent=False)

        self.pieces = nn.Embedding(256, width)
        self.places = nn.Parameter(torch.randn(shape.cells, width) * 0.1)
        self.marked = nn.Parameter(torch.randn(len(self.marks), width) * 0.1)
        self.pins = nn.Embedding(PINS, width)
        self.whole = nn.Linear(6 + 6 + 1, width)  # rights, eliminated seats, clock
        self.blocks = nn.ModuleList(Block(shape.cells, width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.start = nn.Linear(width, width)
        self.end = nn.Linear(width, width)
        self.becomes = nn.Linear(width, KINDS)
        self.boards = nn.Linear(width, KINDS * PINS)
        self.values = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(),
                                    nn.Linear(width, shape.seats))

    def look(self, cells: torch.Tensor, state: torch.Tensor, place: torch.Tensor):
        """Returns the position in the mover's view, a vector per cell: float [N, C, width]."""
        seat = state[:, 0]
        pieces = self.view_pieces[seat].gather(1, cells)
        pieces = torch.zeros_like(cells).scatter(1, place, pieces)
        shown = self.view_state_values[seat].gather(2, state[:, :, None])[:, :, 0]
        shown = torch.zeros_like(state).scatter(1, self.view_state_columns[seat], shown)
        bit = torch.arange(6, device=cells.device)
        whole = torch.cat([(shown[:, 4:5] >> bit) & 1, (shown[:, 1:4] > 0).long(),
                           (shown[:, 1:4] == 2).long()], 1).float()
        whole = torch.cat([whole, shown[:, 8:9].float() / 100], 1)
        x = self.pieces(pieces) + self.places + self.whole(whole)[:, None]
        numbers = torch.arange(self.cells, device=cells.device)
        for i, column in enumerate(self.marks):
            is_marked = (shown[:, column, None] == numbers).float()
            x = x + is_marked[:, :, None] * self.marked[i]
        if self.is_tri_d:
            pins = self.pins(shown[:, 9:13]).repeat_interleave(4, 1)
            x = torch.cat([x[:, :48], x[:, 48:] + pins], 1)
        return x

    def judge(self, cells: torch.Tensor, state: torch.Tensor):
        """Returns the logits of all policy indices, [N, policy_size], and seats' shares, [N,
        seats]."""
        cells, state = cells.long(), state.long()
        seat = state[:, 0]
        place = self.view_cells[seat]
        x = self.look(cells, state, place)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        values = self.values(torch.cat([x.mean(1), x.amax(1)], 1))
        values = values.gather(1, self.view_seats[seat])

        count, size, width = x.shape
        x = x.gather(1, place[:, :, None].expand(count, size, width))  # by the board's numbers
        policy = self.start(x) @ (self.end(x).transpose(1, 2) / math.sqrt(width))
        policy = policy[:, None] + self.becomes(x).transpose(1, 2)[:, :, None]
        policy = policy.reshape(count, -1)
        if self.is_tri_d:
            boards = self.boards(x[:, 48:].reshape(count, 4, 4, width).mean(2))
            pins = self.view_pins[seat][:, None, None].expand(count, 4, self.kinds, self.pins_in_all)
            boards = boards.reshape(count, 4, self.kinds, self.pins_in_all).gather(3, pins).transpose(1, 2)
            policy = torch.cat([policy, boards.reshape(count, -1)], 1)
        return policy, values

    def forward(self, cells: torch.Tensor, state: torch.Tensor):
        policy, values = self.judge(cells, state)
        return policy, torch.softmax(values, 1)


def losses(net, samples, own_share, device):
    """Returns weighted means over the samples: the policy's cross-entropy over the legal moves, the
    values' cross-entropy, and how often the policy's first move is the bot's."""
    policy, values = net.judge(torch.from_numpy(samples.cells).to(device),
                               torch.from_numpy(samples.state).to(device))
    row, _, share = (torch.from_numpy(array).to(device) for array in td.sparse_policy(samples))
    legal = torch.from_numpy(samples.legal.astype(np.int64)).to(device)
    logits = policy[row, legal]
    lowest = torch.full((len(samples),), -math.inf, device=device)
    highest = lowest.scatter_reduce(0, row, logits.detach(), "amax")
    sums = torch.zeros_like(highest).index_add(0, row, (logits - highest[row]).exp())
    of_policy = torch.zeros_like(highest).index_add(
        0, row, share * (sums.log()[row] + highest[row] - logits))
    most = lowest.scatter_reduce(0, row, share, "amax")
    is_same = ((logits == highest[row]) & (share == most[row])).float()
    same = torch.zeros_like(highest).index_add(0, row, is_same).clamp(max=1)

    own = np.where(np.isnan(samples.value), samples.points, samples.value).astype(np.float32)
    points = torch.from_numpy((1 - own_share) * samples.points + own_share * own).to(device)
    of_values = -(points * functional.log_softmax(values, 1)).sum(1)
    weight = torch.from_numpy(samples.weight).to(device)
    return [(weight * loss).sum() / weight.sum() for loss in (of_policy, of_values, same)]


def held_out(data, every, count):
    """Returns the first `count` samples, or all, of each `every`-th game."""
    found = []
    have = 0
    for shard in data.shards():
        found.append(shard.samples.take(np.flatnonzero(shard.samples.index % every == 0)))
        have += len(found[-1])
        if have >= count:
            break
    return td.Samples.concatenate(found).take(range(min(have, count)))


def training_batches(data, size, every, epoch):
    """Yields batches of about `size` samples without end, excluding held-out games."""
    while True:
        seen = 0
        for batch in data.batches(size, seed=epoch):
            batch = batch.take(np.flatnonzero(batch.index % every != 0))
            seen += len(batch)
            if len(batch):
                yield batch
        if not seen:
            sys.exit("error: there are no samples except held-out ones")
        epoch += 1


@torch.no_grad()
def judge_held_out(net, samples, size, device):
    net.eval()
    parts = [samples.take(range(i, min(i + size, len(samples))))
             for i in range(0, len(samples), size)]
    found = np.array([[float(loss) for loss in losses(net, part, 0, device)] for part in parts])
    net.train()
    return np.average(found, axis=0, weights=[part.weight.sum() for part in parts])


def save(net, optimizer, steps, config, out):
    """Writes the checkpoint, then the model, each to a temporary name first."""
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "steps": steps,
                "config": config}, out + ".checkpoint.tmp")
    os.replace(out + ".checkpoint.tmp", out + ".checkpoint")
    net.eval()
    torch.jit.script(net).save(out + ".tmp")
    net.train()
    os.replace(out + ".tmp", out)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", required=True, action="append",
                        help="folder with manifest.jsonl; may be given several times")
    parser.add_argument("--out", required=True, help="the TorchScript file")
    parser.add_argument("--steps", type=int, default=1000, help="training steps of this call (1000)")
    parser.add_argument("--batch", type=int, default=256, help="samples per step (256)")
    parser.add_argument("--width", type=int, default=48, help="features per cell (48)")
    parser.add_argument("--layers", type=int, default=3, help="number of layers (3)")
    parser.add_argument("--heads", type=int, default=8, help="heads per layer (8)")
    parser.add_argument("--rate", type=float, default=3e-3,
                        help="learning rate; falls to a tenth by the last step (0.003)")
    parser.add_argument("--own-value", type=float, default=0.5,
                        help="weight of the bot's own value in the value targets (0.5)")
    parser.add_argument("--hold-out", type=int, default=20, help="hold out one of this many games (20)")
    parser.add_argument("--report", type=int, default=100, help="steps between reports (100)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    folders = [td.Dataset(path) for path in args.data]
    for folder, path in zip(folders, args.data):
        if not len(folder):
            sys.exit(f"error: there are no samples in {path}")
        if folder.game != folders[0].game:
            sys.exit(f"error: {path} is data of {folder.game}, {args.data[0]} of {folders[0].game}")
    config = {"game": folders[0].game, "width": args.width, "layers": args.layers, "heads": args.heads}
    net = Net(**config).to(args.device)
    optimizer = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=0.01)
    first = step = 0
    last = args.steps
    if os.path.exists(args.out + ".checkpoint"):
        kept = torch.load(args.out + ".checkpoint", map_location=args.device)
        if kept["config"] != config:
            sys.exit(f"error: {args.out}.checkpoint has {kept['config']}; expected {config}")
        net.load_state_dict(kept["net"])
        optimizer.load_state_dict(kept["optimizer"])
        first, step, last = kept["steps"]
        if step == last:
            first, last = step, step + args.steps
    rest = held_out(folders[-1], args.hold_out, 4096)
    print(f"{config['game']}: {sum(map(len, folders))} samples, {len(rest)} held out; "
          f"{sum(p.numel() for p in net.parameters())} parameters; step {step} to {last}", flush=True)

    sources = [training_batches(folder, args.batch // len(folders), args.hold_out, args.seed + step)
               for folder in folders]
    began = time.monotonic()
    while step < last:
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min((step - first + 1) / 100,
                                          1 - 0.9 * (step - first) / (last - first))
        batch = td.Samples.concatenate([next(source) for source in sources])
        of_policy, of_values, _ = losses(net, batch, args.own_value, args.device)
        optimizer.zero_grad()
        (of_policy + of_values).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % args.report == 0 or step == last:
            line = f"step {step}: policy {of_policy:.3f}, values {of_values:.3f}"
            if len(rest):
                line += "; held out: policy {:.3f}, values {:.3f}, same move {:.1%}".format(
                    *judge_held_out(net, rest, args.batch, args.device))
            print(f"{line}; {time.monotonic() - began:.0f} s", flush=True)
            save(net, optimizer, (first, step, last), config, args.out)


if __name__ == "__main__":
    try:
        main()
    except (td.DataError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted: the same command resumes from the last report")
