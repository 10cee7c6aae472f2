# AUT: what is asked of a view whose base was written since, before its history is made again.
import pytest
import torch


# variable.cpp, VariableHooks::is_leaf takes grad_fn_ as it is: the view is a leaf for in-place ops until it is asked
def test_leafness_of_a_stale_view_is_judged_by_the_history_as_it_stands(device):  # AUT-15
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    v = x.view([2])
    x.add_(p)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        v.add_(1)


# python_variable.cpp, THPVariable_set_requires_grad asks is_leaf() of the variable, which takes grad_fn_ as it is
def test_requires_grad_may_be_set_on_a_stale_view(device):  # AUT-15
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    v = x.view([2])
    x.add_(p)
    v.requires_grad = True
    assert v.requires_grad is True
    assert v.is_leaf is False


# python_variable.cpp, THPVariable_is_leaf calls grad_fn(), which is then up to date
def test_asking_is_leaf_brings_the_history_of_a_view_up_to_date(device):  # AUT-15 VIEW-12
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    v = x.view([2])
    x.add_(p)
    assert v.is_leaf is False
    v.add_(1)
    assert v._version == 2
