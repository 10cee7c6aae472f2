# linalg.matrix_rank(out=) returns out on the CPU, and a tensor of another dtype on meta.
import torch

def call(device):
    return torch.linalg.matrix_rank(torch.rand(2, 2, device=device), out=torch.empty((), device=device)).dtype

print(call("cpu"), call("meta"))
assert call("cpu") == call("meta")
