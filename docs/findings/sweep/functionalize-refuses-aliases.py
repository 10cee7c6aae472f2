# functionalize takes an alias of an in-place operator, or an out= that is a composite, for an operator of the user's own.
import torch

x = torch.tensor([0.5])
print(torch.func.functionalize(lambda one: one.clone().acos_())(x))
print(torch.func.functionalize(lambda one: torch.cat([one, one], out=torch.empty(0)))(x))
torch.func.functionalize(lambda one: one.clone().arccos_())(x)  # raises; concat(out=) does too
