# A write to an inference tensor outside inference mode is refused, but has been made.
import torch

with torch.inference_mode():
    x = torch.tensor([-1.0])
try:
    x.abs_()
except RuntimeError as error:
    print(error)
print(x)
assert x == -1
