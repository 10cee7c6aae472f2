#!/usr/bin/env python3
"""Saves three small models, each in a form of its own. usage: models.py FOLDER."""
import importlib
import pathlib
import sys

import torch
from torch import nn


class Attention(nn.Module):
    """One head of attention over rows of four numbers."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-2, -1) / 2.0
        return torch.softmax(scores, dim=-1) @ self.value(x)


class Convolution(nn.Module):
    """A convolution, an activation and a mean over the picture."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(1, 2, 3)

    def forward(self, x):
        return torch.relu(self.convolution(x)).mean(dim=(2, 3))


def main():
    folder = pathlib.Path(sys.argv[1])
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    with torch.no_grad():
        for parameter in layers.parameters():
            parameter.copy_((parameter * 8).round() / 8)  # values that sums keep exactly
    torch.jit.script(layers).save(str(folder / "layers.pt"))
    torch.export.save(torch.export.export(Attention(), (torch.rand(3, 4),)), str(folder / "attention.pt2"))
    torch.save(importlib.import_module("models").Convolution(), str(folder / "convolution.pth"))  # not a class of __main__


if __name__ == "__main__":
    main()
