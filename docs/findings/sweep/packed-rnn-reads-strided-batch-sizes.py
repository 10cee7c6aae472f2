# RNNs of packed sequences read strided batch_sizes as if they were contiguous.
import torch

rnn = torch.nn.RNN(3, 2)
data, sizes, strided = torch.rand(4, 3), torch.tensor([2, 2]), torch.tensor([2, 1, 2])[::2]
expected, got = (rnn(torch.nn.utils.rnn.PackedSequence(data, one))[0].data.shape for one in (sizes, strided))
print(torch.equal(sizes, strided), expected, got)
assert expected == got
