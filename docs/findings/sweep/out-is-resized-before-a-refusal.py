# A call with out= that raises an error has resized out, and has filled it with whatever the memory held.
import torch

out = torch.empty(0, dtype=torch.bool)
try:
    torch.abs(torch.tensor([True]), out=out)
except RuntimeError as error:
    print(error)
print(out.shape)
assert out.shape == (0,)
