# Programs about the dispatcher under plain pytest. ../conftest.py has the other fixtures and the waivers.
import pathlib

import pytest
import torch

HERE = pathlib.Path(__file__).parent


def pytest_collection_modifyitems(items):
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 0):
        return
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.skip(reason=f"PyTorch {torch.__version__} is older than these programs"))
