#!/usr/bin/env python3
"""Provides self-play data as a PyTorch dataset, and losses for it.

  PYTHONPATH=python python3 examples/train/dataset.py DIR    reads DIR once
"""

import sys
import time

import torch
import triarch.data


class SelfPlay(torch.utils.data.IterableDataset):
    """Batches of a folder of shards, divided among the DataLoader's workers. Set `epoch` before
    each epoch to change the order."""

    def __init__(self, path, batch_size, buffer=4):
        self._path = path
        self._batch_size = batch_size
        self._buffer = buffer
        self.epoch = 0

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        part = (worker.id, worker.num_workers) if worker else (0, 1)
        data = triarch.data.Dataset(self._path)
        for samples in data.batches(self._batch_size, seed=self.epoch, buffer=self._buffer,
                                    part=part):
            row, index, weight = triarch.data.sparse_policy(samples)
            yield {
                "planes": torch.from_numpy(triarch.data.planes(samples)),
                "row": torch.from_numpy(row),        # for each legal move its sample,
                "index": torch.from_numpy(index),    # its policy index
                "policy": torch.from_numpy(weight),  # and its share
                "value": torch.from_numpy(triarch.data.value_targets(samples)),
                "weight": torch.from_numpy(samples.weight),
            }


def losses(policy_logits, value_logits, batch):
    """Returns the cross-entropies of policy and values, weighted means over the samples; illegal
    moves do not count. policy_logits [N, policy_size], value_logits [N, seats], both in the mover's
    view."""
    row, weight = batch["row"], batch["weight"] / batch["weight"].sum()
    logits = policy_logits[row, batch["index"]]
    exp = logits.double().exp()
    sums = torch.zeros(len(weight), dtype=exp.dtype, device=exp.device).index_add(0, row, exp)
    policy = -(weight[row] * batch["policy"] * (logits - sums.log()[row])).sum()
    value = -(weight[:, None] * batch["value"] * value_logits.log_softmax(1)).sum()
    return policy, value


if __name__ == "__main__":
    started, count = time.monotonic(), 0
    for batch in torch.utils.data.DataLoader(SelfPlay(sys.argv[1], 1024), batch_size=None,
                                             num_workers=2):
        count += len(batch["value"])
    print(f"{count} samples, {count / (time.monotonic() - started):.0f} per second")
