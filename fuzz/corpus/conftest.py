# The corpus under plain pytest: the fixture `device`, waivers as strict xfails, and skips for an older PyTorch.
import datetime
import inspect
import json
import pathlib
import re
import warnings
import weakref

import pytest
import torch

HERE = pathlib.Path(__file__).parent
FOLDERS = (HERE, HERE / "functionalize", HERE / "workload", HERE / "dispatcher", HERE / "transforms")  # no two files have one name
TEXTS = ("id", "reason", "link", "expires")
LISTS = ("implementation", "rules", "ops", "when", "signature")
OPTIONAL = ("test", "when")  # lists that may be missing; then `within`, or `got`, is there
NEEDED = {*TEXTS, *LISTS} - {*OPTIONAL}
AFTER = "register_post_accumulate_grad_hook"  # PyTorch has it since 2.1
LIBRARIES = hasattr(torch.library.Library, "_destroy")


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", help="the PyTorch device of every tensor, for example cuda or privateuseone:0")
    parser.addoption("--waivers", default=str(HERE / "waivers.json"), help="the file of known divergences")


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "error::pytest.PytestUnhandledThreadExceptionWarning")
    config.addinivalue_line("filterwarnings", "ignore:Use of masked_fill_ on expanded tensors")
    config.addinivalue_line("filterwarnings", "ignore:Warning only once for all operators")


@pytest.fixture
def device(request):
    return request.config.getoption("--device", default="cpu")


@pytest.fixture(autouse=True)
def libraries(monkeypatch):
    """Destroys every torch.library.Library that a test leaves behind, the newest first."""
    made = []
    init = torch.library.Library.__init__

    def recorded(self, *args, **kwargs):
        init(self, *args, **kwargs)
        made.append(weakref.ref(self))

    monkeypatch.setattr(torch.library.Library, "__init__", recorded)
    yield
    for reference in reversed(made):
        library = reference()
        if library is not None and library.m is not None:
            library._destroy()


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


@pytest.fixture(autouse=True)
def keys():
    """Restores the thread's dispatch keys, and warns of a test that leaves others: some releases leave parts of included keys."""
    if not hasattr(torch._C, "_ForceDispatchKeyGuard"):  # PyTorch 1.13
        yield
        return
    sets = (torch._C._dispatch_tls_local_include_set, torch._C._dispatch_tls_local_exclude_set)
    before = [read() for read in sets]
    with torch._C._ForceDispatchKeyGuard(*before):
        yield
        if [read().raw_repr() for read in sets] != [key_set.raw_repr() for key_set in before]:
            warnings.warn("the test leaves the thread's dispatch keys changed", stacklevel=1)


def refuse(path, waiver, problem):
    raise pytest.UsageError(f"{path}: waiver {waiver}: {problem}")


def read_waivers(path):
    """The waivers in the file, each checked for form and expiry."""
    try:
        waivers = json.loads(path.read_text(encoding="utf-8"))["waivers"]
        entries = list(enumerate(waivers, start=1))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise pytest.UsageError(f"{path}: not a file of waivers, {{\"waivers\": [...]}}: {error!r}") from error
    seen = set()
    for number, waiver in entries:
        if not isinstance(waiver, dict):
            refuse(path, f"number {number}", "is not an object")
        name = waiver.get("id", f"number {number}")
        missing, unknown = NEEDED - set(waiver), set(waiver) - NEEDED - {"test", "within", "when", "got", "earlier", "anywhere"}
        if missing or unknown or not {"test", "within"} & set(waiver) or not {"when", "got"} & set(waiver):
            refuse(path, name, f"must have the keys {', '.join(sorted(NEEDED))}, `when` or `got`, and `test` or `within`, and no others")
        for key in TEXTS:
            if not isinstance(waiver[key], str) or not waiver[key]:
                refuse(path, name, f"`{key}` must be a text that is not empty")
        for key in OPTIONAL:
            waiver.setdefault(key, [])
        for key in ("test", *LISTS):
            waiver[key] = [waiver[key]] if isinstance(waiver[key], str) else waiver[key]
            if not isinstance(waiver[key], list) or not all(isinstance(v, str) and v for v in waiver[key]):
                refuse(path, name, f"`{key}` must be a text, or a list of texts")
            if not waiver[key] and key not in OPTIONAL:
                refuse(path, name, f"`{key}` must not be empty")
        if name in seen:
            refuse(path, name, "its id is used twice")
        seen.add(name)
        for implementation in waiver["implementation"]:
            # A series has a profile; one release has Python alone, perhaps on another device. pytest runs only these.
            if not re.fullmatch(r"torch-\d+\.\d+|[a-z*][\w*.-]*", implementation):
                refuse(path, name, f"`implementation` must be like torch-2.13, python-2.9.1 or compile-*, not {implementation}")
        if not waiver["link"].startswith("https://"):
            refuse(path, name, "`link` must begin with https://")
        try:
            expires = datetime.date.fromisoformat(waiver["expires"])
        except ValueError:
            refuse(path, name, f"`expires` must be a date like 2027-06-30, not {waiver['expires']}")
        if expires < datetime.date.today():
            refuse(path, name, f"expired on {expires}: look at {waiver['link']}, then fix, remove or renew it")
    return waivers


