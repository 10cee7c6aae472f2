# grid_sampler takes any number for the interpolation, and returns whatever the memory held for an unknown one.
import torch

x, grid = torch.ones(1, 1, 4, 4), torch.zeros(1, 4, 4, 2)
for _ in range(100):
    garbage = torch.full((1, 1, 4, 4), 123.0)
    del garbage
    got = torch.grid_sampler(x, grid, 7, 0, True)
    if (got == 123).any():
        break
print(got)
raise AssertionError("the interpolation mode 7 is not refused")
