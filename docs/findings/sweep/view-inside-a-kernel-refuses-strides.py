# isin, take_along_dim and matrix_exp call view() on an argument, and raise an error for some strides.
import torch

x = torch.tensor([[1, 2], [3, 4]])
print(torch.isin(1, x))
torch.isin(1, x.t())  # raises; so do take_along_dim(x.t(), x.t() % 4) and matrix_exp of a batch with its dimensions exchanged
