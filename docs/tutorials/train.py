"""A few steps of training, then inference: a script that docs/tutorials/record-a-script.md records."""
import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
weight = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.25)
for step in range(2):
    optimizer.zero_grad()
    loss = (x @ weight).sum()
    loss.backward()
    optimizer.step()
print(weight)

with torch.inference_mode():
    row = x[0]
    result = row * weight
    print(row.is_inference(), result.is_inference())
try:
    result += 1
except RuntimeError as error:
    print(error)
