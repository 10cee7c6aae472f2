# Programs about the dispatcher under plain pytest: waivers as strict xfails. ../conftest.py has the fixtures.
import datetime
import json
import pathlib

import pytest
import torch

HERE = pathlib.Path(__file__).parent
FIELDS = {"test", "implementation", "rule", "reason", "expires"}
VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])
NEAREST = (2, 13)  # the release whose waivers hold for every PyTorch that runs these programs


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "ignore:Warning only once for all operators")


def read_waivers(path):
    """The waivers in the file, each checked for form and expiry."""
    waivers = json.loads(path.read_text(encoding="utf-8"))["waivers"]
    for waiver in waivers:
        if set(waiver) != FIELDS or not all(isinstance(value, str) and value for value in waiver.values()):
            raise pytest.UsageError(f"{path}: waiver {waiver}: must have the texts {', '.join(sorted(FIELDS))}, and no others")
        if datetime.date.fromisoformat(waiver["expires"]) < datetime.date.today():
            raise pytest.UsageError(f"{path}: the waiver of {waiver['test']} expired on {waiver['expires']}; fix, remove or renew it")
    return waivers


def tests_named_in(path):
    """The names of the tests in a file, also of those that this run has not collected."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {line[4 : line.index("(")] for line in lines if line.startswith("def test_")}


def pytest_collection_modifyitems(items):
    here = {f"{item.path.name}::{item.name}": item for item in items if item.path.parent == HERE}
    if VERSION < (2, 0):
        for item in here.values():
            item.add_marker(pytest.mark.skip(reason=f"PyTorch {torch.__version__} is older than these programs"))
        return
    for waiver in read_waivers(HERE / "waivers.json"):
        file, _, name = waiver["test"].partition("::")
        if name not in tests_named_in(HERE / file):
            raise pytest.UsageError(f"{HERE / 'waivers.json'}: there is no test {waiver['test']}")
        if waiver["implementation"] == "torch-{}.{}".format(*NEAREST) and waiver["test"] in here:
            mark = pytest.mark.xfail(reason=f"{waiver['rule']}: {waiver['reason']}", strict=VERSION == NEAREST)
            here[waiver["test"]].add_marker(mark)


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
