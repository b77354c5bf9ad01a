"""The command `odometer`: `python -m odometer` is the same."""

import signal
import sys

from odometer._library import run


def main() -> None:
    """Runs the program with this process's arguments, and ends the process with its exit code."""
    # The program has handlers of its own; until they are there, an interrupt ends it at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
