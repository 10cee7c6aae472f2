# Under vmap, argmax and argmin over all dimensions with keepdim=True give a tensor of one dimension.
import torch

x = torch.arange(8.0).reshape(2, 2, 2)
got = torch.func.vmap(lambda one: torch.argmax(one, keepdim=True))(x)
print(got.shape[1:], torch.argmax(x[0], keepdim=True).shape)
assert got.shape[1:] == torch.argmax(x[0], keepdim=True).shape
