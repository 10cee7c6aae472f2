#!/usr/bin/env python3
"""Measures the rows of bench/gpu/rows.cpp with PyTorch on a GPU, and prints the times as one JSON object.

The names and sizes are those of rows.cpp. A row `…, graph` is a CUDA graph; `…, compiled` is torch.compile, which the
table compares with our graph.
"""
import argparse
import json
import statistics
import sys
import time


def import_torch():
    try:
        import torch
    except ImportError:
        sys.exit("torch_rows.py: this Python has no PyTorch; give another one: bench/gpu.sh --python PYTHON")
    return torch


def chain(torch, x, a, b, length):
    for i in range(length):
        x = x * a if i % 3 == 0 else x + b if i % 3 == 1 else torch.relu(x)
    return x


def rotating(make, bytes_of_a_set, unit):
    sets = [make()]
    while len(sets) * bytes_of_a_set < 512e6 and len(sets) < 64:
        sets.append(make())
    state = {"next": 0}

    def call():
        unit(*sets[state["next"]])
        state["next"] = (state["next"] + 1) % len(sets)

    return call


def rows(torch, device, small):
    def random(*sizes):
        return torch.rand(sizes, device=device)

    def scaled(n):
        return min(n, 4099) if small else n

    def edge(n):
        return min(n, 32) if small else n

    def graph(body):
        if device == "cpu":
            return body
        for _ in range(3):
            body()
        torch.cuda.synchronize()
        recorded = torch.cuda.CUDAGraph()
        with torch.cuda.graph(recorded):
            body()
        return recorded.replay

    def both(name, make):
        yield name + ", eager", make
        yield name + ", graph", lambda: graph(make())

    def one():
        x, y = random(1), random(1)
        return lambda: x + y

    yield "add, 1 element", one

    def chains(n, length):
        def make():
            x, a, b = random(n), random(n), random(n)
            return lambda: chain(torch, x, a, b, length)
        return make

    yield from both("chain of 20, 1 element", chains(1, 20))
    for n, size in ((scaled(1_000_000), "1e6"), (scaled(1 << 24), "2^24"), (scaled(1 << 28), "2^28")):
        two = lambda n=n: (random(n), random(n))
        yield f"copy, {size} elements", lambda n=n, two=two: rotating(two, 8 * n, lambda x, y: x.copy_(y))
        yield f"add, {size} elements", lambda n=n, two=two: rotating(two, 12 * n, lambda x, y: x + y)
    long_chain = chains(scaled(1 << 26), 10)
    yield from both("chain of 10, 2^26 elements", long_chain)
    if not small:
        yield "chain of 10, 2^26 elements, compiled", lambda: torch.compile(long_chain())
    n = edge(8192)
    square = lambda: (random(n, n),)
    yield "sum of all, 8192 x 8192", lambda: rotating(square, 4 * n * n, lambda x: x.sum())
    yield "sum of each row, 8192 x 8192", lambda: rotating(square, 4 * n * n, lambda x: x.sum(1))
    yield "softmax of each row, 8192 x 8192", lambda: rotating(square, 4 * n * n, lambda x: x.softmax(1))
    for n in (1024, 4096, 8192):
        e = edge(n)
        factors = lambda e=e: (random(e, e), random(e, e))
        yield f"matmul, float32, {n}", lambda e=e, factors=factors: rotating(factors, 8 * e * e, torch.matmul)

    def perceptron():
        batch, inner, hidden = edge(64), edge(1024), edge(4096)
        x, w1, b1 = random(batch, inner), random(inner, hidden), random(hidden)
        w2, b2 = random(hidden, inner), random(inner)
        return lambda: torch.addmm(b2, torch.relu(torch.addmm(b1, x, w1)), w2)

    def attention():
        sizes = (edge(16), edge(512), edge(64))
        q, k, v = random(*sizes), random(*sizes), random(*sizes)
        return lambda: torch.bmm(torch.softmax(torch.bmm(q, k.transpose(1, 2)), -1), v)

    yield from both("MLP 1024-4096-1024, batch 64", perceptron)
    yield from both("attention, 16 heads, 512 tokens, 64", attention)


def measured(unit, wait, least, repetitions):
    def seconds(calls):
        wait()
        begin = time.perf_counter()
        for _ in range(calls):
            unit()
        wait()
        return time.perf_counter() - begin

    calls = 1
    while seconds(calls) < least:
        calls *= 2
    times = [seconds(calls) / calls for _ in range(repetitions)]
    return {"median_s": statistics.median(times), "least_s": min(times), "calls": calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cuda", help="cuda, or cpu to see that every row runs (default: cuda)")
    parser.add_argument("--small", action="store_true", help="few elements, to see that every row runs")
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--least", type=float, default=0.02, help="seconds that a repetition takes at least")
    options = parser.parse_args()
    torch = import_torch()
    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit(f"torch_rows.py: PyTorch {torch.__version__} sees no GPU; nvidia-smi says which there are")
    wait = torch.cuda.synchronize if options.device == "cuda" else lambda: None
    report = {"implementation": f"PyTorch {torch.__version__}",
              "device": torch.cuda.get_device_name() if options.device == "cuda" else "cpu", "rows": []}
    with torch.inference_mode():
        for name, prepare in rows(torch, options.device, options.small):
            print(name, file=sys.stderr)
            report["rows"].append({"name": name} | measured(prepare(), wait, options.least, options.repetitions))
    if options.device == "cuda":
        report["most_bytes"] = torch.cuda.max_memory_allocated()
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
