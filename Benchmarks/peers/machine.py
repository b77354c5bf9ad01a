"""The machine and the versions used for measurements."""

import sys
from importlib import metadata


def note(text):
    print(text, file=sys.stderr, flush=True)


def processor():
    with open("/proc/cpuinfo") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown processor")


def version(package):
    return metadata.version(package)
