# BIT: the forms in which people write conjugates, and the layout of what is computed with them.
import torch


# aten/src/ATen/native/UnaryOps.cpp: the forms that people write
def test_methods_and_attributes_of_conjugates(device):  # BIT-02 BIT-05 BIT-09
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = x.conj()
    assert y.is_conj() is True
    i = y.imag
    assert i.is_neg() is True
    assert i.tolist() == [-2.0]
    r = y.real
    assert r.is_neg() is False
    assert r._base is x
    z = y.conj()
    assert z.is_conj() is False
    w = y.resolve_conj()
    assert w._is_view() is False
    v = torch.view_as_real(z)
    v.zero_()
    assert i.tolist() == [0.0]
    c = torch.conj(r)
    assert c.is_conj() is False


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: clone keeps the order of the strides
def test_results_have_the_order_of_a_conjugates_strides(device):  # BIT-12
    x = torch.tensor([[complex(1.0, 2.0), complex(3.0, -1.0), complex(0.0, 1.0)], [complex(1.0, 1.0), complex(2.0, 0.0), complex(0.0, 0.0)]], device=device)
    y = x.conj()
    t = torch.transpose(y, 0, 1)
    z = torch.add(t, t)
    assert z.stride() == (1, 3)
    assert z.tolist() == [[complex(2.0, -4.0), complex(2.0, -2.0)], [complex(6.0, 2.0), complex(4.0, 0.0)], [complex(0.0, -2.0), complex(0.0, 0.0)]]
