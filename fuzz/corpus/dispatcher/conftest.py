# Programs about the dispatcher under plain pytest. ../conftest.py has the other fixtures and the waivers.
import pathlib

import pytest
import torch

HERE = pathlib.Path(__file__).parent


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "ignore:Warning only once for all operators")


def pytest_collection_modifyitems(items):
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 0):
        return
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.skip(reason=f"PyTorch {torch.__version__} is older than these programs"))


@pytest.fixture(autouse=True)
def replacing_kernels(monkeypatch):
    """Skips a program in which a kernel replaces another, where Python's torch.library does not allow it."""
    impl = torch.library.Library.impl

    def allowed(*args, **kwargs):
        try:
            return impl(*args, **kwargs)
        except RuntimeError as error:
            if "already a kernel registered from python" in str(error):
                pytest.skip(f"PyTorch {torch.__version__} lets no kernel of Python replace another")
            raise

    monkeypatch.setattr(torch.library.Library, "impl", allowed)
