"""Writes a TorchScript file to test the bot `torch`: tiny_model.py GAME KIND FILE."""

import sys

import torch

SHAPES = {"triumvirate": (36864, 3), "three-way": (36864, 3), "tri-d": (16576, 2)}


class TinyModel(torch.nn.Module):
    triarch_game: str
    triarch_format: int

    def __init__(self, game, kind):
        super().__init__()
        policy, seats = SHAPES[game]
        self.triarch_game = game
        self.triarch_format = 2 if kind == "format" else 1
        self.embed = torch.nn.Embedding(256, 8)
        self.policy = torch.nn.Linear(8, 7 if kind == "narrow" else policy)
        self.values = torch.nn.Linear(8, seats)
        self.sum = 2.0 if kind == "points" else 1.0
        self.is_broken = kind == "broken"

    def forward(self, cells: torch.Tensor, state: torch.Tensor):
        weight = torch.linspace(0.5, 1.5, cells.shape[1], device=cells.device)
        features = (self.embed(cells.int()) * weight[:, None]).mean(1)
        features = features + self.embed(state.int()).mean(1)
        if self.is_broken:
            features = features[:, :5]
        return self.policy(features), self.sum * torch.softmax(self.values(features), 1)


class Bare(torch.nn.Module):
    def forward(self, cells: torch.Tensor, state: torch.Tensor):
        return cells.float(), state.float()


def main():
    game, kind, file = sys.argv[1:]
    torch.manual_seed(1)
    model = Bare() if kind == "bare" else TinyModel(game, kind)
    torch.jit.script(model).save(file)


main()
