# Some operators return an argument, or a view of it, for some arguments, which their schemas do not say.
import torch

x = torch.rand(3)
result = torch.dropout(x, 0.5, train=False)
print(torch.ops.aten.dropout.default._schema)
result.zero_()
print(x)
assert x.sum() != 0
