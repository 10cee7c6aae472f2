"""The graphs that are made of a script's regions, kept while the adapter shows the script."""
import contextlib
import logging
import re

from paths.plain import named

LONGEST = 60_000  # characters of one text in an answer: docs/PROTOCOL.md allows 64 KiB
MOST = 16  # sections in an answer


class Shown:
    """`regions`: each region that was captured, and the graphs that were made of it, as titles and texts. `names`: the
    variable of each slot."""

    def __init__(self, names):
        self.names, self.regions = names, []

    def begin(self, region):
        """The region is captured now; its variables have their names in the program."""
        region.text = named(region.text, self.names)
        self.regions.append((region, []))

    def add(self, title, text):
        if self.regions:
            self.regions[-1][1].append({"title": title, "text": text.strip()[:LONGEST]})

    def sections_at(self, statement):
        """Of the last region that begins at this statement or before it, its text and its graphs."""
        for region, graphs in reversed(self.regions):
            if region.first <= statement:
                return [{"title": "the region as Python", "text": region.text.strip()[:LONGEST]}, *graphs][:MOST]
        return []


def readable(graph):
    """An FX graph as Python text, without the place of its class."""
    return re.sub(r"^.*(class \w+\(torch\.nn\.Module\):)", r"\1", graph.print_readable(print_output=False).strip(), count=1)


class OfAotAutograd(logging.Handler):
    """Notes what AOTAutograd logs under TORCH_LOGS=aot_graphs."""

    def __init__(self, shown):
        super().__init__()
        self.shown = shown

    def emit(self, record):
        found = re.match(r"TRACED GRAPH\n ===== (.+?)(?: \d+)? =====\n.*?(class .*)", record.getMessage(), re.DOTALL)
        if found:
            self.shown.add(f"AOTAutograd: {found[1].lower()}", found[2].strip())


@contextlib.contextmanager
def graphs_of_aot_autograd(shown):
    """Inside, every graph of AOTAutograd is added to `shown`."""
    names = [name for name in logging.root.manager.loggerDict if re.fullmatch(r"torch\._functorch\..*\.__aot_graphs", name)]
    loggers = [logging.getLogger(name) for name in names]  # which modules log its graphs depends on the release
    handler, found = OfAotAutograd(shown), [(logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, (level, propagates) in zip(loggers, found):
            logger.removeHandler(handler)
            logger.setLevel(level)
            logger.propagate = propagates
