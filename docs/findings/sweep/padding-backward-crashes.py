# The backwards of reflection padding do not check padding and the sizes of the gradient, and end the process.
import torch

torch.ops.aten.reflection_pad1d_backward(torch.ones(2, 8, 2, 2, 2, 10, 9, 9), torch.ones(2, 10, 9, 4, 8, 0, 3), [-1, -1])
