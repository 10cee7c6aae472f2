# Programs with transforms under plain pytest: a PyTorch without torch.func skips them.
import pytest
import torch


@pytest.fixture
def device(request):
    return request.config.getoption("--device", default="cpu")


def pytest_collection_modifyitems(items):
    if hasattr(torch, "func"):
        return
    for item in items:
        if item.path.parent.name == "transforms":
            item.add_marker(pytest.mark.skip(reason=f"PyTorch {torch.__version__} has no torch.func"))