def tests_named_in(name):
    """The names of the tests in the file of that name, also of those that this run has not collected."""
    files = [folder / name for folder in FOLDERS if (folder / name).is_file()]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return {f"{name}::{line[4:line.index('(')]}" for line in lines if line.startswith("def test_")}


def source_of(function):
    """The source of a program, with the classes that it uses."""
    used = [function.__globals__.get(name) for name in function.__code__.co_names]
    return "".join(inspect.getsource(part) for part in [function, *filter(inspect.isclass, used)])


def speaks_of_the_cpu(item):
    """Whether a program has kernels for the CPU or reads its keys, while its tensors are on the device that is asked for."""
    source = source_of(item.function)
    registers = re.search(r"^[^\s#].*CPU", item.path.read_text(encoding="utf-8"), re.MULTILINE)  # outside the tests
    return "device=device" in source and ("CPU" in source or registers)


def names_the_cpu(item):
    """Whether a program uses the CPU beside the device that is asked for."""
    return re.search(r"""device="cpu"|\.cpu\(\)|\.to\("cpu"\)""", source_of(item.function)) is not None


def missing_name(function):
    """A name of torch in a program that this PyTorch lacks, or lacks as a context manager; None if it has them all."""
    source = source_of(function)
    if "torch.library." in source and not LIBRARIES:
        return "torch.library.Library._destroy"  # nor fragments of libraries
    if AFTER in source and not hasattr(torch.Tensor, AFTER):
        return f"torch.Tensor.{AFTER}"
    for name in sorted(set(re.findall(r"\btorch(?!\.ops\.(?!aten\b))(?:\.\w+)+", source))):
        found = torch
        for part in name.split(".")[1:]:
            if not hasattr(found, part):
                return name
            found = getattr(found, part)
        if f"with {name}(" in source and not hasattr(found, "__enter__"):
            return f"{name} as a context manager"
    return None


def pytest_ignore_collect(collection_path):
    """An older PyTorch cannot import a file that registers operators outside its tests."""
    if LIBRARIES or collection_path.suffix != ".py":
        return None
    registers = re.search(r"^(@|\w+ = )?torch\.library\.", collection_path.read_text(encoding="utf-8"), re.MULTILINE)
    return True if registers else None


def pytest_collection_modifyitems(config, items):
    path = pathlib.Path(config.getoption("--waivers", default=str(HERE / "waivers.json")))
    release = re.match(r"\d+\.\d+\.\d+", torch.__version__).group()
    series = "torch-" + ".".join(release.split(".")[:2])
    nearest = "torch-2.13" if int(release.split(".")[0]) >= 2 else "torch-1.13"  # as adapters/python/description.py
    on = torch.device(config.getoption("--device", default="cpu")).type
    running = {nearest, f"python-{release}" if on == "cpu" else f"python-{on}-{release}"}
    here = {f"{item.path.name}::{item.name}": item for item in items if item.path.parent in FOLDERS}
    for item in here.values():
        if missing := missing_name(item.function):
            item.add_marker(pytest.mark.skip(reason=f"PyTorch {torch.__version__} has no {missing}"))
        if on == "cpu" and names_the_cpu(item):
            item.add_marker(pytest.mark.skip(reason="it uses the CPU beside another device: --device says which, for example cuda"))
        if on != "cpu" and speaks_of_the_cpu(item):
            item.add_marker(pytest.mark.skip(reason=f"it is about the CPU's kernels or keys, not those of {on}"))
    for waiver in read_waivers(path):
        for test in waiver["test"]:
            if test not in tests_named_in(test.partition("::")[0]):
                refuse(path, waiver["id"], f"there is no test {test} (expected FILE.py::NAME in {HERE.name}/)")
            if (of := running.intersection(waiver["implementation"])) and test in here:
                strict = of == {series}  # in Python alone, plumbline compares more than the program states
                reason = f"{waiver['id']}: {waiver['reason']} {waiver['link']}"
                crashes = "run/crash" in waiver["signature"]  # it would crash pytest
                mark = pytest.mark.skip(reason=reason) if crashes else pytest.mark.xfail(reason=reason, strict=strict)
                here[test].add_marker(mark)
