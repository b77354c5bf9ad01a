"""The command `odometer`, also `python -m odometer`."""

import signal
import sys

from odometer._library import run


def main() -> None:
    """Runs the program with this process's arguments, and ends the process with its exit code."""
    # The program installs its own signal handlers; until then, an interrupt ends it at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
