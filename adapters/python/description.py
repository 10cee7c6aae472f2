"""What the adapter says of itself: docs/PROTOCOL.md, "The description"."""
from readings import FIELDS, THREAD_FIELDS, hide_what_is_missing

PROFILES = (((2, 0), "torch-2.13"), ((1, 13), "torch-1.13"))  # the first release that each profile is nearest to


def profile_of(version):
    """The profile of the nearest release that has one."""
    release = tuple(int(part) for part in version.split("+")[0].split(".")[:2])
    return next((profile for first, profile in PROFILES if release >= first), PROFILES[-1][1])


def of(torch, path, profile):
    """The answer to `start`. Keys name the backend, so they are compared on the CPU only; meta tensors have no values."""
    device = path.device.name
    with path.around():
        hidden = hide_what_is_missing(device)
    hidden |= {"keys"} if device != "cpu" else set()
    hidden |= {"values", "grad"} if device == "meta" else set()
    shown = {field: "ignore" if field in hidden else "exact" for field in FIELDS + THREAD_FIELDS}
    shown.update({field: how for field, (how, reason) in path.relaxed.items() if field not in hidden})
    profile = profile or profile_of(torch.__version__)
    beside = "".join(f", {name} {version}" for name, version in path.versions().items())
    reasons = {field: reason for field, (how, reason) in path.relaxed.items()}
    return {"protocol": 3, "name": path.name if path.settings.device == "cpu" else f"{path.name}-{device}", "version": torch.__version__ + beside,
            "profile": profile, "fields": {field: shown[field] for field in FIELDS},
            "thread": {field: shown[field] for field in THREAD_FIELDS},
            "errors": path.errors or ("class" if profile == "torch-1.13" else "exact"), "ulps": 4,  # 1.13 words some errors otherwise
            **({"reasons": reasons} if reasons else {}), "programs": path.programs, **({"shows": True} if path.shows else {})}
