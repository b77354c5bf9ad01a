"""The package's types hold."""

import subprocess
import sys
from pathlib import Path


def test_types_hold():
    package = Path(__file__).parents[1] / "odometer"
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--disallow-untyped-defs", "--cache-dir=/dev/null"]
    done = subprocess.run([*command, str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
