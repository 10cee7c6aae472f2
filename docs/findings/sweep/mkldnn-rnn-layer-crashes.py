# mkldnn_rnn_layer and its backward do not check sizes, and end the process.
import torch

x = torch.ones(1, 8, 1)
torch.mkldnn_rnn_layer(x, torch.ones(5, 8), torch.ones(5, 8), torch.ones(5), torch.ones(5), torch.ones(1, 8), torch.ones(1, 1),
                       False, [], 2, 8, 2, True, False, False, False)
