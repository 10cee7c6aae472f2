# Threads: guards are per thread, tensors are shared.
import threading

import pytest
import torch


# rfc-0011-final, 'Goals': another thread continues to train
def test_training_goes_on_in_a_thread_that_is_started_inside_the_mode(device):  # TLS-17 F-13
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)

    def train():
        y = torch.mul(x, x)
        z = y.sum()
        z.backward()

    with torch.inference_mode():
        t = threading.Thread(target=train)
        t.start()
        t.join()
        assert torch.is_inference_mode_enabled() is True
    assert x.grad.tolist() == [2.0, 4.0]
    g = x.grad
    assert g.is_inference() is False


def test_thread_that_enters_the_mode_leaves_the_one_that_started_it_outside(device):  # TLS-17 VER-03
    x = torch.ones([2], device=device)

    def infer():
        with torch.inference_mode():
            x.add_(1)

    t = threading.Thread(target=infer)
    t.start()
    t.join()
    assert torch.is_inference_mode_enabled() is False
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1


def test_thread_starts_with_grad_mode_on(device):  # TLS-17
    x = torch.ones([2], requires_grad=True, device=device)

    def write():
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
            x.add_(1)

    with torch.no_grad():
        t = threading.Thread(target=write)
        t.start()
        t.join()
    assert x._version == 0


def test_a_thread_that_waits_in_the_mode_leaves_the_other_one_outside(device):  # TLS-18
    x = torch.ones([2], device=device)
    entered = threading.Event()
    leave = threading.Event()

    def infer():
        with torch.inference_mode():
            entered.set()
            leave.wait()
            assert torch.is_inference_mode_enabled() is True

    t = threading.Thread(target=infer)
    t.start()
    entered.wait()
    assert torch.is_inference_mode_enabled() is False
    y = torch.mul(x, 2)
    assert y.is_inference() is False
    leave.set()
    t.join()


def test_a_thread_goes_on_in_the_mode_that_it_entered(device):  # TLS-18
    x = torch.ones([2], requires_grad=True, device=device)
    entered = threading.Event()
    leave = threading.Event()

    def write():
        with torch.no_grad():
            entered.set()
            leave.wait()
            x.add_(1)

    t = threading.Thread(target=write)
    t.start()
    entered.wait()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        x.add_(1)
    with torch.enable_grad():
        y = torch.mul(x, 3)
        assert y.requires_grad is True
    leave.set()
    t.join()
    assert x.tolist() == [2.0, 2.0]


def test_a_write_of_a_thread_that_goes_on_makes_a_saved_tensor_stale(device):  # TLS-18 VER-15
    x = torch.tensor([2.0, 3.0], requires_grad=True, device=device)
    w = torch.tensor([4.0, 5.0], device=device)
    ready = threading.Event()
    saved = threading.Event()

    def write():
        ready.set()
        saved.wait()
        w.mul_(2)

    t = threading.Thread(target=write)
    t.start()
    ready.wait()
    y = torch.mul(x, w)
    z = y.sum()
    saved.set()
    t.join()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()
