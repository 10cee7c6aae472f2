# view(dtype) gives no view that autograd tracks, and in inference mode an inference tensor on normal memory.
import torch

x = torch.ones(2)
view = x.view(torch.int32)
with torch.inference_mode():
    inside = x.view(torch.int32)
print(view._is_view(), inside.is_inference())
assert view._is_view() and not inside.is_inference()
