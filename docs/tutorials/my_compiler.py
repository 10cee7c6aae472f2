"""A backend of torch.compile with one mistake: a call whose result no one uses is left out, also where it writes."""
import torch
import torch._dynamo


@torch._dynamo.register_backend
def mine(graph, inputs):
    for node in reversed(graph.graph.nodes):
        if node.op in ("call_function", "call_method") and not node.users:
            graph.graph.erase_node(node)
    graph.recompile()
    return graph.forward
